# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of every kind for the tests of the page, made by the tools themselves."""
from __future__ import annotations

import json
import pathlib

import swizzle

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: A product of a tall and a wide matrix, row by row: columns of B are shared along
#: y, rows of A along x. What is not said of the grid depends on `attributes`.
PRODUCT = """
  gpu.func @product(%a: memref<1024x256xf32>, %b: memref<256x2048xf32>,
                    %c: memref<1024x2048xf32>) kernel attributes {ATTRIBUTES} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.block_id x
    %y = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c64 = arith.muli %x, %c16 : index
    %col = arith.addi %c64, %tx : index
    %r64 = arith.muli %y, %c16 : index
    %row = arith.addi %r64, %ty : index
    %sum = scf.for %k = %c0 to %c256 step %c1 iter_args(%acc = %zero) -> (f32) {
      %l = memref.load %a[%row, %k] : memref<1024x256xf32>
      %r = memref.load %b[%k, %col] : memref<256x2048xf32>
      %p = arith.mulf %l, %r : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %c[%row, %col] : memref<1024x2048xf32>
    gpu.return
  }
"""
KNOWN = ("known_grid_size = array<i32: 128, 64, 1>, "
         "known_block_size = array<i32: 16, 16, 1>")

#: Every workgroup writes what the others read.
RACE = """
  gpu.func @race(%a: memref<4096xf32>) kernel attributes {
      known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %base = arith.muli %x, %c256 : index
    %i = arith.addi %base, %t : index
    %v = memref.load %a[%t] : memref<4096xf32>
    memref.store %v, %a[%i] : memref<4096xf32>
    gpu.return
  }
"""


def module(*functions: str) -> str:
    return "gpu.module @m {\n" + "".join(functions) + "}\n"


def product(attributes: str = KNOWN) -> str:
    return PRODUCT.replace("ATTRIBUTES", attributes)


def plan_report(folder: pathlib.Path, name: str, kernel: str, options: str) -> pathlib.Path:
    """The report of the pass about `kernel`."""
    source, report = folder / f"{name}.mlir", folder / f"{name}.json"
    source.write_text(kernel)
    swizzle.run_tool("swizzle-opt", [source, f"--hw-aware-swizzle={options} report={report}",
                                     "-o", folder / f"{name}.out.mlir"])
    return report


#: One legal answer a round, then one that is not, then one that is no formula.
AGENT = """
import json, sys
request = json.load(sys.stdin)
said = [["return x // 2, y"], ["return gx - 1 - x, y", "return x, y +"],
        ["i = y * gx + x\\nreturn i // gy, i % gy"],
        ["param G in {2, 4, 8, 16}\\ni = y * gx + x\\nw = G * gx\\nh = min(gy - i // w * G, G)\\n"
         "k = i % w\\nreturn k // h, i // w * G + k % h"]]
round = request["context"]["round"]
json.dump({"critique": "", "finished": "", "proposals": [
    {"formula": text, "limits": "traffic", "change": "another order",
     "expect": "less traffic <b>", "params": []}
    for text in said[(round - 1) % len(said)]]}, sys.stdout)
"""


def tuning_files(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """The report and the journal of one run, in which formulas of all sorts came up."""
    (folder / "agent.py").write_text(AGENT)
    source = folder / "tuned.mlir"
    source.write_text(module(product(), RACE))
    report, journal = folder / "tuning.json", folder / "run.jsonl"
    swizzle.run_tool("swizzle-tune", [
        source, "--chip=mi300x", "--agent=command", f"--command=python3 {folder / 'agent.py'}",
        "--rounds=4", "--patience=9", "--compile=off", "--check=off", f"--report={report}",
        f"--journal={journal}", "-o", folder / "tuned.out.mlir"])
    return report, journal


def measured_report(folder: pathlib.Path, name: str, *options: str, times: str,
                    does: str = "") -> pathlib.Path:
    """The report of a run whose orders a driver without a GPU "measured", to be `times`."""
    tool = pathlib.Path(swizzle.find_tool("swizzle-tune"))
    report = folder / f"{name}.json"
    swizzle.run_tool(
        "swizzle-tune", [ROOT / "test/Measure/Inputs/outer.mlir", "--chip=h200", "--profiler=cuda",
                         "--check=off", *options, f"--report={report}",
                         f"--journal={folder / name}.jsonl", "-o", folder / f"{name}.out.mlir"],
        environment={"SWIZZLE_CUDA_DRIVER": str(tool.parents[1] / "lib/libFakeCuda.so"),
                     "SWIZZLE_NVML": "/nowhere/libnvidia-ml.so.1", "FAKE_GPU_US": times,
                     "FAKE_GPU_DOES": does, "FAKE_GPU_MEMORY": str(64 << 20)})
    return report


def all_inputs(folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """Every kind of file that swizzle-report reads, by a word for it."""
    columns = "formula='i = y * gx + x; return i // gy, i % gy'"
    report, journal = tuning_files(folder)
    torn = folder / "torn.jsonl"
    lines = journal.read_text().splitlines()
    torn.write_text("\n".join(line for line in lines if '"type":"end"' not in line)[:-40])
    return {
        "formula": plan_report(folder, "formula", module(product()),
                               f"chip=mi300x simulate=full {columns}"),
        "planner": plan_report(folder, "planner", module(product(), RACE), "chip=mi300x"),
        "one-die": plan_report(folder, "one-die", module(product()),
                               f"chip=h100 simulate=full {columns}"),
        "open-grid": plan_report(
            folder, "open-grid", module(product("known_block_size = array<i32: 16, 16, 1>")),
            "chip=mi300x simulate=full "
            "formula='i = y * gx + x; return i // gy, i % gy'"),
        "no-chip": plan_report(folder, "no-chip", module(product()), columns),
        "nothing": plan_report(folder, "nothing", "module {}\n", "chip=mi300x"),
        "tuning": report, "journal": journal, "torn": torn,
        "measured": measured_report(folder, "measured", times="100,90,70,50",
                                    does="ok,ok,ok,wrong"),
        "measured-journal": folder / "measured.jsonl",
        "measured-kept": measured_report(folder, "measured-kept", times="100,99.5"),
        "throughout": measured_report(folder, "throughout", "--measure=throughout",
                                      times="100,80"),
    }


def read_kernels(path: pathlib.Path) -> list[dict]:
    return json.loads(path.read_text())["kernels"]


def read_journal(path: pathlib.Path) -> list[dict]:
    """The rows about the first kernel of a journal, without a torn one."""
    rows: list[dict] = []
    for line in path.read_text().splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if "kernel" in row and (not rows or row["kernel"] == rows[0]["kernel"]):
            rows.append(row)
    return rows


def read_attempts(path: pathlib.Path) -> list[dict]:
    """The attempts at the first kernel, of a report or a journal."""
    if path.suffix == ".json":
        return read_kernels(path)[0]["tuning"]["attempts"]
    return [row["attempt"] for row in read_journal(path) if row["type"] == "attempt"]


def read_decided(path: pathlib.Path) -> tuple[dict, dict]:
    """Figures of the first kernel as it was and in its best order."""
    if path.suffix == ".json":
        tuning = read_kernels(path)[0]["tuning"]
        return tuning["baseline"], tuning["best"]["measurement"]
    rows = read_journal(path)
    (baseline,) = [row["baseline"] for row in rows if row["type"] == "kernel"]
    (best,) = [row["best"] for row in rows if row["type"] == "end"]
    (after,) = [one["measurement"] for one in read_attempts(path) if one["number"] == best]
    return baseline, after
