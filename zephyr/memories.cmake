# SPDX-License-Identifier: Apache-2.0
# Describes the board's memories, from Kconfig and devicetree, for `petite compile --memories`.
# The format is that of scripts/petite/targets/memory_map.py.
#
# FLASH and RAM are what Zephyr's linker script calls so. Each zephyr,memory-region that is not one
# of the two is a memory of its own; one that is becomes a further name for it, because things put
# into the region would land on top of what Zephyr has there. For the same reason a region that
# overlaps one of the two is reserved.

set(_entries)
set(_names)

# A JSON object for a memory; `aliases` is a list.
function(_petite_memory name base size kind default aliases)
	list(TRANSFORM aliases REPLACE "^(.+)$" "\"\\1\"")
	list(REMOVE_DUPLICATES aliases)
	list(JOIN aliases ", " aliases)
	math(EXPR base "${base}" OUTPUT_FORMAT HEXADECIMAL)
	math(EXPR size "${size}" OUTPUT_FORMAT HEXADECIMAL)
	string(CONCAT entry "    {\"name\": \"${name}\", \"base\": \"${base}\", \"size\": \"${size}\", "
		"\"kind\": \"${kind}\", \"aliases\": [${aliases}], \"default\": ${default}}")
	set(_entries "${_entries};${entry}" PARENT_SCOPE)
	set(_names "${_names};${name};${ARGV5}" PARENT_SCOPE)
endfunction()

# Whether a region shares bytes with what Zephyr's linker script fills.
function(_petite_overlaps result base size)
	math(EXPR end "${base} + ${size}")
	set(found FALSE)
	foreach(other RAM FLASH)
		if(_${other}_size)
			math(EXPR other_end "${_${other}_base} + ${_${other}_size}")
			if(base LESS other_end AND _${other}_base LESS end)
				set(found TRUE)
			endif()
		endif()
	endforeach()
	set(${result} ${found} PARENT_SCOPE)
endfunction()

# The path of a chosen node, empty where there is none.
function(_petite_chosen result property)
	dt_chosen(path PROPERTY ${property})
	if(path)
		dt_node_has_status(okay PATH ${path} STATUS okay)
		if(NOT okay)
			set(path)
		endif()
	endif()
	set(${result} "${path}" PARENT_SCOPE)
endfunction()

# Further names of the node at `path`: its role, its label, its region; none that is taken already.
function(_petite_aliases result path)
	set(aliases)
	foreach(role dtcm itcm)
		_petite_chosen(chosen zephyr,${role})
		dt_nodelabel(labelled NODELABEL ${role})
		if(path STREQUAL "${chosen}" OR path STREQUAL "${labelled}")
			string(TOUPPER ${role} alias)
			list(APPEND aliases ${alias})
		endif()
	endforeach()
	_petite_chosen(chosen petite,external-memory)
	if(path STREQUAL "${chosen}")
		list(APPEND aliases external)
	endif()
	dt_prop(region PATH ${path} PROPERTY "zephyr,memory-region")
	list(APPEND aliases ${region})
	list(REMOVE_DUPLICATES aliases)
	# Case does not matter in names.
	string(TOUPPER "${_names}" taken)
	set(free)
	foreach(alias IN LISTS aliases)
		string(TOUPPER "${alias}" upper)
		if(NOT upper IN_LIST taken)
			list(APPEND free ${alias})
			list(APPEND taken ${upper})
		endif()
	endforeach()
	set(${result} "${free}" PARENT_SCOPE)
endfunction()

_petite_chosen(_ram zephyr,sram)
_petite_chosen(_flash zephyr,flash)
if(CONFIG_SRAM_SIZE)
	math(EXPR _RAM_base "${CONFIG_SRAM_BASE_ADDRESS}")
	math(EXPR _RAM_size "${CONFIG_SRAM_SIZE} * 1024")
endif()
if(CONFIG_XIP AND CONFIG_FLASH_SIZE)
	math(EXPR _FLASH_base "${CONFIG_FLASH_BASE_ADDRESS} + ${CONFIG_FLASH_LOAD_OFFSET}")
	math(EXPR _FLASH_size "${CONFIG_FLASH_SIZE} * 1024 - ${CONFIG_FLASH_LOAD_OFFSET}")
	if(CONFIG_FLASH_LOAD_SIZE GREATER 0)
		set(_FLASH_size ${CONFIG_FLASH_LOAD_SIZE})
	endif()
