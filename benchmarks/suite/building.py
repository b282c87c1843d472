# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a kernel of the suite to compiled variants in a bundle, by the project's tools."""
from __future__ import annotations

import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

import lower as lowering
import suite

from swizzle.tools import run_tool

TARGET = "sm_90"
#: By the start of a target's name.
CLANG = {"sm_": ["-x", "cuda", "-nocudainc", "-nocudalib", "-Xclang", "-target-feature",
                 "-Xclang", "+ptx80"],
         "gfx": ["-x", "hip", "-nogpuinc", "-nogpulib", "-fuse-cuid=none"]}


def write_json(path: pathlib.Path, value: object) -> None:
    path.write_text(json.dumps(value) + "\n", encoding="utf-8")


def lower(case: suite.Case, folder: pathlib.Path, target: str = TARGET) -> pathlib.Path:
    """The kernel at its size, as IR that the tools read."""
    source = case.kernel.source
    if target.startswith("gfx") and case.kernel.amd_source:
        source = case.kernel.amd_source
    if source.suffix == ".mlir":
        path = folder / "kernel.mlir"
        lowering.lower(lowering.Variant(source.resolve()), path)
        return path
    path = folder / "kernel.ll"
    run_clang(case, path, "-emit-llvm", target=target)
    return path


def run_clang(case: suite.Case, out: pathlib.Path, *more: str, target: str = TARGET,
              **environment: str) -> None:
    """The kernel at its size: assembly, or what `more` options ask for."""
    clang = shutil.which("clang-22") or "clang"
    done = subprocess.run(
        [clang, *CLANG[target[:3]], f"--offload-arch={target}", "--offload-device-only", "-O2",
         "-S", f"-I{suite.HERE.parent / 'kernels/hip-cuda'}",
         *(f"-D{name}={value}" for name, value in case.sizes.items()), *more,
         "-o", out, case.kernel.source], capture_output=True, text=True,
        env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(done.stderr.strip())


def compile_by_plugin(case: suite.Case, out: pathlib.Path, chip: str,
                      plugin: pathlib.Path) -> dict[str, Any]:
    """The kernel as clang compiles it with the plugin, as PTX; returns the report."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        report = folder / "report.json"
        options = [f"chip={chip}", f"launches={write_launches(case, folder)}",
                   f"report={report}"]
        run_clang(case, out, f"-fpass-plugin={plugin}", SWIZZLE_OPTIONS=";".join(options))
        told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return told


def remap(case: suite.Case, source: pathlib.Path, out: pathlib.Path, chip: str,
          formula: str | None = None, more: str = "") -> dict[str, Any]:
    """Writes the kernel in another order, the planner's or `formula`, and returns the
    report. What is kept is not written anew."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        report = folder / "report.json"
        options = [f"chip={chip}"]
        if formula is not None:
            (folder / "formula.swz").write_text(formula, encoding="utf-8")
            options.append(f"formula-file={folder / 'formula.swz'}")
        if more:
            options.append(more)
        if source.suffix == ".mlir":
            options.append(f"report={report}")
            options += [f"registers={number}" for number in case.registers.values()]
            run_tool("swizzle-opt", [source, f"--hw-aware-swizzle={' '.join(options)}", "-o", out])
        else:
            options.append(f"launches={write_launches(case, folder)}")
            run_tool("swizzle-llvm", [source, f"--options={';'.join(options)}",
                                      f"--report={report}", "-o", out])
        told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return told


def write_launches(case: suite.Case, folder: pathlib.Path) -> pathlib.Path:
    """The grid of each kernel, the largest where it is launched on several, and the registers
    of a thread where they are known."""
    largest: dict[str, dict[str, Any]] = {}
    for launch in case.launches():
        known = largest.get(launch["kernel"])
        if known is None or math.prod(known["grid"]) < math.prod(launch["grid"]):
            largest[launch["kernel"]] = launch
    path = folder / "launches.json"
    told: dict[str, dict[str, Any]] = {
        name: {"grids": ["x".join(map(str, launch["grid"]))],
               "block": "x".join(map(str, launch["block"]))}
        for name, launch in largest.items()}
    for name in told.keys() & case.registers.keys():
        told[name]["registers"] = case.registers[name]
    write_json(path, {"schema": "swizzle-launches/1", "kernels": told})
    return path


def compile_ptx(source: pathlib.Path, out: pathlib.Path) -> None:
    run_tool("swizzle-compile", [source, f"--target={TARGET}", "-o", out])


def assemble(ptx: pathlib.Path) -> pathlib.Path:
    """A cubin beside the PTX, where CUDA's assembler is installed; else the PTX, which the
    driver then assembles itself, one after the other."""
    assembler = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not os.access(assembler, os.X_OK):
        return ptx
    cubin = ptx.with_suffix(".cubin")
    done = subprocess.run([assembler, f"-arch={TARGET}", "-o", cubin, ptx],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{ptx}: {done.stderr.strip()}")
    return cubin


def variant(name: str, path: pathlib.Path, formula: str = "") -> dict[str, str]:
    """As a bundle lists it."""
    return {"name": name, "file": path.name, "format": path.suffix[1:], "target": TARGET,
            **({"formula": formula} if formula else {})}


def write_job(case: suite.Case, folder: pathlib.Path, chip: str,
              variants: list[dict[str, str]]) -> None:
    write_json(folder / "job.json", {
        "schema": "swizzle-job/1", "name": case.name, "chip": chip, "variants": variants,
        "launches": case.launches(), "measure": {"warm_ups": 3, "repeats": 20},
        "check": {"compare": True}})
