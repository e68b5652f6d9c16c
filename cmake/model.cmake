# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# petite_add_model(<target> MODEL <file.pte> [NAME <name>] [INT8_IO] [KEEP_INPUTS])
#
# Compiles a model with `petite compile` whenever the .pte or the compiler changes, and adds it to
# <target>, which then can #include "<name>.h". NAME defaults to the file's name.
#   INT8_IO      int8 inputs and outputs at the model's own scales
#   KEEP_INPUTS  a call leaves its inputs as they were
function(petite_add_model target)
	find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
	cmake_parse_arguments(PARSE_ARGV 1 arg "INT8_IO;KEEP_INPUTS" "MODEL;NAME" "")
	if(arg_UNPARSED_ARGUMENTS OR NOT arg_MODEL)
		message(FATAL_ERROR "petite_add_model(${target}): give MODEL file.pte; "
				    "unknown: ${arg_UNPARSED_ARGUMENTS}")
	endif()
	get_filename_component(model ${arg_MODEL} ABSOLUTE)
	if(NOT arg_NAME)
		get_filename_component(arg_NAME ${model} NAME_WE)
	endif()
	set(options --name ${arg_NAME})
	if(arg_INT8_IO)
		list(APPEND options --int8-io)
	endif()
	if(arg_KEEP_INPUTS)
		list(APPEND options --keep-inputs)
	endif()

	set(directory ${CMAKE_CURRENT_BINARY_DIR}/petite/${arg_NAME})
	set(generated ${directory}/${arg_NAME}.c ${directory}/${arg_NAME}.h)
	file(GLOB_RECURSE compiler CONFIGURE_DEPENDS
		${PETITE_ROOT}/scripts/petite/*.py ${PETITE_ROOT}/scripts/petite/*.j2)
	add_custom_command(
		OUTPUT ${generated}
		COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PETITE_ROOT}/scripts
			${Python3_EXECUTABLE} -m petite compile ${model} --output ${directory} ${options}
		# The compiler leaves files alone that would not change; the build tool wants a new date.
		COMMAND ${CMAKE_COMMAND} -E touch ${generated}
		DEPENDS ${model} ${compiler}
		COMMENT "Compiling ${arg_MODEL}"
		VERBATIM)
	target_sources(${target} PRIVATE ${generated})
	target_include_directories(${target} PRIVATE ${directory})
	target_link_libraries(${target} PRIVATE petite)
endfunction()
