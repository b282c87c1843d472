#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every kernel of the suite with a plain reference, on the CPU at small sizes.

    references.py [--kernel star3d_r1 ...]

The kernel is the IR that `prepare.py` makes, for an AMD chip of those in amd.json, run by
`swizzle-check --run` with all its launches one after the other. The reference is
references/*.cpp: straightforward loops that know nothing of tiles and workgroups, with the
tolerance of its comparison and why.
Inputs are multiples of 1/128 in [-1, 1), of which floats hold sums of products exactly:
most kernels are compared bit by bit. Outputs begin as NaN, and all buffers are compared
whole, so that what was written in a wrong place is told, too.
"""
from __future__ import annotations

import argparse
import ctypes
import dataclasses
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import run_tool  # noqa: E402

#: As `struct` writes elements.
FORMATS = {"i8": "b", "f16": "e", "i32": "i", "f32": "f"}


def pack(kind: str, number: float) -> bytes:
    """One element; bf16 is the upper half of a float."""
    return struct.pack("<f", number)[2:] if kind == "bf16" else \
        struct.pack(f"<{FORMATS[kind]}", number)


def unpack(kind: str, contents: bytes) -> Iterator[float]:
    """All elements."""
    if kind == "bf16":
        words = struct.iter_unpack("<H", contents)
        return (struct.unpack("<f", struct.pack("<I", word << 16))[0] for word, in words)
    return (number for number, in struct.iter_unpack(f"<{FORMATS[kind]}", contents))


#: Functions of a reference, by what stands before the names of their tolerances. The
#: second one is there where kernels approximate functions: it has the true ones.
FUNCTIONS = {"reference": "", "mathematics": "mathematics_"}

#: The manifests whose kernels have references.
MANIFESTS = (HERE / "suite.json", HERE / "amd.json")

Contents = dict[str, bytearray]


@dataclasses.dataclass(frozen=True)
class Expected:
    """What a function of a reference computes, and how close a kernel must come to it:
    within one of the tolerances."""
    function: str
    contents: Contents
    relative: float
    absolute: float


def small_cases(kernel: suite.Kernel) -> list[suite.Case]:
    """The kernel at the sizes of its reference. One whose source has no sizes to set is
    described anew, with sizes."""
    described = {name: kernel.reference[name] for name in ("buffers", "launches")
                 if name in kernel.reference}
    return [suite.Case(dataclasses.replace(kernel, **described), {**kernel.fixed, **sizes})
            for sizes in kernel.reference["sizes"]]


def shrink(case: suite.Case, folder: pathlib.Path) -> suite.Case:
    """The case, with a source of its own if it has no sizes to set: `replace` puts them there,
    expressions in braces. Raises ValueError where there is nothing to replace."""
    if "replace" not in case.kernel.reference:
        return case
    source = case.kernel.source.resolve()
    text = source.read_text(encoding="utf-8").replace("// schedule: ",
                                                      f"// schedule: {source.parent}/")
    for old, new in case.kernel.reference["replace"]:
        if old not in text:
            raise ValueError(f"{source.name} has no '{old}'")
        made = re.sub(r"{(.*?)}", lambda found: str(suite.evaluate(found[1], case.sizes)), new)
        text = text.replace(old, made)
    path = folder / source.name
    path.write_text(text, encoding="utf-8")
    return suite.Case(dataclasses.replace(case.kernel, source=path), case.sizes)


def lower(case: suite.Case, folder: pathlib.Path) -> pathlib.Path:
    """The kernel as IR, for what its manifest is about."""
    return building.lower(case, folder, case.kernel.target)


def split_mix(state: int) -> int:
    """The first number of SplitMix64 from this state."""
    mask = (1 << 64) - 1
    number = (state + 0x9E3779B97F4A7C15) & mask
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & mask
    number = (number ^ number >> 27) * 0x94D049BB133111EB & mask
    return number ^ number >> 31


def fill(buffer: Mapping[str, Any]) -> bytearray:
    """What a buffer holds at first: of 16 whole numbers or 256 floats one at random."""
    if buffer["direction"] == "out":
        return bytearray(b"\xff" * buffer["bytes"])
    if buffer["fill"] == "zeros":
        return bytearray(buffer["bytes"])
    kind = buffer["type"]
    elements = [pack(kind, number) for number in (
        range(16) if kind.startswith("i") else [(number - 128) / 128 for number in range(256)])]
    return bytearray(b"".join(elements[split_mix(buffer["seed"] + i) % len(elements)]
                              for i in range(buffer["bytes"] // suite.BYTES[kind])))


def run_launch(launch: Mapping[str, Any], source: pathlib.Path, folder: pathlib.Path,
               contents: Contents) -> None:
    """Runs one launch on the host, on buffers that it may change."""
    options = [f"--kernel={launch['kernel']}", f"--run={folder}",
               *(f"--{which}={'x'.join(map(str, launch[which]))}" for which in ("grid", "block"))]
    paths = {}
    for index, argument in enumerate(launch["arguments"]):
        if argument["kind"] == "buffer":
            paths[argument["name"]] = path = folder / f"arg{index}"
            path.write_bytes(contents[argument["name"]])
        options.append(f"--argument={index}=" + (f"@{path}" if argument["kind"] == "buffer"
                                                 else str(argument["value"])))
    run_tool("swizzle-check", [source, *options])
    for name, path in paths.items():
        contents[name] = bytearray(path.read_bytes())


def run_kernel(case: suite.Case, source: pathlib.Path) -> list[Contents]:
    """All buffers: before the first launch, and after each."""
    states = [{name: fill(case.buffer(name)) for name in case.kernel.buffers}]
    with tempfile.TemporaryDirectory() as folder:
        for launch in case.launches():
            states.append(dict(states[-1]))
            run_launch(launch, source, pathlib.Path(folder), states[-1])
    return states


def compute(case: suite.Case, folder: pathlib.Path, before: Contents) -> list[Expected]:
    """What the reference makes of these buffers, by each of its functions."""
    source = HERE / case.kernel.reference["source"]
    library = folder / f"{case.name}.so"
    compiler = shutil.which("clang++-22") or "clang++"
    done = subprocess.run(
        [compiler, "-O2", "-std=c++17", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library,
         *(f"-D{name}={size}" for name, size in case.sizes.items()), source],
        capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    loaded = ctypes.CDLL(str(library))
    made = []
    for function, prefix in FUNCTIONS.items():
        if not hasattr(loaded, function):
            continue
        contents = {name: bytearray(bytes_) for name, bytes_ in before.items()}
        getattr(loaded, function)(*((ctypes.c_char * len(bytes_)).from_buffer(bytes_)
                                    for bytes_ in contents.values()))
        relative, absolute = (ctypes.c_double.in_dll(loaded, prefix + name).value
                              for name in ("relative", "absolute"))
        made.append(Expected(function, contents, relative, absolute))
    return made


def compare(case: suite.Case, found: Contents, expected: Expected) -> str:
    """The first difference, or nothing. What nobody wrote is the same bytes."""
    for name, theirs in expected.contents.items():
        if found[name] == theirs:
            continue
        kind = str(case.buffer(name)["type"])
        size = suite.BYTES[kind]
        pairs = zip(unpack(kind, found[name]), unpack(kind, theirs))
        for i, (mine, wanted) in enumerate(pairs):
            part = slice(i * size, (i + 1) * size)
            allowed = max(expected.absolute, expected.relative * abs(wanted))
            if not abs(mine - wanted) <= allowed and found[name][part] != theirs[part]:
                return (f"element {i} of {name} is {mine!r}, and {wanted!r} by "
                        f"{expected.function}, within {allowed:.2g}")
    return ""


def check(case: suite.Case) -> str:
    """Whether the kernel computes what its reference does: the first difference, if any."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        states = run_kernel(case, lower(shrink(case, folder), folder))
        differences = [compare(case, states[-1], expected)
                       for expected in compute(case, folder, states[0])]
    return next(filter(None, differences), "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", nargs="*", help="only these")
    options = parser.parse_args()
    failed = 0
    for kernel in suite.choose(parser, options.kernel, *MANIFESTS).values():
        if not kernel.reference:
            print(f"{kernel.name}: has no reference", flush=True)
            continue
        for case in small_cases(kernel):
            difference = check(case)
            failed += bool(difference)
            print(f"{case.name}: {difference or 'as the reference has it'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
