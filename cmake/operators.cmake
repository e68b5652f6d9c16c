# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/generated.cmake)

# petite_add_operators(<target> [MODELS <file.pte>...] [GROUPS <group>...] [OPERATORS <pattern>...]
#                      [ALL] [DTYPES <dtype>...] [APPLICATION] [NAME <name>])
#
# Writes, with `petite select`, a table of the operators that programs may call which the target
# loads (petite/loader.h), and adds it to <target>, which then can #include "<name>.h". What the
# table does not name is not linked. NAME defaults to petite_operators.
#   MODELS       programs whose operators, with their element types, the table has
#   GROUPS       more, by their groups, such as int8 and shapes (docs/loading.md lists them)
#   OPERATORS    more, by shell patterns such as cortex_m::*
#   ALL          all that there are
#   DTYPES       of what GROUPS, OPERATORS and ALL bring, only what computes with these element types
#   APPLICATION  programs may call operators that the application registers (petite/registry.h)
# Zephyr: CONFIG_PETITE_OPERATORS makes the table petite_operators of an image by itself. A second one
# needs another NAME.
function(petite_add_operators target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "ALL;APPLICATION" "NAME"
		"MODELS;GROUPS;OPERATORS;DTYPES")
	if(arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "petite_add_operators(${target}): not understood: "
			"'${arg_UNPARSED_ARGUMENTS}'")
	endif()
	if(NOT (arg_MODELS OR arg_GROUPS OR arg_OPERATORS OR arg_ALL))
		message(FATAL_ERROR "petite_add_operators(${target}): say which operators, with MODELS, "
			"GROUPS, OPERATORS or ALL")
	endif()
	if(NOT arg_NAME)
		set(arg_NAME petite_operators)
	endif()

	petite_table_options(options ${target} ${arg_NAME} "${arg_DTYPES}")
	# A function sees the variables of its caller.
	set(models)
	foreach(model IN LISTS arg_MODELS)
		get_filename_component(model ${model} ABSOLUTE)
		if(NOT EXISTS ${model})
			message(FATAL_ERROR "petite_add_operators(${target}): there is no file ${model}; "
				"export the model first, or correct the path")
		endif()
		list(APPEND models ${model})
	endforeach()
	if(arg_GROUPS)
		list(JOIN arg_GROUPS "," groups)
		list(APPEND options --groups ${groups})
	endif()
	foreach(pattern IN LISTS arg_OPERATORS)
		list(APPEND options --operators ${pattern})
	endforeach()
	if(arg_ALL)
		list(APPEND options --all)
	endif()
	if(arg_APPLICATION)
		list(APPEND options --application)
	endif()

	petite_add_generated(${target} ${arg_NAME}
		COMMAND select ${models} --name ${arg_NAME} ${options}
		DEPENDS ${models} COMMENT "Selecting operators for ${arg_NAME}")
	petite_kernels_for_tables()
	set(petite_rule ${petite_rule} PARENT_SCOPE)
	set(petite_header ${petite_header} PARENT_SCOPE)
endfunction()
