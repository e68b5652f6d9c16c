# SPDX-License-Identifier: Apache-2.0

board_runner_args(jlink "--device=AE822FA0E5597LS0_M55_HP" "--speed=4000")
include(${ZEPHYR_BASE}/boards/common/jlink.board.cmake)

# The runner itself is in scripts/west_commands/runners; zephyr/module.yml names it.
board_finalize_runner_args(alif-setools)
