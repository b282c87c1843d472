#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles GPU-dialect IR to gfx942 assembly or sm_90 PTX with a stock mlir-opt.

Needs neither ROCm nor CUDA: MLIR's own back ends do it. AMD's device libraries
(`gpu.grid_dim` becomes a call into them) and lld are found through a folder of
two symbolic links, made here for the time of the call; libdevice.ll stands in for
CUDA's mathematical functions.

A remapped kernel keeps a `swizzle.applied` attribute, which a stock mlir-opt only
accepts with --allow-unregistered-dialect; it means nothing to the back ends.

Vector accesses are compiled as aligned to their size: the kernels of this folder
are written so, and this is what turns a vector<4xf32> into one 16-byte access.
"""
from __future__ import annotations

import argparse
import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

from lower import find_mlir_opt

DEVICE_LIBRARIES = ["/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/opt/rocm/amdgcn/bitcode"]
LINKERS = ["/usr/bin/ld.lld-22", "/usr/lib/llvm-22/bin/ld.lld"]

COMMON = ["lower-affine", "expand-strided-metadata", "lower-affine", "convert-scf-to-cf"]


@contextlib.contextmanager
def rocm_toolkit() -> Iterator[pathlib.Path]:
    """A folder that looks like a ROCm installation as far as MLIR cares."""
    def first(paths: Sequence[str]) -> str:
        for path in paths:
            if pathlib.Path(path).exists():
                return path
        sys.exit(f"error: none of these exists: {', '.join(paths)}; "
                 "install rocm-device-libs and lld-22")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "llvm/bin").mkdir(parents=True)
        (root / "llvm/bin/ld.lld").symlink_to(first(LINKERS))
        (root / "amdgcn").mkdir()
        (root / "amdgcn/bitcode").symlink_to(first(DEVICE_LIBRARIES))
        yield root


def pipeline(target: str, dynamic: bool, toolkit: pathlib.Path | None) -> str:
    """The pass pipeline; `dynamic`: memrefs are passed as descriptors."""
    bare = "" if dynamic else " use-bare-ptr-memref-call-conv=1"
    vectors = "convert-vector-to-llvm{use-vector-alignment=1}"
    if target == "sm_90":
        library = pathlib.Path(__file__).resolve().parent / "libdevice.ll"
        attach = f"nvvm-attach-target{{chip=sm_90 features=+ptx80 O=3 l={library}}}"
        lower = ["convert-nvgpu-to-nvvm", f"convert-gpu-to-nvvm{{{bare.strip()}}}"]
    else:
        attach = "rocdl-attach-target{chip=gfx942 O=3}"
        lower = ["convert-amdgpu-to-rocdl{chipset=gfx942}",
                 f"convert-gpu-to-rocdl{{chipset=gfx942{bare}}}"]
    kernel = ",".join(COMMON + [vectors] + lower + ["reconcile-unrealized-casts"])
    tool = f" toolkit={toolkit}" if toolkit else ""
    return (f"builtin.module({attach},gpu.module({kernel}),"
            f"gpu-module-to-binary{{format=isa{tool}}})")


def unescape(text: str) -> str:
    """Inverse of how MLIR prints a string attribute."""
    return re.sub(r"\\([0-9A-F]{2}|.)",
                  lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else
                  {"n": "\n", "t": "\t"}.get(m[1], m[1]), text)


def compile_text(ir: str, target: str) -> str:
    """Assembly of all kernels of the module `ir`."""
    dynamic = bool(re.search(r"gpu\.func @[^\n]*memref<[^>]*\?", ir))
    folder: contextlib.AbstractContextManager[pathlib.Path | None]
    folder = rocm_toolkit() if target == "gfx942" else contextlib.nullcontext()
    with folder as toolkit:
        run = subprocess.run(
            [find_mlir_opt(), "-", "--allow-unregistered-dialect",
             f"--pass-pipeline={pipeline(target, dynamic, toolkit)}"],
            input=ir, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"error: compiling for {target} failed:\n{run.stderr[:4000]}")
    found = re.findall(r'assembly = "((?:[^"\\]|\\.)*)"', run.stdout)
    if not found:
        sys.exit("error: the module has no kernel")
    return "\n".join(unescape(text) for text in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", default="-", help="GPU-dialect IR; - is standard input")
    parser.add_argument("--target", choices=["gfx942", "sm_90"], required=True)
    parser.add_argument("-o", metavar="FILE", type=pathlib.Path, help="default: standard output")
    arguments = parser.parse_args()
    ir = sys.stdin.read() if arguments.file == "-" else pathlib.Path(arguments.file).read_text()
    text = compile_text(ir, arguments.target)
    if arguments.o:
        arguments.o.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
