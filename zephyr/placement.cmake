# SPDX-License-Identifier: Apache-2.0
# Output sections for what models put into chosen memories, and the copy at boot.

zephyr_linker_sources(ROM_SECTIONS ${PETITE_ZEPHYR}/linker/constants.ld)
zephyr_linker_sources(RAM_SECTIONS ${PETITE_ZEPHYR}/linker/arena.ld)
zephyr_linker_sources(DATA_SECTIONS ${PETITE_ZEPHYR}/linker/constants_in_ram.ld)
if(PETITE_MEMORIES)
	zephyr_linker_sources(SECTIONS ${PETITE_ZEPHYR}/linker/regions.ld)
	zephyr_library_sources(${PETITE_ZEPHYR}/copy_constants.c)
endif()

if(CONFIG_PETITE_KERNELS_IN_ITCM)
	if(NOT PETITE_HAS_ITCM)
		message(FATAL_ERROR "CONFIG_PETITE_KERNELS_IN_ITCM: board ${CONFIG_BOARD_TARGET} has no "
			"memory region ITCM in its devicetree that is free (not its flash or RAM); set it to "
			"n, add the region, or try the snippet 'petite'")
	endif()
	zephyr_code_relocate(FILES ${_kernels} LOCATION ITCM_TEXT NOKEEP)
endif()
