# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a compiled kernel's LLVM IR to the same kernel in another order."""
from __future__ import annotations

import hashlib
import pathlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Mapping

from ..llvm_text import as_in
from ..remapping import RemapError, remap
from ..tools import find_tool, run_tool
from .settings import Settings
from .store import Store, key_of

__all__ = ["Order", "Question", "ask", "options_text", "refuse_what_makes_no_sense",
           "tool_version"]

#: Options that name a file which the answer depends on.
FILES = ("hardware-file", "formula-file", "agent-config", "launches")


@dataclass(frozen=True)
class Question:
    """A kernel as Triton compiled it, on one grid."""
    llir: str
    target: str  #: "sm_90", "gfx942"
    grid: tuple[int, int, int]
    args: str = ""  #: sizes that are passed, as the option of the tool
    #: of a thread, and bytes of workgroup memory that the launch adds: how many
    #: workgroups run beside each other; 0 if nobody knows
    registers: int = 0
    workgroup_bytes: int = 0


@dataclass(frozen=True)
class Order:
    """What was answered: the kernel of the tool's report, and its IR if it is remapped."""
    entry: Mapping[str, Any]
    llir: str | None


@lru_cache
def tool_version(timeout: float | None = None) -> str:
    """Of the tool, with the size and time of its file: it may be built anew under the
    same number."""
    program = find_tool("swizzle-llvm")
    status = program.stat()
    return (run_tool("swizzle-llvm", ["--version"], timeout=timeout).stdout
            + f"{program} {status.st_size} {status.st_mtime_ns}")


def options_text(question: Question, settings: Settings, **more: str) -> str:
    """The options of swizzle-llvm for one question."""
    options = {"target": question.target, "grid": "x".join(map(str, question.grid)),
               "tag": "off", **more}
    if question.args:
        options["args"] = question.args
    if question.registers:
        options["registers"] = str(question.registers)
    if question.workgroup_bytes:
        options["dynamic-workgroup-bytes"] = str(question.workgroup_bytes)
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


def contents_of(options: str) -> list[str] | None:
    """Hashes of the files that `options` name. None if an answer must not be kept: a file
    cannot be read, or the answer comes from a database or an agent, which may say
    something else tomorrow. The planner does not."""
    texts = {}
    for part in options.split(";"):  # as the tool reads them: the last of a name counts
        name, is_given, value = part.strip().partition("=")
        texts[name] = value if is_given else "on"
    # The file of agents may name some, unless the options do.
    agent = texts.get("agent") or ("" if texts.get("agent-config") else "planner")
    if agent != "planner" or texts.get("database"):
        return None
    try:
        return [hashlib.sha256(pathlib.Path(texts[name]).read_bytes()).hexdigest()
                for name in FILES if texts.get(name)]
    except OSError:
        return None  # the tool says what is wrong with it


def ask(question: Question, options: str, store: Store | None, timeout: float) -> Order:
    """Runs the tool, unless it was asked the same before. `store` is None if the answer
    depends on more than the question."""
    contents = contents_of(options)
    if store is None or contents is None:
        return run(question, options, timeout)
    key = key_of(question.llir, options, tool_version(timeout), *contents)
    known = store.get_json(key, "order.json")
    if isinstance(known, dict) and {"entry", "llir"} <= known.keys():
        return Order(known["entry"], known["llir"])
    order = run(question, options, timeout)
    store.put_json(key, "order.json", {"entry": order.entry, "llir": order.llir})
    return order


#: Asked about to hear what the tool says of the options.
NO_KERNEL = "define ptx_kernel void @nothing() {\n  ret void\n}\n"


def refuse_what_makes_no_sense(settings: Settings) -> None:
    """Raises ValueError for a file that is not there, and for a chip or options that the
    tool does not know. A tool that cannot be asked is reported with the first kernel."""
    if settings.hardware_file and not pathlib.Path(settings.hardware_file).is_file():
        raise ValueError(f"hardware_file={str(settings.hardware_file)!r}: there is no such file")
    options = "target=sm_90;grid=1"
    if settings.chip:
        options += f";chip={settings.chip}"
    if settings.options:
        options += f";{settings.options}"
    if not settings.chip and not settings.options:
        return
    try:
        remap(NO_KERNEL, options, settings.timeout)
    except (OSError, RemapError) as error:
        text = str(error)
        _, found, names = text.partition("unknown chip")
        if found:
            raise ValueError(f"chip={settings.chip!r}: {found}{names}") from None
        if "option" in text and settings.options:
            raise ValueError(f"options={settings.options!r}: {text}") from None
