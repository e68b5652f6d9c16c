# SPDX-License-Identifier: Apache-2.0
"""`west flash -r alif-setools`: flashes through the serial port of Alif's secure enclave.

SETOOLS come from Alif and are not part of this module. zephyr/module.yml tells west of this file.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from runners.core import RunnerCaps, RunnerConfig, ZephyrBinaryRunner

# West loads this file by its path, so what lies beside it is not found otherwise.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from setools_image import Setools, SetoolsError, read_image


class AlifSetoolsRunner(ZephyrBinaryRunner):
    """Runs app-gen-toc and app-write-mram on the image of the build."""

    def __init__(
        self,
        cfg: RunnerConfig,
        setools: Path | None,
        image_name: str,
        device_config: str | None,
        tool_opt: list[str],
    ) -> None:
        super().__init__(cfg)
        self._setools = setools
        self._image_name = image_name
        self._device_config = device_config
        self._tool_opt = tool_opt

    @classmethod
    def name(cls) -> str:
        """Its name for `west flash -r`."""
        return "alif-setools"

    @classmethod
    def capabilities(cls) -> RunnerCaps:
        """It flashes, and passes options on."""
        return RunnerCaps(commands={"flash"}, tool_opt=True)

    @classmethod
    def tool_opt_help(cls) -> str:
        """Help for -O."""
        return "further option for app-write-mram; may be given several times"

    @classmethod
    def do_add_parser(cls, parser: argparse.ArgumentParser) -> None:
        """Options of its own."""
        parser.add_argument(
            "--setools",
            metavar="DIR",
            type=Path,
            help="folder with app-gen-toc and app-write-mram (default: $ALIF_SETOOLS)",
        )
        parser.add_argument(
            "--image-name",
            metavar="NAME",
            default="petite",
            help="name of the files written to SETOOLS' build folders (default: petite)",
        )
        parser.add_argument(
            "--device-config",
            metavar="FILE",
            help="file in SETOOLS' build/config with the device's clocks and firewalls "
            "(default: the device keeps its own)",
        )

    @classmethod
    def do_create(cls, cfg: RunnerConfig, args: argparse.Namespace) -> AlifSetoolsRunner:
        """A runner for parsed arguments."""
        folder = args.setools
        if folder is None and os.environ.get("ALIF_SETOOLS"):
            folder = Path(os.environ["ALIF_SETOOLS"])
        return cls(cfg, folder, args.image_name, args.device_config, args.tool_opt)

    def do_run(self, command: str, **kwargs: Any) -> None:
        """Flashes. Raises SetoolsError, or what a failing program gives."""
        self.ensure_output("elf")
        self.ensure_output("bin")
        elf, binary = self.cfg.elf_file, self.cfg.bin_file
        assert elf and binary
        setools = Setools(self._setools)
        image = read_image(Path(elf), Path(binary))
        config = setools.add(self._image_name, image, self._device_config)
        self.logger.info(f"{image.size} bytes, mramAddress {image.address:#010x}")

        before = setools.package_stamp()
        self.check_call([str(setools.app_gen_toc), "-f", config], cwd=setools.folder)
        # Without a new package the old one, of another image, would be written.
        if setools.package_stamp() in (None, before):
            raise SetoolsError(f"app-gen-toc wrote no {setools.package}: see what it says above")
        self.check_call([str(setools.app_write_mram), "-p", *self._tool_opt], cwd=setools.folder)
