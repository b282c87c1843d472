# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM IR in, the same in another order of workgroups out, by the tool swizzle-llvm.

The tool runs in a process of its own: it holds another LLVM than Triton and IREE do, and
whatever becomes of it, this process goes on.
"""
from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Mapping

from .llvm_text import for_tools
from .tools import find_tool

__all__ = ["RemapError", "Remapped", "remap"]


class RemapError(RuntimeError):
    """The tool did not answer; the message says why."""


@dataclass(frozen=True)
class Remapped:
    """What the tool answered: the kernels of its report, and the module as it wrote it."""
    kernels: list[Mapping[str, Any]]
    llir: str


def remap(llir: str, options: str, timeout: float) -> Remapped:
    """Asks the tool about all kernels of a module, with the options of `--options`."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        output = pathlib.Path(folder, "kernel.ll")
        try:
            done = subprocess.run(
                [find_tool("swizzle-llvm"), "-", f"--options={options}", f"--report={report}",
                 "-o", output], input=for_tools(llir), capture_output=True, text=True,
                timeout=timeout)
        except subprocess.TimeoutExpired:
            raise RemapError(f"swizzle-llvm took more than {timeout:g} seconds") from None
        if done.returncode:
            raise RemapError(f"swizzle-llvm ended with status {done.returncode}: "
                             + done.stderr.strip()[:2000])
        if not report.exists():
            raise RemapError("swizzle-llvm found no kernel to look at: "
                             + (done.stderr.strip()[:2000] or "the module has none"))
        return Remapped(json.loads(report.read_text())["kernels"], output.read_text())
