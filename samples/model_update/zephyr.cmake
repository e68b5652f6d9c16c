# SPDX-License-Identifier: Apache-2.0
# The sample as a Zephyr application.

target_sources(app PRIVATE ${application} src/console_zephyr.c src/flash_zephyr.c)
target_include_directories(app PRIVATE src)
target_compile_definitions(app PRIVATE
	UPDATE_STRUCTURES_BYTES=${CONFIG_MODEL_UPDATE_STRUCTURES}
	UPDATE_ARENA_BYTES=${CONFIG_MODEL_UPDATE_ARENA}
	UPDATE_TIMEOUT_MS=${CONFIG_MODEL_UPDATE_TIMEOUT_MS})
# The image must end before the partition, where both lie in one flash.
zephyr_linker_sources(SECTIONS link/zephyr_partition.ld)
