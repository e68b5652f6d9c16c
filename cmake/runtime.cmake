# SPDX-License-Identifier: Apache-2.0
# Library `petite` without Zephyr: the executor and every kernel, each function in a section of its
# own, so that a firmware holds only the kernels that its models name.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/instruction_set.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cmsis_nn.cmake)

set(PETITE_KERNEL_OPTIMIZATION "-O2" CACHE STRING "Optimization of the kernels")
set(PETITE_OPTIMIZATION "-Os" CACHE STRING "Optimization of the rest of the runtime")
set(PETITE_INSTRUCTION_SET "" CACHE STRING
	"What kernels may use: scalar, dsp or mve; empty for the best that the compiler's flags allow")
set(PETITE_BOARD "" CACHE STRING "A board of `petite compile --target`, for its memories")
set(PETITE_MEMORIES "" CACHE FILEPATH "Or a file that describes the memories of another board")

add_library(petite STATIC ${PETITE_CORE_SOURCES} ${PETITE_KERNEL_SOURCES})
target_include_directories(petite PUBLIC ${PETITE_INCLUDE_DIRECTORIES})
target_compile_features(petite PUBLIC c_std_11)
target_compile_options(petite PRIVATE
	-Wall -Wextra -ffunction-sections -fdata-sections ${PETITE_COMPILE_OPTIONS})
target_link_options(petite INTERFACE -Wl,--gc-sections)
# What a few operators of float32 call; of it, only that is linked.
target_link_libraries(petite PUBLIC m)
petite_link_cmsis_nn(petite)
set_source_files_properties(${PETITE_KERNEL_SOURCES} PROPERTIES
	COMPILE_OPTIONS "${PETITE_KERNEL_OPTIMIZATION}")
set_source_files_properties(${PETITE_CORE_SOURCES} ${PETITE_SMALL_KERNEL_SOURCES} PROPERTIES
	COMPILE_OPTIONS "${PETITE_OPTIMIZATION}")

# Options of `petite select` that a bare-metal or host build adds, and the Python that runs it.
function(petite_selection_options result)
	find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
	set(PETITE_PYTHON ${Python3_EXECUTABLE} PARENT_SCOPE)
	petite_instruction_set(instruction_set)
	set(${result} --instruction-set ${instruction_set} PARENT_SCOPE)
endfunction()

# The same for a table of operators.
function(petite_table_options result target name dtypes)
	petite_selection_options(options)
	set(PETITE_PYTHON ${PETITE_PYTHON} PARENT_SCOPE)
	petite_dtype_options(dtype_options "${dtypes}")
	set(${result} ${options} ${dtype_options} PARENT_SCOPE)
endfunction()

# The library has all kernels in any case.
function(petite_kernels_for_tables)
endfunction()

# The same for `petite compile` and every model.
function(petite_environment_options result weights activations dtypes)
	petite_selection_options(selection)
	set(PETITE_PYTHON ${PETITE_PYTHON} PARENT_SCOPE)
	set(memories)
	if(PETITE_MEMORIES)
		set(memories --memories ${PETITE_MEMORIES})
	elseif(PETITE_BOARD)
		set(memories --target ${PETITE_BOARD})
	endif()
	petite_placement_options(options "${memories}" "${weights}" "${activations}" "${dtypes}")
	list(APPEND options ${selection})
	if(PETITE_KERNELS_CMSIS_NN)
		list(APPEND options --kernels cmsis-nn)
	endif()
	set(${result} ${options} PARENT_SCOPE)
endfunction()
