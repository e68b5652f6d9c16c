# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(CheckCSourceCompiles)

# petite_instruction_set(<result>): PETITE_INSTRUCTION_SET, or the best of mve, dsp and scalar that
# the compiler may use with CMAKE_C_FLAGS and the options of this directory. Options that only a
# target has are not seen; the generated code refuses to compile where too much was chosen.
function(petite_instruction_set result)
	if(PETITE_INSTRUCTION_SET)
		set(${result} ${PETITE_INSTRUCTION_SET} PARENT_SCOPE)
		return()
	endif()
	get_directory_property(options COMPILE_OPTIONS)
	list(FILTER options EXCLUDE REGEX "\\$<")
	list(JOIN options " " CMAKE_REQUIRED_FLAGS)
	set(CMAKE_REQUIRED_QUIET TRUE)
	set(found scalar)
	foreach(extension DSP MVE)
		# Flags may have changed since the last time.
		unset(PETITE_COMPILER_HAS_${extension} CACHE)
		check_c_source_compiles("
			#ifndef __ARM_FEATURE_${extension}
			#error none
			#endif
			int main(void) { return 0; }" PETITE_COMPILER_HAS_${extension})
		if(PETITE_COMPILER_HAS_${extension})
			string(TOLOWER ${extension} found)
		endif()
	endforeach()
	set(${result} ${found} PARENT_SCOPE)
endfunction()
