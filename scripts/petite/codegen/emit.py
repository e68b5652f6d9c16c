# SPDX-License-Identifier: Apache-2.0
"""Writes the generated files."""

from __future__ import annotations

import errno
import functools
import os
import tempfile
from pathlib import Path

import jinja2

from petite.codegen.view import ModelView
from petite.errors import PetiteError

_TEMPLATES = Path(__file__).parent / "templates"


def render(view: ModelView) -> dict[str, str]:
    """Contents of NAME.c and NAME.h, by file name. The same view gives the same bytes."""
    templates = _environment()
    return {
        f"{view.name}.{kind}": templates.get_template(f"model.{kind}.j2").render(m=view)
        for kind in ("h", "c")
    }


@functools.cache
def _environment() -> jinja2.Environment:
    """One for the process: parsing the templates takes longer than most models do."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def write_files(directory: Path, files: dict[str, str]) -> None:
    """Write all files or none; each appears whole or not at all, and only if it changed."""
    staged: list[Path] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        finals = [directory / name for name in files]
        for final, text in zip(finals, files.values(), strict=True):
            if final.is_dir():
                raise IsADirectoryError(errno.EISDIR, f"{final.name} is a directory")
            _stage(directory, text, staged)
        for temporary, final in zip(staged, finals, strict=True):
            if not final.exists() or final.read_bytes() != temporary.read_bytes():
                os.replace(temporary, final)
    except OSError as error:
        raise PetiteError(
            f"{directory}: cannot write the generated files ({error.strerror}); "
            "choose another --output"
        ) from None
    finally:
        # Also after an interruption: nothing half-written stays behind.
        for temporary in staged:
            temporary.unlink(missing_ok=True)


def _stage(directory: Path, text: str, staged: list[Path]) -> None:
    """Write a temporary file beside its final place, and note it before it holds anything."""
    handle, name = tempfile.mkstemp(dir=directory, prefix=".petite-")
    staged.append(Path(name))
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(name, 0o644)
