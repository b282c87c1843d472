#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels as LLVM IR, through the pass on LLVM IR, and run on the host.

    fuzz_llvm.py --build=build/dev [--through=tool] [--seeds=0..200] [--keep FOLDER]

The random-kernel writer (JudgeFuzz --print) writes a kernel, swizzle-compile makes LLVM IR
of it, and that is patched with an order that reverses the grid, by one of

    --through=tool      swizzle-llvm
    --through=pass      opt with the plugin, which is named as a pass
    --through=pipeline  opt -O2 with the plugin, which is told by SWIZZLE_OPTIONS, as in clang

Then

* the original and what was patched, run by swizzle-check, must write the same;
* LLVM's verifier must accept what was patched;
* a kernel that is refused, and any kernel for which no order is found, must leave the
  module as it came, byte by byte.

Prints each disagreement with its seed, and at the end what came out. Exit status 1 if
anything disagreed.
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

FORMULA = "return gx - 1 - x, gy - 1 - y, gz - 1 - z"


@dataclass(frozen=True)
class Outcome:
    kind: str
    problem: str = ""


@dataclass(frozen=True)
class Fuzzer:
    build: pathlib.Path
    opt: str
    through: str

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(self.build / program), *arguments], capture_output=True,
                              text=True, timeout=120)

    def run_opt(self, module: pathlib.Path, output: pathlib.Path, passes: str,
                options: str | None = None) -> subprocess.CompletedProcess[str]:
        """opt with the plugin; `options` is what the environment tells it."""
        environment = {name: value for name, value in os.environ.items()
                       if name != "SWIZZLE_OPTIONS"}
        if options is not None:
            environment["SWIZZLE_OPTIONS"] = options
        return subprocess.run(
            [self.opt, f"-load-pass-plugin={self.build / 'lib' / 'SwizzleLLVM.so'}",
             f"-passes={passes}", "-S", str(module), "-o", str(output)],
            capture_output=True, text=True, timeout=120, env=environment)

    def judge(self, seed: int, folder: pathlib.Path) -> Outcome:
        source, module = folder / f"{seed}.mlir", folder / f"{seed}.ll"
        text = self.run("benchmarks/JudgeFuzz", f"--print={seed}").stdout
        source.write_text(text)
        # On AMD, what is on the stack must be in its own address space.
        on_stack = "alloca" in text and "rocdl." not in text
        target = "sm_90" if "nvvm." in text or on_stack else "gfx942"
        done = self.run("bin/swizzle-compile", str(source), f"--target={target}",
                        "--emit=llvm", "--optimisation=0", "-o", str(module))
        if done.returncode:
            return Outcome("not compiled")
        if self.verify(module):
            return Outcome("not valid for its target")
        sizes = {"grid": size_of(text, "grid", "4x3x2"), "block": size_of(text, "block", "4")}
        if problem := self.normalise(module):
            return Outcome("ended", problem)
        if why := self.check_kept(module, target, sizes):
            return Outcome("kept", why)
        return self.check_order(module, target, sizes)

    def patch(self, module: pathlib.Path, output: pathlib.Path, target: str,
              sizes: dict[str, str], more: str) -> subprocess.CompletedProcess[str]:
        options = ";".join([f"target={target}", *(f"{a}={b}" for a, b in sizes.items()), more])
        report = f"{output}.json"
        if self.through == "pass":
            return self.run_opt(module, output, f"swizzle<{options};report={report}>")
        if self.through == "pipeline":
            return self.run_opt(module, output, "default<O2>", f"{options};report={report}")
        return self.run("bin/swizzle-llvm", str(module), f"--options={options}", "-o",
                        str(output), f"--report={report}")

    def normalise(self, module: pathlib.Path) -> str:
        """Prints the module as opt does, so that it can be compared with what opt prints."""
        if self.through == "tool":
            return ""
        done = self.run_opt(module, module, "verify")
        return done.stderr.strip()[-500:] if done.returncode else ""

    def unpatched(self, module: pathlib.Path) -> bytes:
        """The module as it leaves if no kernel is remapped."""
        if self.through != "pipeline":
            return module.read_bytes()
        plain = module.with_suffix(".plain.ll")
        self.run_opt(module, plain, "default<O2>")
        return plain.read_bytes()

    def verify(self, module: pathlib.Path) -> str:
        """What LLVM's verifier says of a module, if it is wrong."""
        done = subprocess.run([self.opt, "-passes=verify", "-disable-output", str(module)],
                              capture_output=True, text=True)
        return done.stderr.strip()[:500] if done.returncode else ""

    def check_kept(self, module: pathlib.Path, target: str, sizes: dict[str, str]) -> str:
        """A database without orders keeps everything."""
        output, database = module.with_suffix(".kept.ll"), module.with_suffix(".json")
        done = self.patch(module, output, target, sizes,
                          f"agent=database;database={database}")
        if done.returncode:
            return f"status {done.returncode}: {done.stderr.strip()}"
        return "" if output.read_bytes() == self.unpatched(module) else "the module changed"

    def check_order(self, module: pathlib.Path, target: str,
                    sizes: dict[str, str]) -> Outcome:
        output, formula = module.with_suffix(".remapped.ll"), module.with_suffix(".swz")
        formula.write_text(FORMULA + "\n")
        done = self.patch(module, output, target, sizes, f"formula-file={formula}")
        if done.returncode not in (0, 1):
            return Outcome("ended", f"status {done.returncode}: {done.stderr.strip()[-500:]}")
        if done.returncode == 1 or "swizzle.applied" not in output.read_text():
            changed = output.exists() and output.read_bytes() != self.unpatched(module)
            return Outcome("refused", "the module changed" if changed else "")
        if problem := self.verify(output):
            return Outcome("remapped", f"invalid: {problem}")
        compared = self.run("bin/swizzle-check", str(module), str(output),
                            f"--formula={FORMULA}", "--max-steps=2000000",
                            *(f"--{name}={value}" for name, value in sizes.items()))
        if compared.returncode == 3:
            return Outcome("remapped, not to be run")
        if "workgroups of the original race" in compared.stdout and is_assumed(output):
            return Outcome("remapped, on an assumption that does not hold")
        if compared.returncode:
            return Outcome("remapped", compared.stdout + compared.stderr)
        return Outcome("remapped, writes the same")


def is_assumed(output: pathlib.Path) -> bool:
    """True if the legality of what was remapped rests on an assumption."""
    (kernel,) = json.loads(pathlib.Path(f"{output}.json").read_text())["kernels"]
    return any(not text.endswith("takes the identity at run time")
               for text in kernel["proof"]["assumptions"])


def size_of(text: str, what: str, otherwise: str) -> str:
    """The extents that the kernel says it is launched with."""
    found = re.search(rf"known_{what}_size = array<i32: (\d+), (\d+), (\d+)>", text)
    return "x".join(found.groups()) if found else otherwise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--through", choices=("tool", "pass", "pipeline"), default="tool")
    parser.add_argument("--seeds", default="0..200")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for all files")
    arguments = parser.parse_args()
    first, last = map(int, arguments.seeds.split(".."))
    fuzzer = Fuzzer(arguments.build.resolve(), arguments.opt, arguments.through)
    counts: collections.Counter[str] = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = arguments.keep or pathlib.Path(name)
        outcomes = pool.map(lambda seed: fuzzer.judge(seed, folder), range(first, last))
        for seed, outcome in enumerate(outcomes, first):
            counts[outcome.kind] += 1
            if outcome.problem:
                wrong += 1
                print(f"seed {seed}: {outcome.kind}: {outcome.problem}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:6} {kind}")
    print(f"{wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
