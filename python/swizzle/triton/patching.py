# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a compiled kernel's LLVM IR to the same kernel in another order."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Mapping

from ..llvm_text import as_in
from ..remapping import RemapError, remap
from ..tools import find_tool, run_tool
from .settings import Settings
from .store import Store, key_of

__all__ = ["Order", "Question", "ask", "options_text", "tool_version"]


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


def run(question: Question, options: str, timeout: float) -> Order:
    answer = remap(question.llir, options, timeout)
    if len(answer.kernels) != 1:
        raise RemapError(f"the module has {len(answer.kernels)} kernels, expected one")
    (entry,) = answer.kernels
    remapped = entry["outcome"] == "remapped"
    return Order(entry, as_in(question.llir, answer.llir) if remapped else None)


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
