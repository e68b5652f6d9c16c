# SPDX-License-Identifier: Apache-2.0
# Options of `petite compile` that Kconfig and devicetree add to every model. What
# petite_add_model() says of a model comes after what Kconfig says of all, and so wins.
function(petite_environment_options result weights activations dtypes)
	set(memories)
	if(PETITE_MEMORIES)
		set(memories --memories ${PETITE_MEMORIES})
	endif()
	separate_arguments(rules NATIVE_COMMAND "${CONFIG_PETITE_WEIGHTS}")
	if(NOT activations)
		set(activations ${CONFIG_PETITE_ACTIVATIONS})
	endif()
	if(NOT PETITE_MEMORIES AND (rules OR weights OR activations))
		message(FATAL_ERROR "Petite knows no memories of board ${CONFIG_BOARD_TARGET} to "
			"choose from (it reads them for Arm boards): leave WEIGHTS, ACTIVATIONS, CONFIG_PETITE_WEIGHTS and "
			"CONFIG_PETITE_ACTIVATIONS out for it")
	endif()
	foreach(dtype IN LISTS dtypes)
		if(PETITE_SELECTED_DTYPES AND NOT dtype IN_LIST PETITE_SELECTED_DTYPES)
			message(FATAL_ERROR "DTYPES of petite_add_model() has ${dtype}, whose kernels this "
				"configuration leaves out: it selects ${PETITE_SELECTED_DTYPES} "
				"(CONFIG_PETITE_DTYPE_*)")
		endif()
	endforeach()
	if(NOT dtypes)
		set(dtypes ${PETITE_SELECTED_DTYPES})
	endif()
	petite_placement_options(options "${memories}" "${weights}" "${activations}"
		"${dtypes}")
	foreach(rule IN LISTS rules)
		list(APPEND options --default-weights ${rule})
	endforeach()
	if(CONFIG_PETITE_PROFILING)
		list(APPEND options --step-names)
	endif()
	if(CONFIG_PETITE_VERIFY)
		list(APPEND options --verify)
	endif()
	set(${result} ${options} PARENT_SCOPE)
endfunction()
