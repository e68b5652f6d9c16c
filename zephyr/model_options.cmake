# SPDX-License-Identifier: Apache-2.0
# Options of `petite select` that Kconfig adds.
function(petite_selection_options result)
	if(CONFIG_PETITE_HELIUM)
		set(${result} --instruction-set mve PARENT_SCOPE)
	elseif(CONFIG_PETITE_DSP)
		set(${result} --instruction-set dsp PARENT_SCOPE)
	else()
		set(${result} --instruction-set scalar PARENT_SCOPE)
	endif()
endfunction()

# Element types for one model or table: those that are asked for, or those of Kconfig, empty for all.
function(petite_selected_dtypes result caller dtypes)
	foreach(dtype IN LISTS dtypes)
		if(PETITE_SELECTED_DTYPES AND NOT dtype IN_LIST PETITE_SELECTED_DTYPES)
			message(FATAL_ERROR "DTYPES of ${caller}() has ${dtype}, whose kernels this "
				"configuration leaves out: it selects ${PETITE_SELECTED_DTYPES} "
				"(CONFIG_PETITE_DTYPE_*)")
		endif()
	endforeach()
	if(NOT dtypes)
		set(dtypes ${PETITE_SELECTED_DTYPES})
	endif()
	set(${result} ${dtypes} PARENT_SCOPE)
endfunction()

# Options of `petite select` for a table of operators; library `petite_operators` has that of Kconfig.
function(petite_table_options result target name dtypes)
	if(CONFIG_PETITE_OPERATORS AND name STREQUAL "petite_operators"
	   AND NOT target STREQUAL "petite_operators")
		message(FATAL_ERROR "CONFIG_PETITE_OPERATORS=y makes the table ${name} of this image "
			"already: choose its operators there, or give the table of petite_add_operators() a "
			"NAME of its own")
	endif()
	petite_selected_dtypes(dtypes petite_add_operators "${dtypes}")
	petite_selection_options(options)
	petite_dtype_options(dtype_options "${dtypes}")
	list(APPEND options ${dtype_options})
	if(CONFIG_MINIMAL_LIBC)
		list(APPEND options --without-libm)
	endif()
	set(${result} ${options} PARENT_SCOPE)
endfunction()

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
	petite_selected_dtypes(dtypes petite_add_model "${dtypes}")
	petite_placement_options(options "${memories}" "${weights}" "${activations}"
		"${dtypes}")
	foreach(rule IN LISTS rules)
		list(APPEND options --default-weights ${rule})
	endforeach()
	petite_selection_options(selection)
	list(APPEND options ${selection})
	if(CONFIG_PETITE_KERNELS_CMSIS_NN)
		list(APPEND options --kernels cmsis-nn)
	endif()
	if(CONFIG_PETITE_PROFILING)
		list(APPEND options --step-names)
	endif()
	if(CONFIG_PETITE_CHECKSUMS)
		list(APPEND options --checksums)
	endif()
	set(${result} ${options} PARENT_SCOPE)
endfunction()
