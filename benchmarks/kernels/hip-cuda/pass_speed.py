#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long the pass takes: for each kernel of this folder, for modules of LLVM IR that are
named, and for a module without kernels.

    pass_speed.py --build=build/release [--opt=opt-22] [--runs=3] [--grid=64x64 FILE.ll ...]

Seconds of processor time, the least of some runs, as opt's -time-passes says. What a
kernel costs is reading and judging it; one that may gain costs planning on top.
"""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from check import HERE, TARGETS, Tools, make_parser

#: Of opt's table: user and system time together, wall clock, the name of the pass.
SHARE = r" \(\s*[\d.]+%\)\s+"
ROW = re.compile(rf"([\d.]+){SHARE}[\d.]+{SHARE}\S*SwizzlePass")


@dataclass(frozen=True)
class Timed:
    name: str
    seconds: float
    outcome: str
    reason: str

    def __str__(self) -> str:
        return f"| `{self.name}` | {self.seconds:.3f} | {self.outcome} | {self.reason} |"


def time_pass(opt: str, build: pathlib.Path, module: pathlib.Path, options: str,
              runs: int) -> Timed:
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        seconds = []
        for _ in range(runs):
            done = subprocess.run(
                [opt, f"-load-pass-plugin={build / 'lib' / 'SwizzleLLVM.so'}",
                 f"-passes=swizzle<{options};report={report}>", "-time-passes",
                 "-disable-output", str(module)], check=True, capture_output=True, text=True)
            found = ROW.search(done.stderr)
            if not found:
                raise SystemExit(f"{opt} -time-passes did not time the pass:\n{done.stderr}")
            seconds.append(float(found[1]))
        kernels = json.loads(report.read_text())["kernels"] if report.exists() else []
        kernel = kernels[0] if kernels else {"outcome": "no kernel", "reason_code": ""}
        return Timed(module.stem, min(seconds), kernel["outcome"], kernel["reason_code"])


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--grid", default="64x64", help="of the modules that are named")
    parser.add_argument("module", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    tools = Tools(arguments.clang, build)

    def run(module: pathlib.Path, options: str) -> None:
        print(time_pass(arguments.opt, build, module, options, arguments.runs), flush=True)

    print("| module | s | outcome | reason |\n| --- | --- | --- | --- |")
    for module in arguments.module:
        run(module, f"grid={arguments.grid}")
    if arguments.module:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        nothing = pathlib.Path(folder, "no-kernel.ll")
        nothing.write_text('target triple = "nvptx64-nvidia-cuda"\n'
                           "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
        run(nothing, "grid=64")
        for source in sorted(HERE.glob("*.cu")):
            for target in TARGETS:
                module = pathlib.Path(folder, f"{source.stem}-{target}.ll")
                tools.compile(source, target, module, None)
                run(module, f"launches={HERE / 'launches.json'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
