# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the LLVM IR of an executable to the object that IREE puts into a module."""
from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

from .compiler import IreeError, run_iree

__all__ = ["make_object", "print_assembly"]

#: IREE writes above AMD assembly how llc makes it of the IR.
COMMAND = re.compile(r"^; llc .*?(-mattr='[^']*')?( -O\d)? <", re.MULTILINE)


def find_llc() -> str:
    for name in ("llc-22", "llc"):
        if found := shutil.which(name):
            return found
    raise IreeError("making an object: there is no llc-22 on PATH; install LLVM 22")


def back_end_flags(llir: pathlib.Path, target: str) -> list[str]:
    """What IREE compiles with. Its features are in the files beside the IR."""
    stem = str(llir).removesuffix(".optimized.ll")
    if target.startswith("sm_"):
        version = re.search(r"^\.version (\d+)\.(\d+)", pathlib.Path(stem + ".ptx").read_text(),
                            re.MULTILINE)
        features = [f"-mattr=+ptx{version[1]}{version[2]}"] if version else []
        return ["-mtriple=nvptx64-nvidia-cuda", f"-mcpu={target}", "-O3", *features]
    command = COMMAND.search(pathlib.Path(stem + ".rocmasm").read_text())
    features = [command[1].replace("'", "")] if command and command[1] else []
    return ["-mtriple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-O3", *features]


def run_llc(text: str, flags: list[str]) -> bytes:
    done = subprocess.run([find_llc(), *flags, "-", "-o", "-"], input=text.encode(),
                          capture_output=True)
    if done.returncode:
        raise IreeError("making an object: llc ended with status "
                        f"{done.returncode}: {done.stderr.decode()[:2000]}")
    return done.stdout


def print_assembly(text: str, llir: pathlib.Path, target: str) -> str:
    """The module `text`, made of what is in `llir`, as assembly."""
    return run_llc(text, back_end_flags(llir, target)).decode()


def make_object(text: str, llir: pathlib.Path, target: str, output: pathlib.Path) -> pathlib.Path:
    """A file beside `output`: PTX for NVIDIA, a code object for AMD."""
    flags = back_end_flags(llir, target)
    if target.startswith("sm_"):
        result = output.with_suffix(".ptx")
        result.write_bytes(run_llc(text, flags))
        return result
    relocatable, result = output.with_suffix(".o"), output.with_suffix(".hsaco")
    relocatable.write_bytes(run_llc(text, [*flags, "-filetype=obj"]))
    run_iree(["-flavor", "gnu", "-shared", "--no-undefined", relocatable, "-o", result],
             "making an object", "iree-lld")
    return result
