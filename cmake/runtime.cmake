# SPDX-License-Identifier: Apache-2.0
# Library `petite`: the executor and every kernel, each function in a section of its own, so that a
# firmware holds only the kernels that its models name.
include_guard(GLOBAL)

set(PETITE_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. CACHE INTERNAL "Petite's repository")
set(PETITE_KERNEL_OPTIMIZATION "-O2" CACHE STRING "Optimization of the kernels")
set(PETITE_OPTIMIZATION "-Os" CACHE STRING "Optimization of the rest of the runtime")

file(GLOB _executor CONFIGURE_DEPENDS ${PETITE_ROOT}/runtime/executor/*.c)
file(GLOB _kernels CONFIGURE_DEPENDS ${PETITE_ROOT}/runtime/kernels/*/*.c)
add_library(petite STATIC ${_executor} ${_kernels})
target_include_directories(petite PUBLIC ${PETITE_ROOT}/runtime/include ${PETITE_ROOT}/runtime)
target_compile_features(petite PUBLIC c_std_11)
# Without contraction, a core with fused multiply-add gives the bits of all others.
target_compile_options(petite PRIVATE
	-Wall -Wextra -ffunction-sections -fdata-sections -ffp-contract=off)
target_link_options(petite INTERFACE -Wl,--gc-sections)
set_source_files_properties(${_kernels} PROPERTIES COMPILE_OPTIONS "${PETITE_KERNEL_OPTIMIZATION}")
set_source_files_properties(${_executor} PROPERTIES COMPILE_OPTIONS "${PETITE_OPTIMIZATION}")
