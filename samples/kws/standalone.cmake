# SPDX-License-Identifier: Apache-2.0
# The sample without Zephyr: firmware for an emulated core, or programs for the host.

set(CMAKE_C_STANDARD 11)
set(PETITE_LINKER_SCRIPT "" CACHE STRING
	"A file of runtime/platform/cortex_m/link; empty for the host")
add_subdirectory(../.. petite)

set(core host)
if(PETITE_CPU_FLAGS MATCHES "-mcpu=([^ +;]+)")
	set(core ${CMAKE_MATCH_1})
endif()

add_library(application OBJECT ${application})
target_include_directories(application PUBLIC src frontend)
target_compile_definitions(application PRIVATE KWS_CORE="${core}")
target_compile_options(application PUBLIC
	-g -Wall -Wextra -ffunction-sections -fdata-sections -Os)
petite_add_model(application MODEL model/kws.pte NAME kws INT8_IO)

add_executable(kws)
if(PETITE_LINKER_SCRIPT)
	target_sources(kws PRIVATE src/main_semihosting.c src/play_files.c src/files_semihosting.c)
	petite_bare_metal(kws ${PETITE_LINKER_SCRIPT})
else()
	target_sources(application PRIVATE ${PETITE_ROOT}/runtime/platform/host/platform_host.c)
	target_sources(kws PRIVATE src/main_host.c src/play_files.c src/files_host.c)
	# What a board does that gets its recordings over a serial line: standard input and error.
	add_executable(kws_stream src/main_stream.c src/serial_host.c src/stream.c)
	target_link_libraries(kws_stream PRIVATE application petite)
endif()
target_link_libraries(kws PRIVATE application petite)
