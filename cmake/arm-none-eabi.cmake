# SPDX-License-Identifier: Apache-2.0
# Toolchain file: GCC for bare-metal Cortex-M. -DPETITE_CPU_FLAGS="-mcpu=... -mthumb ..." chooses
# the core.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
if(NOT CMAKE_C_COMPILER)
	set(CMAKE_C_COMPILER arm-none-eabi-gcc)
endif()
set(PETITE_CPU_FLAGS "" CACHE STRING "Flags that choose the core")
set(CMAKE_C_FLAGS_INIT "${PETITE_CPU_FLAGS} -ffunction-sections -fdata-sections")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PETITE_CPU_FLAGS)
