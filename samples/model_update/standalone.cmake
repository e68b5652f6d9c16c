# SPDX-License-Identifier: Apache-2.0
# The sample without Zephyr: firmware for an emulated core, or a program for the host.

set(CMAKE_C_STANDARD 11)
set(PETITE_LINKER_SCRIPT "" CACHE STRING
	"qemu_m55.ld or qemu_m4.ld, of runtime/platform/cortex_m/link; empty for the host")
set(MODEL_UPDATE_STRUCTURES 8192 CACHE STRING "Bytes for the structures of a model")
set(MODEL_UPDATE_ARENA 65536 CACHE STRING "Bytes for the values of a model")
set(MODEL_UPDATE_TIMEOUT_MS 2000 CACHE STRING "How long to wait for a byte")
add_subdirectory(../.. petite)

add_executable(model_update ${application})
target_include_directories(model_update PRIVATE src)
target_compile_definitions(model_update PRIVATE
	UPDATE_STRUCTURES_BYTES=${MODEL_UPDATE_STRUCTURES}
	UPDATE_ARENA_BYTES=${MODEL_UPDATE_ARENA}
	UPDATE_TIMEOUT_MS=${MODEL_UPDATE_TIMEOUT_MS})
target_compile_options(model_update PRIVATE
	-g -Wall -Wextra -ffunction-sections -fdata-sections -Os)
# What models may call that are sent later: layers of int8, and copies and shapes, which stand between
# them. What is not named here is not linked, and a program that needs it is refused.
petite_add_operators(model_update GROUPS int8 shapes DTYPES int8 float32)

if(NOT PETITE_LINKER_SCRIPT)
	target_sources(model_update PRIVATE src/console_host.c src/flash_host.c
		${PETITE_ROOT}/runtime/platform/host/platform_host.c)
	return()
endif()

# Of the board: its first UART, that one's interrupt for what is received, and the core's clock.
if(PETITE_LINKER_SCRIPT STREQUAL "qemu_m55.ld")
	target_compile_definitions(model_update PRIVATE
		UPDATE_UART_BASE=0x59303000 UPDATE_UART_INTERRUPT=33 UPDATE_CLOCK_HZ=32000000)
elseif(PETITE_LINKER_SCRIPT STREQUAL "qemu_m4.ld")
	target_compile_definitions(model_update PRIVATE
		UPDATE_UART_BASE=0x40004000 UPDATE_UART_INTERRUPT=0 UPDATE_CLOCK_HZ=25000000)
else()
	message(FATAL_ERROR "PETITE_LINKER_SCRIPT=${PETITE_LINKER_SCRIPT}: the sample knows the boards "
		"of qemu_m55.ld and qemu_m4.ld; add the UART and the partition of yours")
endif()
target_sources(model_update PRIVATE src/console_cmsdk.c src/flash_memory.c)
petite_bare_metal(model_update ${PETITE_LINKER_SCRIPT})
set(partition ${CMAKE_CURRENT_SOURCE_DIR}/link/${PETITE_LINKER_SCRIPT})
target_link_options(model_update PRIVATE ${partition})
set_property(TARGET model_update APPEND PROPERTY LINK_DEPENDS ${partition})
