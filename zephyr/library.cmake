# SPDX-License-Identifier: Apache-2.0
# The runtime as a Zephyr library.

# Element types that a configuration leaves out: their kernels are not even compiled.
set(_left_out)
set(_selected)
foreach(dtype int8 int16 int32 int64 uint8 float32 bool)
	string(TOUPPER ${dtype} _option)
	if(CONFIG_PETITE_DTYPE_${_option})
		list(APPEND _selected ${dtype})
	else()
		list(APPEND _left_out ${dtype})
	endif()
endforeach()
if(NOT _selected)
	message(FATAL_ERROR "All of CONFIG_PETITE_DTYPE_* are off: no model could run; turn on those "
		"that the models compute with, CONFIG_PETITE_DTYPE_INT8 first")
endif()
if(_left_out)
	set(PETITE_SELECTED_DTYPES "${_selected}" CACHE INTERNAL "Element types of the kernels")
else()
	set(PETITE_SELECTED_DTYPES "" CACHE INTERNAL "Element types of the kernels: all")
endif()
petite_kernels_without(_kernels ${_left_out})
set(_all_kernels ${PETITE_KERNEL_SOURCES})

# Zephyr's minimal libc has no libm. A model that calls one of these kernels then does not link: such
# models need CONFIG_PICOLIBC or CONFIG_NEWLIB_LIBC. Tables of operators leave them out.
if(CONFIG_MINIMAL_LIBC)
	list(FILTER _kernels EXCLUDE REGEX "_libm_|/(distance|grid_sample|log_softmax)_f32_")
	list(FILTER _all_kernels EXCLUDE REGEX "_libm_|/(distance|grid_sample|log_softmax)_f32_")
endif()

# An operator of loaded programs may need kernels of more types than those of its tensors: indices
# become int32, say. So where there is a table of operators, all are compiled, and the linker takes
# what the table needs.
set(_other_kernels ${_all_kernels})
list(REMOVE_ITEM _other_kernels ${_kernels})
set(PETITE_OTHER_KERNELS "${_other_kernels}" CACHE INTERNAL "Kernels for tables of operators alone")
function(petite_kernels_for_tables)
	get_target_property(sources petite SOURCES)
	foreach(kernel IN LISTS PETITE_OTHER_KERNELS)
		if(NOT kernel IN_LIST sources)
			target_sources(petite PRIVATE ${kernel})
		endif()
	endforeach()
endfunction()

zephyr_library_named(petite)
zephyr_library_sources(${PETITE_CORE_SOURCES} ${_kernels} ${PETITE_ZEPHYR}/platform_zephyr.c)
zephyr_library_compile_options(-std=gnu11 ${PETITE_COMPILE_OPTIONS})
zephyr_include_directories(${PETITE_INCLUDE_DIRECTORIES})
# Headers that the application includes ask for this one; the log is the library's own.
zephyr_compile_definitions(PETITE_REGISTRY_SIZE=${CONFIG_PETITE_KERNEL_REGISTRY_SIZE})
# Generated code asks for this one. The library is a module of its own, which has its headers.
zephyr_compile_definitions_ifdef(CONFIG_PETITE_KERNELS_CMSIS_NN PETITE_KERNELS_CMSIS_NN=1)
zephyr_library_compile_definitions_ifdef(CONFIG_PETITE_LOG PETITE_LOG=1)
if(NOT CONFIG_PETITE_VERIFY)
	zephyr_library_compile_definitions(PETITE_VERIFY=0)
endif()
zephyr_library_compile_definitions(PETITE_LOAD_VALUES=${CONFIG_PETITE_LOAD_VALUES})

if(CONFIG_PETITE_KERNELS_FOR_SIZE)
	set(_optimization -Os)
elseif(CONFIG_PETITE_KERNELS_FOR_SPEED_O3)
	set(_optimization -O3)
else()
	set(_optimization -O2)
endif()
set_source_files_properties(${_all_kernels} PROPERTIES COMPILE_OPTIONS "${_optimization}")
set_source_files_properties(${PETITE_SMALL_KERNEL_SOURCES} PROPERTIES COMPILE_OPTIONS -Os)

# The core's other code may use what these kernels may not.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND GCC_M_CPU MATCHES "^(cortex-m(33|52|55|85))")
	if(CONFIG_PETITE_SCALAR)
		zephyr_library_compile_options(-mcpu=${CMAKE_MATCH_1}+nodsp)
	elseif(CONFIG_PETITE_DSP AND NOT CMAKE_MATCH_2 EQUAL 33)
		zephyr_library_compile_options(-mcpu=${CMAKE_MATCH_1}+nomve)
	endif()
endif()
