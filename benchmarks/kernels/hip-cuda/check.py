#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of this folder on the host, as clang compiles them with and without
the plugin, and compares what they write.

    check.py --build=build/dev [--clang=clang-22] [KERNEL ...]

Each kernel is compiled for both vendors: with an order that is told, which swizzle-check
compares with the kernel as it was, on the grid that is launched; and with nothing to gain,
which has to leave the assembly as it was, byte by byte. Exit status 1 if anything differs.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = {
    "gfx942": ["-x", "hip", "-nogpuinc", "-nogpulib", "-fuse-cuid=none"],
    "sm_90": ["-x", "cuda", "-nocudainc", "-nocudalib", "-Xclang", "-target-feature",
              "-Xclang", "+ptx80"],
}
FORMULA = "return gx - 1 - x, y, z"
#: Numbers among the arguments, by their place.
NUMBERS = {"product_shared": ["3=4096"]}
#: Other grids than those of launches.json, where the buffers would be too large.
GRIDS = {"stencil3d": "32x512x8"}
#: Depend on the order, or on what is in memory: only their assembly is compared.
NOT_RUN = {"stream_k": "its workgroups wait for each other",
           "edge_sums": "its addresses are read from memory",
           "spmm": "its addresses are read from memory",
           "spmv": "its addresses are read from memory"}


def make_parser(text: str | None) -> argparse.ArgumentParser:
    """With the options that the programs of this folder share: a build, and clang."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--clang", default="clang-22")
    return parser


@dataclass(frozen=True)
class Tools:
    clang: str
    build: pathlib.Path

    def compile(self, source: pathlib.Path, target: str, output: pathlib.Path,
                options: str | None) -> None:
        """With `options` of the plugin, or without it."""
        command = [self.clang, *TARGETS[target], f"--offload-arch={target}",
                   "--offload-device-only", "-O2", "-S", "-o", str(output), str(source)]
        if output.suffix == ".ll":
            command.append("-emit-llvm")
        if options is not None:
            command.append(f"-fpass-plugin={self.build / 'lib' / 'SwizzleLLVM.so'}")
        subprocess.run(command, check=True, capture_output=True,
                       env={**os.environ, "SWIZZLE_OPTIONS": options or ""})


def check_asm(source: pathlib.Path, target: str, folder: pathlib.Path, tools: Tools) -> str:
    """The assembly of a kernel that is looked at and kept."""
    empty = folder / "empty.json"
    outputs = [folder / f"plain-{target}.s", folder / f"kept-{target}.s"]
    tools.compile(source, target, outputs[0], None)
    tools.compile(source, target, outputs[1],
                  f"launches={HERE / 'launches.json'};agent=database;database={empty}")
    return "" if outputs[0].read_bytes() == outputs[1].read_bytes() else \
        "the assembly changed, although the kernel was kept"


def check_order(source: pathlib.Path, target: str, folder: pathlib.Path, tools: Tools) -> str:
    """The kernel in another order, run on the host beside the original."""
    formula = folder / "formula.swz"
    formula.write_text(FORMULA + "\n")
    launch = json.loads((HERE / "launches.json").read_text())["kernels"][source.stem]
    grid, block = GRIDS.get(source.stem, launch["grids"][0]), launch["block"]
    original, remapped = folder / f"original-{target}.ll", folder / f"remapped-{target}.ll"
    tools.compile(source, target, original, None)
    tools.compile(source, target, remapped,
                  f"grid={grid};block={block};formula-file={formula}")
    if "swizzle.applied" not in remapped.read_text():
        return "it was not remapped"
    done = subprocess.run(
        [str(tools.build / "bin" / "swizzle-check"), str(original), str(remapped),
         f"--formula={FORMULA}", f"--grid={grid}", f"--block={block}", "--sample=4",
         *(f"--argument={number}" for number in NUMBERS.get(source.stem, []))],
        capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip()


def check(source: pathlib.Path, target: str, tools: Tools) -> list[str]:
    """What is wrong with one kernel, a line each; and what was done."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = [check_asm(source, target, folder, tools)]
        if source.stem not in NOT_RUN:
            found.append(check_order(source, target, folder, tools))
    return [problem for problem in found if problem]


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("kernel", nargs="*")
    arguments = parser.parse_args()
    tools = Tools(arguments.clang, arguments.build.resolve())
    jobs = [(source, target) for source in sorted(HERE.glob("*.cu")) for target in TARGETS
            if not arguments.kernel or source.stem in arguments.kernel]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda job: check(job[0], job[1], tools), jobs)
        for (source, target), problems in zip(jobs, results):
            failed += bool(problems)
            done = "kept the same" if source.stem in NOT_RUN else "kept and remapped the same"
            print(f"{source.stem} {target}: {'; '.join(problems) or done}", flush=True)
    print(f"{len(jobs) - failed} of {len(jobs)} passed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
