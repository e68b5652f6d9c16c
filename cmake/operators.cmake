# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/generated.cmake)

# petite_add_operators(<target> [MODELS <file.pte>...] [OPERATORS <pattern>...] [ALL]
#                      [DTYPES <dtype>...] [APPLICATION] [NAME <name>])
#
# Writes, with `petite select`, a table of the operators that programs may call which the target
# loads (petite/loader.h), and adds it to <target>, which then can #include "<name>.h". What the
# table does not name is not linked. NAME defaults to petite_operators.
#   MODELS       programs whose operators, with their element types, the table has
#   OPERATORS    more, by shell patterns such as cortex_m::*
#   ALL          all that there are
#   DTYPES       of what OPERATORS and ALL bring, only what computes with these element types
#   APPLICATION  programs may call operators that the application registers (petite/registry.h)
function(petite_add_operators target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "ALL;APPLICATION" "NAME" "MODELS;OPERATORS;DTYPES")
	if(arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "petite_add_operators(${target}): not understood: "
			"'${arg_UNPARSED_ARGUMENTS}'")
	endif()
	if(NOT (arg_MODELS OR arg_OPERATORS OR arg_ALL))
		message(FATAL_ERROR "petite_add_operators(${target}): say which operators, with MODELS, "
			"OPERATORS or ALL")
	endif()
	if(NOT arg_NAME)
		set(arg_NAME petite_operators)
	endif()

	petite_selection_options(options)
	foreach(model IN LISTS arg_MODELS)
		get_filename_component(model ${model} ABSOLUTE)
		if(NOT EXISTS ${model})
			message(FATAL_ERROR "petite_add_operators(${target}): there is no file ${model}; "
				"export the model first, or correct the path")
		endif()
		list(APPEND models ${model})
	endforeach()
	foreach(pattern IN LISTS arg_OPERATORS)
		list(APPEND options --operators ${pattern})
	endforeach()
	if(arg_ALL)
		list(APPEND options --all)
	endif()
	if(arg_DTYPES)
		list(JOIN arg_DTYPES "," dtypes)
		list(APPEND options --dtypes ${dtypes})
	endif()
	if(arg_APPLICATION)
		list(APPEND options --application)
	endif()

	petite_add_generated(${target} ${arg_NAME}
		COMMAND select ${models} --name ${arg_NAME} ${options}
		DEPENDS ${models} COMMENT "Selecting operators for ${arg_NAME}")
endfunction()
