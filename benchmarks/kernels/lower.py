#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowers the benchmark kernels to GPU-dialect IR with a stock mlir-opt.

A kernel is a folder; each .mlir file in it that has a `passes:` header is a
variant (`static`, `dynamic`, ...). The header says how it is lowered, so that a
new kernel is a new folder and nothing else:

  // schedule: schedule.mlir     transform-dialect script, run first (optional)
  // passes: a, b{option=1}      pass pipeline; further lines are appended
  // targets: gfx942 sm_90       what it can be compiled for (default: both)

The passes must leave `gpu.launch` or `gpu.launch_func` behind; outlining and
clean-up are added here.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGETS = ("gfx942", "sm_90")
OUTLINE = ["loop-invariant-code-motion", "canonicalize", "cse",
           "gpu-launch-sink-index-computations", "gpu-kernel-outlining",
           "canonicalize", "cse"]


class Variant:
    """One kernel file and its header."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}"
        header: dict[str, list[str]] = {}
        for line in path.read_text().splitlines():
            match = re.match(r"// (schedule|passes|targets):\s*(.*?),?\s*$", line)
            if match:
                header.setdefault(match[1], []).append(match[2])
            elif line.strip() and not line.startswith("//"):
                break
        self.passes = ",".join(header.get("passes", []))
        self.is_kernel = "passes" in header
        self.schedule = header["schedule"][0] if "schedule" in header else None
        self.targets = " ".join(header.get("targets", [])).split() or list(TARGETS)
        unknown = [t for t in self.targets if t not in TARGETS]
        if unknown:
            sys.exit(f"error: {path}: unknown target {unknown[0]}; known: {' '.join(TARGETS)}")

    def command(self, mlir_opt: str) -> list[str]:
        passes: list[str] = []
        if self.schedule:
            library = self.path.parent / self.schedule
            passes += [f"transform-preload-library{{transform-library-paths={library}}}",
                       "transform-interpreter"]
        passes += ([self.passes] if self.passes else []) + OUTLINE
        return [mlir_opt, str(self.path), f"--pass-pipeline=builtin.module({','.join(passes)})"]


def variants() -> list[Variant]:
    """All variants, sorted by name."""
    found = (Variant(p) for p in sorted(HERE.glob("*/*.mlir")))
    return [v for v in found if v.is_kernel]


def find_mlir_opt() -> str:
    for name in ("mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt", "mlir-opt"):
        path = shutil.which(name)
        if path:
            return path
    sys.exit("error: mlir-opt of LLVM 22 not found; install mlir-22-tools")


def lowered(variant: Variant) -> str:
    """One variant as GPU-dialect IR."""
    run = subprocess.run(variant.command(find_mlir_opt()), capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"error: {variant.name} could not be lowered:\n{run.stderr}")
    return run.stdout


def lower(variant: Variant, output: pathlib.Path) -> None:
    """Lowers one variant to `output`, which is there whole or not at all."""
    text = lowered(variant)
    output.parent.mkdir(parents=True, exist_ok=True)
    temporary = output.with_suffix(".tmp")
    temporary.write_text(text)
    temporary.replace(output)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variant", nargs="*",
                        help="KERNEL or KERNEL/VARIANT; all if none is named")
    parser.add_argument("--list", action="store_true", help="print the variants and their targets")
    parser.add_argument("-o", metavar="DIR", type=pathlib.Path,
                        help="write DIR/KERNEL/VARIANT.mlir; without it, one variant to "
                        "standard output")
    arguments = parser.parse_args()

    known = variants()
    chosen = known
    if arguments.variant:
        chosen = [v for v in known
                  if v.name in arguments.variant or v.path.parent.name in arguments.variant]
        names = {v.name for v in known} | {v.path.parent.name for v in known}
        for name in arguments.variant:
            if name not in names:
                sys.exit(f"error: no kernel '{name}'; known: {', '.join(v.name for v in known)}")
    if arguments.list:
        for v in chosen:
            print(v.name, *v.targets)
        return
    if arguments.o is None:
        if len(chosen) != 1:
            sys.exit("error: several variants; name one, or give a folder with -o")
        sys.stdout.write(lowered(chosen[0]))
        return
    for v in chosen:
        lower(v, arguments.o / f"{v.name}.mlir")


if __name__ == "__main__":
    main()
