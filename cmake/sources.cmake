# SPDX-License-Identifier: Apache-2.0
# What the runtime consists of, for every kind of build.
include_guard(GLOBAL)

get_filename_component(_root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(PETITE_ROOT ${_root} CACHE INTERNAL "Petite's repository")

set(_runtime ${PETITE_ROOT}/runtime)
file(GLOB PETITE_CORE_SOURCES CONFIGURE_DEPENDS
	${_runtime}/executor/*.c ${_runtime}/registry/*.c ${_runtime}/verify/*.c
	${_runtime}/loader/*.c ${_runtime}/operators/*/*.c)
file(GLOB PETITE_KERNEL_SOURCES CONFIGURE_DEPENDS ${_runtime}/kernels/*/*.c)
# Helium kernels whose loops are assembly: what is left for the compiler runs seldom.
set(PETITE_SMALL_KERNEL_SOURCES ${PETITE_KERNEL_SOURCES})
list(FILTER PETITE_SMALL_KERNEL_SOURCES INCLUDE REGEX
	"/(pointwise_conv2d|depthwise_conv2d|avg_pool)_s8_mve\\.c$")
set(PETITE_INCLUDE_DIRECTORIES ${_runtime}/include ${_runtime})
# Without contraction, a core with fused multiply-add gives the bits of all others.
set(PETITE_COMPILE_OPTIONS -ffp-contract=off)

# petite_kernels_without(<result> <dtype>...): the kernels, but for those that compute with one of
# the element types (torch's names). A kernel's file carries the types in its name.
function(petite_kernels_without result)
	set(kernels ${PETITE_KERNEL_SOURCES})
	foreach(dtype IN LISTS ARGN)
		string(REGEX REPLACE "^int" "s" suffix ${dtype})
		string(REGEX REPLACE "^uint" "u" suffix ${suffix})
		string(REGEX REPLACE "^float" "f" suffix ${suffix})
		list(FILTER kernels EXCLUDE REGEX "_${suffix}_")
	endforeach()
	set(${result} ${kernels} PARENT_SCOPE)
endfunction()
