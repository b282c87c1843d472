#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for ncu: runs the program, and prints a table of the launches that it made."""
import os
import subprocess
import sys
import tempfile

program = next(i for i, word in enumerate(sys.argv) if word.endswith("swizzle-run"))
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
    subprocess.run(sys.argv[program:], check=True,
                   env={**os.environ, "FAKE_GPU_LOG": log.name})
    modules = [int(line.split()[3].rstrip(",")) for line in log]
print("==PROF== Connected")
print(",".join(f'"{name}"' for name in ["ID", "Kernel Name", *metrics]))
print(",".join(f'"{unit}"' for unit in ["", "", "%", "sector", "byte", "byte"]))
for number, module in enumerate(modules):
    cells = [number, "k", 50 + 10 * module, "1,000", f"{100 - module},000", 64]
    print(",".join(f'"{cell}"' for cell in cells))
