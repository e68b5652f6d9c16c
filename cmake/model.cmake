# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/arena.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/generated.cmake)

# Options of `petite compile` that say where a model goes and what it may consist of.
function(petite_placement_options result memories weights activations dtypes)
	set(options ${memories})
	foreach(rule IN LISTS weights)
		list(APPEND options --weights ${rule})
	endforeach()
	if(activations)
		list(APPEND options --activations ${activations})
	endif()
	petite_dtype_options(dtype_options "${dtypes}")
	set(${result} ${options} ${dtype_options} PARENT_SCOPE)
endfunction()

# petite_add_model(<target> MODEL <file.pte> [NAME <name>] [INT8_IO] [KEEP_INPUTS]
#                  [WEIGHTS <[pattern=]memory>...] [ACTIVATIONS <memory>] [ARENA <name>]
#                  [BUDGETS <memory[=bytes]>...] [MEMORY_COSTS <memory=cost>...]
#                  [APPLICATION_OPERATORS <pattern>...] [DTYPES <dtype>...] [STEP_NAMES] [CHECKSUMS]
#                  [NO_STRIPES])
#
# Compiles a model with `petite compile` whenever the .pte, an option or the compiler changes, and
# adds it to <target>, which then can #include "<name>.h". NAME defaults to the file's name. The
# same call works with and without Zephyr.
#   INT8_IO      int8 inputs and outputs at the model's own scales
#   KEEP_INPUTS  a call leaves its inputs as they were
#   WEIGHTS      memory of the constants, or of those whose name matches a shell pattern; the last
#                one that fits wins. `petite compile --explain` lists the names.
#   ACTIVATIONS  memory of everything between input and output
#   ARENA        arena that this model shares with all others that name it: it is as large as the
#                largest needs. One of them runs at a time, and a run overwrites the inputs and
#                outputs of the others (petite/arena.h).
#   BUDGETS      memories of which the model may take so many bytes (64K), for what gains most there
#                by a model of what memories cost; WEIGHTS and ACTIVATIONS come first
#   MEMORY_COSTS what reading a byte costs in that model, where tightly coupled memory costs 1
#   APPLICATION_OPERATORS  operators that the application brings (petite/registry.h)
#   DTYPES       element types that kernels may compute with; a model that needs another is refused
#   STEP_NAMES   names of the steps, for petite_run_profiled()
#   CHECKSUMS    checksums of the constants, for petite_verify()
#   NO_STRIPES   every layer whole, also where stripes would save RAM for a little flash
# Memories are those of the board: Zephyr's come from the devicetree (docs/zephyr.md), a bare-metal
# build names its own in PETITE_BOARD or PETITE_MEMORIES.
function(petite_add_model target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "INT8_IO;KEEP_INPUTS;STEP_NAMES;CHECKSUMS;NO_STRIPES"
		"MODEL;NAME;ACTIVATIONS;ARENA"
		"WEIGHTS;BUDGETS;MEMORY_COSTS;APPLICATION_OPERATORS;DTYPES")
	if(arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "petite_add_model(${target}): not understood: "
			"'${arg_UNPARSED_ARGUMENTS}' (MODEL, NAME, ACTIVATIONS and ARENA take one value each)")
	endif()
	if(NOT arg_MODEL)
		message(FATAL_ERROR "petite_add_model(${target}): give the program with MODEL file.pte")
	endif()
	get_filename_component(model ${arg_MODEL} ABSOLUTE)
	if(NOT EXISTS ${model})
		message(FATAL_ERROR "petite_add_model(${target}): there is no file ${model}; "
			"export the model first, or correct the path")
	endif()
	if(NOT arg_NAME)
		get_filename_component(arg_NAME ${model} NAME_WE)
	endif()

	petite_environment_options(options "${arg_WEIGHTS}" "${arg_ACTIVATIONS}" "${arg_DTYPES}")
	list(APPEND options --name ${arg_NAME})
	if(arg_ARENA)
		list(APPEND options --arena ${arg_ARENA})
	endif()
	foreach(flag INT8_IO KEEP_INPUTS STEP_NAMES CHECKSUMS NO_STRIPES)
		if(arg_${flag})
			string(TOLOWER "--${flag}" option)
			string(REPLACE "_" "-" option ${option})
			list(APPEND options ${option})
		endif()
	endforeach()
	foreach(budget IN LISTS arg_BUDGETS)
		list(APPEND options --budget ${budget})
	endforeach()
	foreach(cost IN LISTS arg_MEMORY_COSTS)
		list(APPEND options --memory-cost ${cost})
	endforeach()
	foreach(pattern IN LISTS arg_APPLICATION_OPERATORS)
		list(APPEND options --application-operators ${pattern})
	endforeach()

	petite_add_generated(${target} ${arg_NAME} COMMAND compile ${model} ${options}
		DEPENDS ${model} ${PETITE_MEMORIES} COMMENT "Compiling ${arg_MODEL}")
	if(arg_ARENA)
		petite_share_arena(${target} ${arg_ARENA} ${arg_NAME} ${petite_rule}
			${petite_header} "${arg_ACTIVATIONS}")
	endif()
endfunction()
