# SPDX-License-Identifier: Apache-2.0
# Options that Kconfig lets a user combine and that cannot work together.

if(CONFIG_PETITE_HELIUM AND NOT CONFIG_FPU)
	message(FATAL_ERROR "CONFIG_PETITE_HELIUM needs CONFIG_FPU=y: without it the compiler has no "
		"Helium and the core traps its instructions. Set CONFIG_FPU=y, or choose "
		"CONFIG_PETITE_DSP or CONFIG_PETITE_SCALAR")
endif()
if(CONFIG_PETITE_KERNELS_IN_ITCM AND NOT CONFIG_XIP)
	message(FATAL_ERROR "CONFIG_PETITE_KERNELS_IN_ITCM needs CONFIG_XIP=y: an image that is loaded "
		"to RAM has no stored copy to take the kernels from")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/operator_groups.cmake)
petite_operator_groups(_groups)
if(CONFIG_PETITE_OPERATORS AND NOT CONFIG_PETITE_OPERATORS_ALL AND NOT _groups)
	message(FATAL_ERROR "CONFIG_PETITE_OPERATORS=y with no group of operators: no program could be "
		"loaded. Turn on those that programs call, CONFIG_PETITE_OPERATORS_INT8 first, or set "
		"CONFIG_PETITE_OPERATORS=n and name them in petite_add_operators()")
endif()
