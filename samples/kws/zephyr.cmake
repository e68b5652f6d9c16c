# SPDX-License-Identifier: Apache-2.0
# The sample as a Zephyr application.

target_sources(app PRIVATE ${application})
target_include_directories(app PRIVATE src frontend)
set(core host)
if("${GCC_M_CPU}" MATCHES "^([^+]+)")
	set(core ${CMAKE_MATCH_1})
endif()
target_compile_definitions(app PRIVATE KWS_CORE="${core}")
petite_add_model(app MODEL model/kws.pte NAME kws INT8_IO)

if(CONFIG_KWS_AUDIO_STREAM)
	target_sources(app PRIVATE src/main_stream.c src/stream.c src/serial_zephyr.c)
else()
	separate_arguments(clips NATIVE_COMMAND "${CONFIG_KWS_CLIPS}")
	set(recordings)
	foreach(clip IN LISTS clips)
		get_filename_component(recording ${clip} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/clips)
		if(NOT EXISTS ${recording})
			message(FATAL_ERROR "CONFIG_KWS_CLIPS: there is no file ${recording}")
		endif()
		list(APPEND recordings ${recording})
	endforeach()
	if(NOT recordings)
		message(FATAL_ERROR "CONFIG_KWS_CLIPS names no recording; name one, or choose "
			"CONFIG_KWS_AUDIO_STREAM=y")
	endif()
	set(script ${CMAKE_CURRENT_SOURCE_DIR}/make_clips.py)
	add_custom_command(
		OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/clips.c
		COMMAND ${PYTHON_EXECUTABLE} ${script} --output ${CMAKE_CURRENT_BINARY_DIR}/clips.c
			${recordings}
		DEPENDS ${script} ${recordings}
		COMMENT "Recordings to clips.c"
		VERBATIM)
	target_sources(app PRIVATE
		src/main_clips.c src/memory_source.c ${CMAKE_CURRENT_BINARY_DIR}/clips.c)
endif()
