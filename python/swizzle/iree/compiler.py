# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IREE's own programs: what they are told, and what they leave in a folder."""
from __future__ import annotations

import importlib.util
import os
import pathlib
import re
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Sequence

__all__ = ["Executable", "IreeError", "check_output", "dump", "find_iree", "link", "run_iree",
           "target_flags"]

#: What a dumped executable is called: the module's name, the executable's, the variant's.
IR = ".optimized.ll"


class IreeError(RuntimeError):
    """A step did not work; the message says which, and why."""


@dataclass(frozen=True)
class Executable:
    """One that IREE compiled: the symbol by which it is substituted, its LLVM IR and its
    configured source in the folder of the dump."""
    name: str
    llir: pathlib.Path
    configured: pathlib.Path


def find_iree(program: str = "iree-compile") -> pathlib.Path:
    """A program of the installed package iree-base-compiler."""
    found = importlib.util.find_spec("iree") and importlib.util.find_spec("iree.compiler")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = pathlib.Path(folder, "_mlir_libs", program)
        if os.access(path, os.X_OK):
            return path
    raise IreeError(f"{program} is not there: pip install iree-base-compiler==3.10.0")


def run_iree(arguments: Sequence[str | os.PathLike[str]], step: str,
             program: str = "iree-compile") -> str:
    """Runs it to its end and returns what it printed."""
    # What it says of a binary file repeats bytes of it.
    done = subprocess.run([find_iree(program), *arguments], capture_output=True, text=True,
                          errors="replace")
    if done.returncode:
        problem = re.search(r".*error:.*", done.stderr)
        raise IreeError(f"{step}: {program} ended with status {done.returncode}: "
                        + (problem[0] if problem else done.stderr.strip()[:2000]))
    return done.stdout


def check_output(source: str | os.PathLike[str], options: str,
                 output: str | os.PathLike[str]) -> None:
    """Raises IreeError if the module would replace what it is compiled from, or a file that
    `options` of swizzle-llvm name, by whatever name."""
    named = [one.partition("=")[2] for one in options.split(";")]
    for role, path in [("the input", source), *(("a file of the options", one) for one in named)]:
        if path and os.path.exists(path) and os.path.exists(output) and \
                os.path.samefile(path, output):
            raise IreeError(f"{role} and the output are one file ('{path}' and '{output}'); "
                            "name another one for the output")


@lru_cache
def knows(option: str) -> bool:
    return option in run_iree(["--help"], "asking for options")


def target_flags(target: str) -> list[str]:
    """How iree-compile is told to compile for "gfx942" or "sm_80"."""
    if target.startswith("sm_"):
        return ["--iree-hal-target-device=cuda", f"--iree-cuda-target={target}"]
    # Its name until 3.10, and since.
    name = "rocm" if knows("--iree-rocm-target=") else "hip"
    return ["--iree-hal-target-device=hip", f"--iree-{name}-target={target}"]


def dump(source: str | os.PathLike[str], flags: Sequence[str],
         folder: pathlib.Path) -> list[Executable]:
    """Compiles `source` and finds the LLVM IR of its executables, each by itself: linked
    ones have lost the names by which they are substituted."""
    run_iree([source, *flags, "--iree-hal-link-executables=false",
              f"--iree-hal-dump-executable-files-to={folder}", "-o", os.devnull],
             "compiling as it is")
    executables = []
    for configured in sorted(folder.glob("configured_*.mlir")):
        stem = configured.stem.removeprefix("configured_")
        symbol = re.search(r'hal\.executable (?:public |private )?@("?)([\w.$-]+)\1',
                           configured.read_text())
        written = sorted(folder.glob(f"{stem}_*{IR}"))
        if symbol and len(written) == 1:
            executables.append(Executable(symbol[2], written[0], configured))
    if not executables:
        raise IreeError(f"compiling as it is: IREE wrote no {IR} of an executable; is the "
                        "model for another target than a GPU's?")
    return executables


def link(source: str | os.PathLike[str], flags: Sequence[str], objects: Sequence[pathlib.Path],
         folder: pathlib.Path, output: str | os.PathLike[str]) -> None:
    """Compiles `source` with objects in place of its executables of the same names."""
    arguments = [f"--iree-hal-executable-object-search-path={folder}"] if objects else []
    arguments += [f"--iree-hal-substitute-executable-object={one.stem}={one.name}"
                  for one in objects]
    run_iree([source, *flags, *arguments, "-o", output], "substituting")
    module = pathlib.Path(output).read_bytes()
    for one in objects:
        if one.read_bytes().strip() not in module:
            raise IreeError(f"substituting: '{output}' does not hold the object of "
                            f"'{one.stem}'")
