# SPDX-License-Identifier: Apache-2.0
# What all suites share: golden_check(), and the models of tests/zephyr/models.
include_guard(GLOBAL)

set(PETITE_TEST_MODELS ${CMAKE_CURRENT_LIST_DIR}/../models)
target_sources(app PRIVATE ${CMAKE_CURRENT_LIST_DIR}/golden.c)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_LIST_DIR} ${PETITE_TEST_MODELS})

# petite_test_model(<model> [<option of petite_add_model>...]): a model under its own name, or
# another with NAME.
function(petite_test_model model)
	petite_add_model(app MODEL ${PETITE_TEST_MODELS}/${model}.pte ${ARGN})
endfunction()
