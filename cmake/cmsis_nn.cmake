# SPDX-License-Identifier: Apache-2.0
# CMSIS-NN for builds without Zephyr. Nothing is downloaded: PETITE_CMSIS_NN_DIR names the library's
# folder, or the project has the library's own target `cmsis-nn` already.
include_guard(GLOBAL)

option(PETITE_KERNELS_CMSIS_NN "Models call CMSIS-NN for the operators that it covers" OFF)
set(PETITE_CMSIS_NN_DIR "" CACHE PATH "Folder of CMSIS-NN (with Include and Source)")

# petite_link_cmsis_nn(<target>): with the option on, or with a folder, the kernels that call the
# library are compiled, and it is linked.
function(petite_link_cmsis_nn target)
	if(NOT PETITE_KERNELS_CMSIS_NN AND NOT PETITE_CMSIS_NN_DIR)
		return()
	endif()
	if(NOT TARGET cmsis-nn)
		if(NOT EXISTS ${PETITE_CMSIS_NN_DIR}/Include/arm_nnfunctions.h)
			message(FATAL_ERROR "PETITE_KERNELS_CMSIS_NN needs the library: "
				"'${PETITE_CMSIS_NN_DIR}' has no Include/arm_nnfunctions.h; name the folder "
				"of CMSIS-NN 7.0.0 or newer in PETITE_CMSIS_NN_DIR")
		endif()
		_petite_add_cmsis_nn(cmsis-nn)
	endif()
	target_link_libraries(${target} PUBLIC cmsis-nn)
	# Generated code asks for it.
	target_compile_definitions(${target} PUBLIC PETITE_KERNELS_CMSIS_NN=1)
endfunction()

# The library's own CMakeLists.txt wants a C++ compiler.
function(_petite_add_cmsis_nn name)
	file(GLOB sources CONFIGURE_DEPENDS ${PETITE_CMSIS_NN_DIR}/Source/*/*.c)
	# Of floating point it has extensions that need more.
	list(FILTER sources EXCLUDE REGEX "_(f16|f32|flt)\\.c$")
	add_library(${name} STATIC ${sources})
	target_include_directories(${name} SYSTEM PUBLIC ${PETITE_CMSIS_NN_DIR}/Include)
	# -w: its warnings are not ours to mend.
	target_compile_options(${name} PRIVATE -O3 -w -ffunction-sections -fdata-sections)
endfunction()
