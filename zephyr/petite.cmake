# SPDX-License-Identifier: Apache-2.0
# Petite as a Zephyr module: the library, its placement, and petite_add_model().
include_guard(GLOBAL)

set(PETITE_ZEPHYR ${CMAKE_CURRENT_LIST_DIR})
set(PETITE_ZEPHYR_OLDEST 4.3.0)

if(NOT CONFIG_PETITE)
	function(petite_is_off caller)
		message(FATAL_ERROR "${caller} needs CONFIG_PETITE=y, which is not set: add it to prj.conf, "
			"or see what turned it off")
	endfunction()
	function(petite_add_model target)
		petite_is_off("petite_add_model(${target})")
	endfunction()
	function(petite_add_operators target)
		petite_is_off("petite_add_operators(${target})")
	endfunction()
	return()
endif()

set(version ${KERNEL_VERSION_MAJOR}.${KERNEL_VERSION_MINOR}.${KERNEL_PATCHLEVEL})
if(version VERSION_LESS PETITE_ZEPHYR_OLDEST)
	message(FATAL_ERROR "Petite needs Zephyr ${PETITE_ZEPHYR_OLDEST} or newer, this is ${version}")
endif()

include(${PETITE_ZEPHYR}/../cmake/sources.cmake)
set(PETITE_PYTHON ${PYTHON_EXECUTABLE} CACHE INTERNAL "The Python that runs `petite compile`")

include(${PETITE_ZEPHYR}/requirements.cmake)
include(${PETITE_ZEPHYR}/contradictions.cmake)
include(${PETITE_ZEPHYR}/memories.cmake)
include(${PETITE_ZEPHYR}/library.cmake)
include(${PETITE_ZEPHYR}/placement.cmake)
include(${PETITE_ZEPHYR}/model_options.cmake)
include(${PETITE_ZEPHYR}/../cmake/model.cmake)
include(${PETITE_ZEPHYR}/../cmake/operators.cmake)
if(CONFIG_PETITE_OPERATORS)
	include(${PETITE_ZEPHYR}/operators.cmake)
endif()
