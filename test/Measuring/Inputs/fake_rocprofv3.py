#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for rocprofv3: runs the program, and writes a line for each counter of each
launch that it made, and of the kernels that fill memory. With FAKE_ROCPD set they go to a
database, as ROCm 7 has it."""
import csv
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

arguments = sys.argv[1:]
program = arguments[arguments.index("--") + 1:]
folder = arguments[arguments.index("-d") + 1]
counters = arguments[arguments.index("--pmc") + 1:arguments.index("--mangled-kernels")]
assert len(counters) <= 2, "not all of these can be counted at once"
with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
    subprocess.run(program, check=True, env={**os.environ, "FAKE_GPU_LOG": log.name})
    modules = [int(line.split()[3].rstrip(",")) for line in log]
with open(os.path.join(program[-1], "job.json"), encoding="utf-8") as file:
    kernel = json.load(file)["launches"][0]["kernel"]

rows = []
for number, module in enumerate(modules):
    values = {"TCC_HIT_sum": 50 + 10 * module, "TCC_MISS_sum": 50 - 10 * module,
              "FETCH_SIZE": 100 - module, "WRITE_SIZE": 1}
    for counter in counters:
        rows.append((2 * number + 1, "__amd_rocclr_fillBufferAligned", counter, 7e6))
        rows.append((2 * number + 2, kernel, counter, values[counter]))

os.makedirs(folder)
if os.environ.get("FAKE_ROCPD"):
    with sqlite3.connect(os.path.join(folder, "counted_results.db")) as database:
        database.execute("CREATE TABLE counters_collection "
                         "(dispatch_id INTEGER, kernel_name TEXT, counter_name TEXT, value REAL)")
        database.executemany("INSERT INTO counters_collection VALUES (?, ?, ?, ?)", rows)
else:
    path = os.path.join(folder, "counted_counter_collection.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(["Dispatch_Id", "Kernel_Name", "Counter_Name", "Counter_Value"])
        writer.writerows(rows)
