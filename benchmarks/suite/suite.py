# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manifest: kernels, their sizes, and how they are launched.

`load()` reads suite.json. A kernel's sizes are macros of its source; grids, buffers and
counts are expressions of them, with Python's integers, `/` dividing without rest.
"""
from __future__ import annotations

import argparse
import ast
import itertools
import json
import math
import operator
import pathlib
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
BYTES = {"i8": 1, "f16": 2, "bf16": 2, "i32": 4, "f32": 4}
#: Of drawn sizes: kernels too small for this measure how launches begin and end.
LEAST_BYTES, MOST_BYTES = 256 << 20, 24 << 30
LEAST_FLOPS, MOST_FLOPS = 1 << 36, 1 << 41


def divide(a: int, b: int) -> int:
    if a % b:
        raise ValueError(f"{a} / {b} has a rest")
    return a // b


OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: divide,
    ast.Mod: operator.mod}


def evaluate(text: str, values: Mapping[str, int]) -> int:
    """An expression of +, -, *, /, % and min. Raises ValueError or KeyError."""
    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name):
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "min":
            return min(map(value, node.args))
        raise ValueError(f"{text}: only +, -, *, /, % and min are known")
    return value(ast.parse(text, mode="eval").body)


@dataclass(frozen=True)
class Kernel:
    """A row of the manifest."""
    name: str
    source: pathlib.Path
    fixed: dict[str, int]
    listed: list[dict[str, int]]
    choices: dict[str, list[int]]
    buffers: dict[str, str]
    launches: list[dict[str, Any]]
    repeat: str
    sweep: bool
    paper: str | None
    paper_sizes: list[dict[str, int]]
    amd_source: pathlib.Path | None
    library: str | None
    least_bytes: str | None
    flops: str | None
    streams: bool
    #: Its source, the sizes that it is compared at, and what makes the kernel that small
    #: (references.py); empty in manifests of kernels without.
    reference: dict[str, Any]
    #: What it is compiled for where no chip is asked for: its manifest's.
    target: str
    #: Names of sparse matrices (matrices.py) that it is simulated with, if it needs one.
    matrices: list[str]

    def drawn(self, seed: int, count: int) -> list[dict[str, int]]:
        """`count` sizes that nobody chose, the same ones for the same seed: those that
        divide as the kernel needs and are neither tiny nor larger than a GPU."""
        axes = sorted(self.choices)
        every = [dict(zip(axes, values))
                 for values in itertools.product(*(self.choices[axis] for axis in axes))]
        random.Random(seed + zlib.crc32(self.name.encode())).shuffle(every)
        fitting = (sizes for sizes in every if axes and self.fits(sizes))
        return list(itertools.islice(fitting, count))

    def fits(self, sizes: Mapping[str, int]) -> bool:
        try:
            case = Case(self, {**self.fixed, **sizes})
            launches = case.launches()
        except ValueError:
            return False
        if any(extent > 65535 for launch in launches for extent in launch["grid"][1:]):
            return False
        if self.flops:
            return LEAST_FLOPS <= evaluate(self.flops, case.sizes) <= MOST_FLOPS
        return LEAST_BYTES <= case.bytes() <= MOST_BYTES


@dataclass(frozen=True)
class Case:
    """A kernel at one size."""
    kernel: Kernel
    sizes: dict[str, int]
    #: Of a thread, by kernel, where somebody assembled them.
    registers: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join([self.kernel.name, *(f"{axis.lower()}{size}"
                                             for axis, size in sorted(self.sizes.items())
                                             if axis not in self.kernel.fixed)])

    def buffer(self, name: str) -> dict[str, Any]:
        """As a bundle describes it."""
        direction, kind, rest = self.kernel.buffers[name].split(" ", 2)
        zeros = rest.endswith(" zeros") or direction == "out"
        count = evaluate(rest.removesuffix(" zeros"), self.sizes)
        made = {"name": name, "kind": "buffer", "bytes": count * BYTES[kind], "type": kind,
                "direction": direction, "fill": "zeros" if zeros else "random"}
        return made if zeros else {**made, "seed": 1 + list(self.kernel.buffers).index(name)}

    def bytes(self) -> int:
        return sum(int(self.buffer(name)["bytes"]) for name in self.kernel.buffers)

    def least_bytes(self) -> int | None:
        """What memory moves at least."""
        return evaluate(self.kernel.least_bytes, self.sizes) if self.kernel.least_bytes else None

    def flops(self) -> int | None:
        return evaluate(self.kernel.flops, self.sizes) if self.kernel.flops else None

    def launches(self) -> list[dict[str, Any]]:
        """As a bundle describes them."""
        made = []
        for i in range(evaluate(self.kernel.repeat, self.sizes)):
            values = {**self.sizes, "i": i}
            for launch in self.kernel.launches:
                arguments = [
                    {"name": word.split()[1], "kind": "scalar", "type": word.split()[0],
                     "value": evaluate(word.split()[1], values)} if " " in word
                    else self.buffer(word) for word in launch["arguments"]]
                grid = [evaluate(extent, values) for extent in launch["grid"]]
                made.append({"kernel": launch["kernel"], "grid": [*grid, 1, 1][:3],
                             "block": launch["block"], "arguments": arguments})
        return made

    def largest_grid(self) -> list[int]:
        return max((list(launch["grid"]) for launch in self.launches()), key=math.prod)


#: The manifests of blind tests, by the name of what was measured of them.
UNSEEN = {"unseen": "unseen/suite.json", "unseen-second": "unseen/second.json"}
#: The manifests whose kernels were measured on an H200.
MEASURED = (HERE / "suite.json", *(HERE / manifest for manifest in UNSEEN.values()))


def load(path: pathlib.Path = HERE / "suite.json") -> list[Kernel]:
    """The manifest's kernels."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    if rows.get("schema") != "swizzle-suite/1":
        raise ValueError(f"{path}: its schema is not swizzle-suite/1")
    return [Kernel(row["name"], path.parent / row["source"], row["fixed"], row["sizes"],
                   row.get("draw", {}), row["buffers"], row["launches"], row.get("repeat", "1"),
                   row.get("sweep", True), row.get("paper"), row.get("paper_sizes", []),
                   path.parent / row["amd_source"] if "amd_source" in row else None,
                   row.get("library"),
                   row.get("least_bytes"), row.get("flops"), row.get("streams", False),
                   row.get("reference", {}), rows.get("target", "sm_90"),
                   row.get("matrices", []))
            for row in rows["kernels"]]


def choose(parser: argparse.ArgumentParser, names: Sequence[str] | None,
           *manifests: pathlib.Path) -> dict[str, Kernel]:
    """The kernels of the manifests, suite.json if none is named, by name, or those of these
    names. Ends the program with a usage error if there is no such manifest or name."""
    manifests = manifests or (HERE / "suite.json",)
    try:
        known = {kernel.name: kernel for manifest in manifests for kernel in load(manifest)}
    except (OSError, ValueError) as error:
        parser.error(str(error))
    for name in names or ():
        if name not in known:
            parser.error(f"{' and '.join(manifest.name for manifest in manifests)} "
                         f"{'has' if len(manifests) == 1 else 'have'} "
                         f"no kernel '{name}', but {', '.join(known)}")
    return {name: known[name] for name in names or known}


def cases(kernels: list[Kernel], seed: int | None, drawn: int = 2) -> list[Case]:
    """Every kernel at its listed sizes, and with a seed at sizes drawn by it."""
    return [Case(kernel, {**kernel.fixed, **sizes}) for kernel in kernels
            for sizes in [*kernel.listed,
                          *(kernel.drawn(seed, drawn) if seed is not None else [])]]
