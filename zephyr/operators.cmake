# SPDX-License-Identifier: Apache-2.0
# The table `petite_operators` of CONFIG_PETITE_OPERATORS, in a library of its own, and its header for
# all of the image.

set(_selection)
if(CONFIG_PETITE_OPERATORS_ALL)
	set(_selection ALL)
else()
	petite_operator_groups(_groups)
	set(_selection GROUPS ${_groups})
endif()
if(CONFIG_PETITE_APPLICATION_OPERATORS)
	list(APPEND _selection APPLICATION)
endif()

zephyr_library_named(petite_operators)
petite_add_operators(petite_operators NAME petite_operators ${_selection})

# Whatever includes the header is compiled after it was written.
get_filename_component(_directory ${petite_header} DIRECTORY)
zephyr_include_directories(${_directory})
add_dependencies(zephyr_interface ${petite_rule})
