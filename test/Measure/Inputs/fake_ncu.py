#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for ncu: runs the program, and prints a table of the launches that it made.
FAKE_NCU=old knows less, FAKE_NCU=forbidden may not count; as ncu, both say so in what
they print, and end with 1."""
import os
import subprocess
import sys
import tempfile

program = next(i for i, word in enumerate(sys.argv) if word.endswith("swizzle-run"))
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
kind = os.environ.get("FAKE_NCU", "new")
print("==PROF== Connected")
if kind == "old" and len(metrics) > 4:
    print(f"==ERROR== Failed to find metric {metrics[4]}")
    sys.exit(1)
if kind == "forbidden":
    print("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access counters")
    sys.exit(1)
with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
    subprocess.run(sys.argv[program:], check=True,
                   env={**os.environ, "FAKE_GPU_LOG": log.name})
    modules = [int(line.split()[3].rstrip(",")) for line in log]
UNITS = ["%", "sector", "byte", "byte", *["sector"] * 5, "inst", "", "ns"]
print(",".join(f'"{name}"' for name in ["ID", "Kernel Name", *metrics]))
print(",".join(f'"{unit}"' for unit in ["", "", *UNITS[:len(metrics)]]))
for number, module in enumerate(modules):
    values = [50 + 10 * module, "1,000", f"{100 - module},000", 64,
              750, 400 + 100 * module, 200, 400, 300, "2,000", 3, "4,500"]
    print(",".join(f'"{cell}"' for cell in [number, "k", *values[:len(metrics)]]))
