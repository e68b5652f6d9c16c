# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# petite_bare_metal(<target> <script.ld>)
#
# Makes <target> a bare-metal Cortex-M firmware: startup code, semihosting, and a linker script of
# runtime/platform/cortex_m/link. Of libc only what needs no operating system links.
function(petite_bare_metal target script)
	set(port ${PETITE_ROOT}/runtime/platform/cortex_m)
	file(GLOB sources CONFIGURE_DEPENDS ${port}/*.c)
	target_sources(${target} PRIVATE ${sources})
	target_include_directories(${target} PRIVATE ${PETITE_ROOT}/runtime)
	target_link_options(${target} PRIVATE -nostdlib -L${port}/link -T${script})
	target_link_libraries(${target} PRIVATE m c gcc)
	set_property(TARGET ${target} APPEND PROPERTY
		LINK_DEPENDS ${port}/link/sections.ld ${port}/link/ram.ld ${port}/link/${script})
endfunction()
