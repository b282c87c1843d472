#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles AmdProbe.ll for each target, and prints AmdProbe.inc: code objects in base64.

    embed_probe.py SWIZZLE_COMPILE LLVM_OBJCOPY > AmdProbe.inc

swizzle-run is built without LLVM, so what it carries is made beforehand; a test
(test/Measure/probe.test) compares it with what is made anew.
"""
from __future__ import annotations

import base64
import pathlib
import subprocess
import sys
import tempfile

# The target, and its kernel: those without the register of the die have one die.
KERNELS = {"gfx950": "probe", "gfx942": "probe", "gfx90a": "probe_one_die",
           "gfx908": "probe_one_die"}
WIDTH = 76

HEADER = """\
//===- AmdProbe.inc - Probing kernels of AMD's GPUs, compiled ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by embed_probe.py from AmdProbe.ll: target, kernel, code object in base64.
//
//===----------------------------------------------------------------------===//
"""


def main() -> None:
    compiler, objcopy = sys.argv[1:]
    source = pathlib.Path(__file__).with_name("AmdProbe.ll")
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder:
        for target, kernel in KERNELS.items():
            built = pathlib.Path(folder, target)
            subprocess.run([compiler, source, f"--target={target}", f"--kernel={kernel}", "-o",
                            built], check=True)
            # Names and the linker's version are not needed to run.
            subprocess.run([objcopy, "--strip-all", built], check=True)
            text = base64.b64encode(built.read_bytes()).decode()
            print(f'{{"{target}", "{kernel}",')
            for at in range(0, len(text), WIDTH):
                end = "" if at + WIDTH < len(text) else "},"
                print(f' "{text[at:at + WIDTH]}"{end}')


if __name__ == "__main__":
    main()
