# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products in fp16 of benchmarks/suite: what is launched, what the planner makes of it, and
the section of what was measured."""
import json
import math
import pathlib
import subprocess
import sys

import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
SUITE = BENCHMARKS / "suite"
sys.path.insert(0, str(SUITE))

import fp16_cases  # noqa: E402
import fp16_report  # noqa: E402
from fp16_cases import BUILDS, CASES, KERNELS, LARGEST, SMALL, Case  # noqa: E402

SHARED = 227 << 10  #: bytes of shared memory that a workgroup has on sm_90


def row(case, **changes):
    """What `fp16.py` writes, with times that are made up."""
    times = {"own": 2000.0, "planner": 1900.0, "grouped": 1950.0, "cublas": 1600.0}
    times |= changes.pop("times", {})
    times = {name: time for name, time in times.items() if time}
    return {"schema": "swizzle-suite-fp16/1", "size": case.size, "batch": case.batch,
            "m": case.m, "n": case.n, "k": case.k, "tile": list(case.tile), "warps": 8,
            "stages": 3, "device": "NVIDIA H200", "driver": "580.1", "cuda": "13.0",
            "torch": "2.11.0", "triton": "3.6.0", "date": "2026-11-24T01:02:03+00:00",
            "planner": {"outcome": "remapped" if "planner" in times else "kept"}, "differ": [],
            "error": 0.0003, "median_us": times,
            "turns_us": {name: [time] * 20 for name, time in times.items()}, **changes}


LARGE, LITTLE = Case(8192, 8192, 8192), Case(4096, 4096, 4096, tile=SMALL)


def test_a_row_of_the_section_has_all_times_and_compares_the_faster_of_ours():
    lines = fp16_report.section([row(LARGE), row(LITTLE, times={"planner": None})])
    assert lines[0] == "## Products in fp16, beside cuBLAS"
    first, second = [line for line in lines if line.startswith(("| 8192", "| 4096"))]
    # 2 * 8192^3 operations in 1900 us.
    assert first == ("| 8192x8192x8192 | 128x256x64, 8 warps, 3 stages | 2000.0 | 1900.0 | 1950.0 "
                     "| 1600.0 | 579 | 0.84 |")
    assert "| 128x128x64, 8 warps, 3 stages | 2000.0 | kept | 1950.0 | 1600.0 | 69 | 0.80 |" \
        in second
    text = "\n".join(lines)
    assert "Medians of 20 turns" in text and "NVIDIA H200 (driver 580.1, CUDA 13.0" in text
    assert "wrote the same bits: yes" in text
    assert "500 TFLOP/s or more: 1 of 1. Holds: yes." in text
    assert "80 % of what cuBLAS does or more: 1 of 1. Holds: yes." in text


def test_bars_that_do_not_hold_say_where():
    slow = {"own": 2300.0, "planner": 2250.0}
    text = "\n".join(fp16_report.section([row(LARGE, times=slow), row(LITTLE, times=slow)]))
    assert "0 of 1. Holds: **no**, not 8192x8192x8192 in tiles of 128x256x64." in text
    assert "0 of 1. Holds: **no**, not 4096x4096x4096 in tiles of 128x128x64." in text
    # Without cuBLAS nothing can be said of a share, and of no rows nothing at all.
    text = "\n".join(fp16_report.section([row(LITTLE, times={"cublas": None})]))
    assert "tiles of 128x256x64, at 500 TFLOP/s or more: not measured." in text
    assert "cuBLAS does or more: 0 of 1. Holds: **no**" in text
    assert fp16_report.section([]) == []


def test_orders_that_differ_are_named():
    text = "\n".join(fp16_report.section([row(LARGE, differ=["planner"]), row(LITTLE)]))
    assert "wrote the same bits: **no**: 8192x8192x8192 in tiles of 128x256x64." in text


def test_the_page_takes_the_rows(tmp_path):
    path = tmp_path / "fp16.jsonl"
    path.write_text(json.dumps(row(LARGE)) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, SUITE / "report.py", "--rows", BENCHMARKS / "measured/h200/suite.jsonl",
         "--fp16", path], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.endswith("\n".join(fp16_report.section([row(LARGE)])))
    assert done.stdout.count("\n## Products in fp16, beside cuBLAS\n") == 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tiles_cover_every_product_and_nothing_else(case):
    sizes = case.m, case.n, case.k
    assert all(size % extent == 0 for size, extent in zip(sizes, case.tile))
    for order in KERNELS:
        programs = math.prod(case.grid(order))
        assert programs * case.tile[0] * case.tile[1] == math.prod(case.shapes()[2])
        assert max(case.grid(order)[1:]) <= 65535
    # Offsets are computed in 32 bits.
    assert all(math.prod(shape) < 1 << 31 for shape in case.shapes())


@pytest.fixture
def device(monkeypatch):
    pytest.importorskip("triton", reason="triton is not installed; scripts/lib/setup.sh puts it "
                        "into build/triton")
    monkeypatch.syspath_prepend(str(BENCHMARKS / "kernels" / "triton"))
    from triton_device import use
    return use("sm_90")


def planner(folder):
    from swizzle.triton.planning import Planner
    from swizzle.triton.settings import Settings
    return Planner(Settings(chip="h200", cache=folder))


@pytest.mark.parametrize("tile", [LARGEST, SMALL], ids=str)
def test_every_build_uses_the_matrix_units_and_fits(device, tile):
    from triton_device import Tensor
    case = next(case for case in CASES if case.tile == tile)
    for build in BUILDS[tile]:
        for order in KERNELS:
            kernel = fp16_cases.compiled(case, order, build, Tensor())
            assert f"wgmma.mma_async.sync.aligned.m64n{tile[1]}k16.f32.f16.f16" \
                in kernel.asm["ptx"], (order, build)
            assert kernel.metadata.shared <= SHARED, (order, build)
            assert kernel.metadata.num_warps == build.warps


@pytest.mark.parametrize("case", [CASES[3], CASES[4], CASES[5]], ids=lambda case: case.name)
def test_the_planner_knows_every_access(device, case, tmp_path):
    from triton_device import Tensor
    build = BUILDS[case.tile][0]
    kernel = fp16_cases.compiled(case, "own", build, Tensor())
    planned = fp16_cases.plan(case, kernel, [Tensor() for _ in range(3)], planner(tmp_path))
    assert planned.launch.outcome in ("kept", "remapped"), planned.launch.reason
    assert planned.launch.modelled == planned.launch.accesses > 0
    assert bool(planned.variants) == (planned.launch.outcome == "remapped")
    # A row of its tiles needs more of B than the caches hold.
    assert planned.variants or case.size != "16384x16384x4096"


def test_a_launch_passes_what_the_kernels_take(device):
    from triton_device import Tensor
    tensors = [Tensor()] * 3
    for case in (CASES[3], CASES[5]):
        for order in KERNELS:
            kernel = fp16_cases.compiled(case, order, BUILDS[case.tile][0], Tensor())
            everything = case.arguments(order, tensors)
            assert len(everything) == len(kernel.src.signature)
            kernel[case.grid(order)](*everything)
            assert device.launches[-1][0] == case.grid(order)
