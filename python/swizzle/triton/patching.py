# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a compiled kernel's LLVM IR to the same kernel in another order.

The tool runs in a process of its own: it holds another LLVM than Triton does, and
whatever becomes of it, this process goes on.
"""
from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Mapping

from ..tools import find_tool, run_tool
from .settings import Settings
from .store import Store, key_of

__all__ = ["Order", "PatchError", "Question", "ask", "options_text", "tool_version"]

#: What LLVM's newest printer writes and the LLVM inside of Triton 3.6 does not read.
UNREADABLE_ATTRIBUTE = "nocreateundeforpoison"
RENAMED = {f"@llvm.nvvm.ex2.approx{ftz}.f32": f"@llvm.nvvm.ex2.approx{ftz}.f"
           for ftz in ("", ".ftz")}


class PatchError(RuntimeError):
    """The tool did not answer; the message says why."""


@dataclass(frozen=True)
class Question:
    """A kernel as Triton compiled it, on one grid."""
    llir: str
    target: str  #: "sm_90", "gfx942"
    grid: tuple[int, int, int]
    args: str = ""  #: sizes that are passed, as the option of the tool


@dataclass(frozen=True)
class Order:
    """What was answered: the kernel of the tool's report, and its IR if it is remapped."""
    entry: Mapping[str, Any]
    llir: str | None


@lru_cache
def tool_version() -> str:
    """Of the tool, with the size and time of its file: it may be built anew under the
    same number."""
    program = find_tool("swizzle-llvm")
    status = program.stat()
    return (run_tool("swizzle-llvm", ["--version"]).stdout
            + f"{program} {status.st_size} {status.st_mtime_ns}")


def options_text(question: Question, settings: Settings, **more: str) -> str:
    """The options of swizzle-llvm for one question."""
    options = {"target": question.target, "grid": "x".join(map(str, question.grid)),
               "tag": "off", **more}
    if question.args:
        options["args"] = question.args
    if settings.chip:
        options["chip"] = settings.chip
    if settings.hardware_file:
        options["hardware-file"] = str(settings.hardware_file)
    text = ";".join(f"{name}={value}" for name, value in options.items())
    return f"{text};{settings.options}" if settings.options else text


def restore_for_triton(llir: str) -> str:
    """The module as the LLVM inside of Triton reads it."""
    llir = llir.replace(UNREADABLE_ATTRIBUTE, "")
    for new, old in RENAMED.items():
        llir = llir.replace(new + "(", old + "(")
    return llir


def run(question: Question, options: str, timeout: float) -> Order:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "report.json")
        output = pathlib.Path(folder, "kernel.ll")
        try:
            done = subprocess.run(
                [find_tool("swizzle-llvm"), "-", f"--options={options}", f"--report={path}",
                 "-o", output], input=question.llir, capture_output=True, text=True,
                timeout=timeout)
        except subprocess.TimeoutExpired:
            raise PatchError(f"swizzle-llvm took more than {timeout:g} seconds") from None
        if done.returncode:
            raise PatchError(f"swizzle-llvm ended with status {done.returncode}: "
                             + done.stderr.strip()[:2000])
        if not path.exists():
            raise PatchError("swizzle-llvm found no kernel to look at: "
                             + (done.stderr.strip()[:2000] or "the module has none"))
        kernels = json.loads(path.read_text())["kernels"]
        if len(kernels) != 1:
            raise PatchError(f"the module has {len(kernels)} kernels, expected one")
        entry = kernels[0]
        remapped = entry["outcome"] == "remapped"
        return Order(entry, restore_for_triton(output.read_text()) if remapped else None)


def ask(question: Question, options: str, store: Store | None, timeout: float) -> Order:
    """Runs the tool, unless it was asked the same before. `store` is None if the answer
    depends on more than the question."""
    key = key_of(question.llir, options, tool_version())
    known = store.get_json(key, "order.json") if store else None
    if isinstance(known, dict) and {"entry", "llir"} <= known.keys():
        return Order(known["entry"], known["llir"])
    order = run(question, options, timeout)
    if store:
        store.put_json(key, "order.json", {"entry": order.entry, "llir": order.llir})
    return order
