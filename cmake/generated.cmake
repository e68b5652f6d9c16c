# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# The option of petite that says which element types there are; none where the list is empty.
function(petite_dtype_options result dtypes)
	set(${result} "" PARENT_SCOPE)
	if(dtypes)
		list(JOIN dtypes "," dtypes)
		set(${result} --dtypes ${dtypes} PARENT_SCOPE)
	endif()
endfunction()

# petite_add_generated(<target> <name> COMMAND <argument>... [DEPENDS <file>...] COMMENT <text>)
#
# Runs `petite <argument>... --output <folder>`, which writes <name>.c and <name>.h there, whenever
# what it depends on or Petite's Python changes, and adds both to <target>. Sets petite_rule and
# petite_header in the caller: the name of the rule, and the header's path.
function(petite_add_generated target name)
	cmake_parse_arguments(PARSE_ARGV 2 arg "" "COMMENT" "COMMAND;DEPENDS")
	set(directory ${CMAKE_CURRENT_BINARY_DIR}/petite/${name})
	set(generated ${directory}/${name}.c ${directory}/${name}.h)
	file(GLOB_RECURSE compiler CONFIGURE_DEPENDS
		${PETITE_ROOT}/scripts/petite/*.py ${PETITE_ROOT}/scripts/petite/*.j2
		${PETITE_ROOT}/scripts/petite/*.json)
	add_custom_command(
		OUTPUT ${generated}
		COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PETITE_ROOT}/scripts
			${PETITE_PYTHON} -m petite ${arg_COMMAND} --output ${directory}
		# Files that would not change are left alone; the build tool wants a new date.
		COMMAND ${CMAKE_COMMAND} -E touch ${generated}
		DEPENDS ${arg_DEPENDS} ${compiler}
		COMMENT "${arg_COMMENT}"
		VERBATIM)
	# A target of another directory does not see this directory's rules.
	set(petite_rule petite_${target}_${name})
	add_custom_target(${petite_rule} DEPENDS ${generated})
	add_dependencies(${target} ${petite_rule})
	target_sources(${target} PRIVATE ${generated})
	target_include_directories(${target} PRIVATE ${directory})
	target_link_libraries(${target} PRIVATE petite)
	set(petite_rule ${petite_rule} PARENT_SCOPE)
	set(petite_header ${directory}/${name}.h PARENT_SCOPE)
endfunction()
