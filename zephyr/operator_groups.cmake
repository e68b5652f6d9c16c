# SPDX-License-Identifier: Apache-2.0

# Groups of operators that Kconfig selects, by the names that `petite select` gives them: its options
# are called so, and there is no list of them here.
function(petite_operator_groups result)
	get_cmake_property(names VARIABLES)
	list(FILTER names INCLUDE REGEX "^CONFIG_PETITE_OPERATORS_")
	list(REMOVE_ITEM names CONFIG_PETITE_OPERATORS_ALL)
	set(groups)
	foreach(name IN LISTS names)
		string(COMPARE EQUAL "${${name}}" y is_on)
		if(is_on)
			string(REPLACE "CONFIG_PETITE_OPERATORS_" "" group ${name})
			string(TOLOWER ${group} group)
			list(APPEND groups ${group})
		endif()
	endforeach()
	set(${result} ${groups} PARENT_SCOPE)
endfunction()
