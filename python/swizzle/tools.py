# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Swizzle's command-line tools and reads what they print.

The package holds no algorithm of its own: whatever it says, a tool said. They are
looked for in the folder that the environment variable SWIZZLE_BIN names and in no other;
without it, in the build folders of the checkout that the package lies in or was installed
from, then on PATH.
"""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Mapping, Sequence

__all__ = ["ToolError", "find_tool", "run_tool", "run_json"]


class ToolError(RuntimeError):
    """A tool said no: `tool`, its exit `status` and what it wrote to stderr."""

    def __init__(self, tool: str, status: int, message: str):
        super().__init__(f"{tool} ended with status {status}: {message.strip()}")
        self.tool, self.status, self.message = tool, status, message.strip()


def checkout() -> pathlib.Path:
    """The checkout that the package was installed from, or lies in."""
    note = pathlib.Path(__file__).with_name("checkout.txt")
    if note.exists():
        return pathlib.Path(note.read_text(encoding="utf-8").strip())
    return pathlib.Path(__file__).resolve().parents[2]


def find_tool(name: str) -> pathlib.Path:
    """The program `name` ("swizzle-opt"). Raises FileNotFoundError that says where
    it was looked for."""
    if chosen := os.environ.get("SWIZZLE_BIN"):
        # Another program of that name would be another version of it.
        if os.access(program := pathlib.Path(chosen, name), os.X_OK) and program.is_file():
            return program
        raise FileNotFoundError(f"{name} is not in {chosen}, which SWIZZLE_BIN names; name the "
                                "folder that holds it, or unset SWIZZLE_BIN")
    folders = [checkout() / "build" / preset / "bin" for preset in ("release", "dev", "asan")]
    for folder in folders:
        if (program := folder / name).is_file() and os.access(program, os.X_OK):
            return program
    if found := shutil.which(name):
        return pathlib.Path(found)
    searched = ", ".join(map(str, folders))
    raise FileNotFoundError(f"{name} is neither in {searched} nor on PATH; build it with "
                            f"scripts/demo and `cmake --build --preset dev --target {name}`, "
                            "or name its folder in SWIZZLE_BIN")


def option_arguments(options: Mapping[str, Any]) -> list[str]:
    """Options as a tool takes them: `max_seconds=3`, `quiet=True`, `planner_first=False`,
    `extra_body={"seed": 1}` as JSON; None is not given."""
    given = [(name.replace("_", "-"), json.dumps(value) if isinstance(value, Mapping) else value)
             for name, value in options.items()]
    return [f"--{name}" if value is True else f"--{name}={'false' if value is False else value}"
            for name, value in given if value is not None]


def run_tool(name: str, arguments: Sequence[str | os.PathLike[str]], *, stdin: str | None = None,
             accept: Sequence[int] = (0,), environment: Mapping[str, str] | None = None,
             timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a tool to its end. Raises ToolError unless its status is in `accept`."""
    done = subprocess.run([find_tool(name), *arguments], input=stdin, capture_output=True,
                          text=True, timeout=timeout,
                          env={**os.environ, **environment} if environment else None)
    if done.returncode not in accept:
        raise ToolError(name, done.returncode, done.stderr or done.stdout)
    return done


def run_json(name: str, arguments: Sequence[str | os.PathLike[str]], *, schema: str,
             stdin: str | None = None, accept: Sequence[int] = (0,)) -> dict[str, Any]:
    """The JSON that a tool prints. `schema`: what it must call itself, such as
    "swizzle-sim/1"."""
    done = run_tool(name, arguments, stdin=stdin, accept=accept)
    answer: dict[str, Any] = json.loads(done.stdout)
    if answer.get("schema") != schema:
        raise ToolError(name, done.returncode,
                        f"printed schema {answer.get('schema')!r}; this package reads {schema!r}")
    return answer
