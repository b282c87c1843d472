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

# What rocprofv3 of ROCm 6.4 and 7 writes: all columns of its table; in the database, a
# value for each instance of a counter, which a view adds up.
COLUMNS = ["Correlation_Id", "Dispatch_Id", "Agent_Id", "Queue_Id", "Process_Id", "Thread_Id",
           "Grid_Size", "Kernel_Id", "Kernel_Name", "Workgroup_Size", "LDS_Block_Size",
           "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count", "Counter_Name",
           "Counter_Value", "Start_Timestamp", "End_Timestamp"]
SCHEMA = """
CREATE TABLE rocpd_kernel_dispatch_{0} (id INTEGER, guid TEXT, event_id INTEGER,
  dispatch_id INTEGER, kernel_id INTEGER, start BIGINT, end BIGINT);
CREATE TABLE rocpd_info_kernel_symbol_{0} (id INTEGER, guid TEXT, display_name TEXT);
CREATE TABLE rocpd_info_pmc_{0} (id INTEGER, guid TEXT, name TEXT);
CREATE TABLE rocpd_pmc_event_{0} (guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL);
CREATE VIEW counters_collection AS
  SELECT k.guid, k.dispatch_id, s.display_name AS kernel_name, i.name AS counter_name,
         SUM(e.value) AS value, k.start, k.end, (k.end - k.start) AS duration
  FROM rocpd_pmc_event_{0} e
  JOIN rocpd_info_pmc_{0} i ON i.id = e.pmc_id AND i.guid = e.guid
  JOIN rocpd_kernel_dispatch_{0} k ON k.event_id = e.event_id AND k.guid = e.guid
  JOIN rocpd_info_kernel_symbol_{0} s ON s.id = k.kernel_id AND s.guid = k.guid
  GROUP BY k.guid, k.dispatch_id, i.name;
"""


def write_database(path: str) -> None:
    guid = "00000f3a_55aa_7555_8000_0123456789ab"
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA.format(guid))

        def insert(table: str, *values: object) -> None:
            marks = ", ".join("?" * len(values))
            database.execute(f"INSERT INTO rocpd_{table}_{guid} VALUES ({marks})", values)

        kernels = sorted({row[1] for row in rows})
        for number, name in enumerate(kernels):
            insert("info_kernel_symbol", number, guid, name)
        for number, name in enumerate(counters):
            insert("info_pmc", number, guid, name)
        for launch, name in sorted({row[:2] for row in rows}):
            insert("kernel_dispatch", launch, guid, 100 + launch, launch, kernels.index(name), 0, 1)
        for launch, name, counter, value in rows:
            for part in (0.25, 0.75):
                insert("pmc_event", guid, 100 + launch, counters.index(counter), part * value)


os.makedirs(folder)
if os.environ.get("FAKE_ROCPD"):
    write_database(os.path.join(folder, "counted_results.db"))
else:
    path = os.path.join(folder, "counted_counter_collection.csv")
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(COLUMNS)
        for launch, name, counter, value in rows:
            file.write(f'{launch},{launch},"Agent 1",2,77,77,4096,3,"{name}",64,0,0,12,4,32,'
                       f'"{counter}",{value:.8e},{launch}000,{launch}900\n')