else()
	# The image is loaded to RAM; what the devicetree calls flash is a memory like others.
	set(_flash)
endif()

# Regions first: their names are taken.
dt_comp_path(_paths COMPATIBLE "zephyr,memory-region")
set(_regions)
set(PETITE_HAS_ITCM FALSE)
foreach(path IN LISTS _paths)
	dt_node_has_status(okay PATH ${path} STATUS okay)
	if(okay AND NOT path STREQUAL "${_ram}" AND NOT path STREQUAL "${_flash}")
		dt_prop(name PATH ${path} PROPERTY "zephyr,memory-region")
		string(REGEX REPLACE "[^A-Za-z0-9_]" "_" name "${name}")
		list(APPEND _regions ${path})
		list(APPEND _names ${name})
	endif()
endforeach()
foreach(path IN LISTS _regions)
	dt_prop(name PATH ${path} PROPERTY "zephyr,memory-region")
	string(REGEX REPLACE "[^A-Za-z0-9_]" "_" name "${name}")
	dt_reg_addr(base PATH ${path})
	dt_reg_size(size PATH ${path})
	dt_prop(compatible PATH ${path} PROPERTY compatible)
	set(kind ram)
	# Option bytes, and the page that catches null pointers, are no memories to use.
	_petite_overlaps(overlaps ${base} ${size})
	if(size LESS 1024 OR name STREQUAL "NULL_PTR_DETECT" OR overlaps)
		set(kind reserved)
	elseif("soc-nv-flash" IN_LIST compatible)
		set(kind flash)
	endif()
	_petite_aliases(aliases ${path})
	_petite_memory(${name} ${base} ${size} ${kind} false "${aliases}")
	if(name STREQUAL "ITCM" AND kind STREQUAL "ram")
		set(PETITE_HAS_ITCM TRUE)
	endif()
endforeach()

if(_FLASH_size)
	set(_aliases)
	if(_flash)
		_petite_aliases(_aliases ${_flash})
	endif()
	_petite_memory(FLASH ${_FLASH_base} ${_FLASH_size} flash true "${_aliases}")
endif()
if(CONFIG_ROMSTART_RELOCATION_ROM)
	# The vector table, where the code lies elsewhere.
	math(EXPR _size "${CONFIG_ROMSTART_REGION_SIZE} * 1024")
	_petite_memory(ROMSTART_REGION ${CONFIG_ROMSTART_REGION_ADDRESS} ${_size} reserved false "")
endif()
if(_RAM_size)
	set(_aliases)
	if(_ram)
		_petite_aliases(_aliases ${_ram})
	endif()
	string(TOUPPER "${_names}" _taken)
	if(NOT "SRAM" IN_LIST _taken)
		list(APPEND _aliases SRAM)
	endif()
	_petite_memory(RAM ${_RAM_base} ${_RAM_size} ram true "${_aliases}")
endif()

# Where the devicetree says nothing (native_sim), there is nothing to choose from.
set(PETITE_MEMORIES)
if(CONFIG_ARM AND _entries)
	set(PETITE_MEMORIES ${CMAKE_BINARY_DIR}/petite/memories.json)
	foreach(core M0 M0PLUS M3 M4 M7 M23 M33 M52 M55 M85)
		if(CONFIG_CPU_CORTEX_${core})
			string(TOLOWER "cortex-${core}" _core)
		endif()
	endforeach()
	list(REMOVE_ITEM _entries "")
	list(JOIN _entries ",\n" _entries)
	file(CONFIGURE OUTPUT ${PETITE_MEMORIES} @ONLY CONTENT
"{
  \"board\": \"${CONFIG_BOARD_TARGET}\",
  \"core\": \"${_core}\",
  \"memories\": [
${_entries}
  ]
}
")
endif()
set(PETITE_MEMORIES "${PETITE_MEMORIES}" CACHE INTERNAL "Description of the board's memories")
