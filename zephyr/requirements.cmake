# SPDX-License-Identifier: Apache-2.0
# What `petite compile` imports has to be there before a build starts, not in the middle of it.
execute_process(
	COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PETITE_ROOT}/scripts
		${PETITE_PYTHON} -m petite --version
	RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE reason)
if(NOT result EQUAL 0)
	string(STRIP "${reason}" reason)
	string(REGEX REPLACE "^.*\n" "" reason "${reason}")
	message(FATAL_ERROR "Petite's compiler does not start with ${PETITE_PYTHON} (${reason}): run "
		"'west packages pip --install', or 'pip install -r ${PETITE_ROOT}/scripts/requirements.txt'")
endif()
