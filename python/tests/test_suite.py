# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suite of benchmarks/suite: its orders, its manifest, and the page of what it measured."""
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

SUITE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "suite"
sys.path[:0] = [str(SUITE), str(SUITE.parent / "probes")]

import guards  # noqa: E402
import halo  # noqa: E402
import matrices  # noqa: E402
import orders  # noqa: E402
import report  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import find_tool  # noqa: E402

ROWS = SUITE.parent / "measured" / "h200" / "suite.jsonl"
PRACTICE = SUITE.parent / "kernels" / "hip-cuda"


def walk(order, grid):
    """The ids that a formula gives the workgroups of a grid, one after the other."""
    gx, gy, gz = [*grid, 1, 1][:3]
    code = compile(orders.formula(order, grid).replace("return", "found ="), order, "exec")
    ids = []
    for z in range(gz):
        for y in range(gy):
            for x in range(gx):
                names = dict(x=x, y=y, z=z, gx=gx, gy=gy, gz=gz)
                exec(code, {}, names)
                ids.append(names["found"])
    return ids


@pytest.mark.parametrize("grid", [(16,), (8, 12), (1, 64), (4, 6, 8), (3, 5, 7), (1,)])
def test_every_order_of_a_sweep_is_a_permutation(grid):
    every = {(x, y, z) for x in range(grid[0]) for y in range([*grid, 1][1])
             for z in range([*grid, 1, 1][2])}
    for order in orders.candidates(grid):
        ids = walk(order, grid)
        assert len(ids) == len(every) and set(ids) == every, order


def test_an_order_is_its_loops_the_outermost_first():
    assert walk("y, x", (2, 2)) == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    assert walk("y/2, x, y", (2, 4))[:5] == [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0),
                                             (0, 2, 0)]
    assert walk("x, y<", (2, 2)) == [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)]
    with pytest.raises(ValueError, match="do not divide"):
        orders.formula("y/4, x, y", (2, 6))


def test_the_first_order_is_the_kernels_own_and_none_comes_twice():
    for grid in [(64, 64), (64, 1024, 64), (512,), (2, 98, 32)]:
        swept = orders.sweep(grid)
        assert walk(swept[0], [min(extent, 8) for extent in grid]) == \
            [(x, y, z) for z in range(min([*grid, 1, 1][2], 8))
             for y in range(min([*grid, 1][1], 8)) for x in range(min(grid[0], 8))]
        assert len(set(swept)) == len(swept) <= orders.WANTED


def test_sizes_are_drawn_by_the_seed_alone():
    for kernel in suite.load():
        drawn = kernel.drawn(1, 2)
        assert drawn == kernel.drawn(1, 2)
        assert all(kernel.fits(sizes) for sizes in drawn)
        assert not kernel.choices or len(drawn) == 2
    assert any(kernel.drawn(1, 2) != kernel.drawn(2, 2) for kernel in suite.load())


def test_matrices_are_what_they_are_called_and_by_their_seed_alone(monkeypatch, tmp_path):
    side, per_row = 12, matrices.PER_ROW
    monkeypatch.setattr(matrices, "SIDE", side)
    monkeypatch.setattr(matrices, "ROWS", side ** 3)
    found = {kind: list(make()) for kind, make in matrices.KINDS.items()}
    for kind, make in matrices.KINDS.items():
        assert list(make()) == found[kind] and len(found[kind]) == side ** 3
        assert all(columns == sorted(set(columns)) for columns in found[kind])
    assert sum(map(len, found["regular"])) == (3 * side - 2) ** 3
    assert all((row in columns) and all(row in found["regular"][column] for column in columns)
               for row, columns in enumerate(found["regular"]))
    assert {len(columns) for columns in found["banded"]} == {per_row}
    assert max(abs(row - column) for row, columns in enumerate(found["banded"])
               for column in columns) == side ** 2
    lengths = sorted(map(len, found["power-law"]))
    assert 0.8 * per_row < sum(lengths) / side ** 3 < 1.2 * per_row
    assert lengths[side ** 3 // 2] < per_row < lengths[-1] / 4
    count = matrices.write("banded", tmp_path / "banded.mtx")
    header, sizes, *lines = (tmp_path / "banded.mtx").read_text(encoding="utf-8").splitlines()
    assert header.startswith("%%MatrixMarket matrix coordinate pattern")
    assert sizes == f"{side ** 3} {side ** 3} {count}" and len(lines) == count
    assert lines[0] == f"1 {found['banded'][0][0] + 1}"


@pytest.mark.parametrize("text", ["__import__('os')", "NX ** 2", "NX.real", "7 / 2", "[1]"])
def test_expressions_of_the_manifest_are_arithmetic(text):
    with pytest.raises(ValueError):
        suite.evaluate(text, {"NX": 4})


def test_grids_of_the_manifest_are_those_of_its_sizes():
    kernels = {kernel.name: kernel for kernel in suite.load()}
    case = suite.Case(kernels["smith_waterman"], {"N": 256})
    assert [launch["grid"][0] for launch in case.launches()] == [1, 2, 3, 4, 3, 2, 1]
    assert [launch["arguments"][3]["value"] for launch in case.launches()] == list(range(7))
    case = suite.Case(kernels["star3d_r1"], {"R": 1, "NX": 128, "NY": 8, "NZ": 2})
    assert case.launches()[0]["grid"] == [2, 2, 2]
    assert case.buffer("in")["bytes"] == 4 * (128 + 64) * (8 + 2) * (2 + 2)


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
def test_every_kernel_compiles(tmp_path):
    for kernel in suite.load():
        if kernel.source.suffix != ".cu":
            continue
        sizes = {**kernel.fixed, **kernel.listed[0]}
        subprocess.run(
            ["clang-22", "-x", "cuda", "-nocudainc", "-nocudalib", "--offload-arch=sm_90",
             "--offload-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx80", "-Wall",
             "-Werror", "-Wno-unknown-cuda-version", "-O1", "-S", "-emit-llvm",
             f"-I{SUITE.parent / 'kernels/hip-cuda'}",
             *(f"-D{name}={value}" for name, value in sizes.items()),
             "-o", tmp_path / f"{kernel.name}.ll", kernel.source], check=True)


@pytest.mark.parametrize("program, options, complaint", [
    ("prepare.py", ["--kernel", "softmx"], "has no kernel 'softmx', but star3d_r1"),
    ("prepare.py", ["--manifest=missing.json"], "No such file or directory: 'missing.json'"),
    ("prepare.py", ["--plugin=SwizzleLLVM.so"], "attention_scores is not one"),
    ("sweep.py", ["--out=rows.jsonl", "--kernel", "softmx"], "has no kernel 'softmx'"),
    ("tune.py", ["--out=rows.jsonl", "--known=rows.jsonl", "--kernel", "softmx"],
     "has no kernel 'softmx'")])
def test_wrong_names_are_told(program, options, complaint, tmp_path):
    done = subprocess.run([sys.executable, SUITE / program, tmp_path, *options], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 2 and complaint in done.stderr and not list(tmp_path.iterdir())


def test_kernels_of_practice_are_launched_as_they_are_planned_for():
    planned = json.loads((PRACTICE / "launches.json").read_text(encoding="utf-8"))["kernels"]
    for kernel in suite.load(PRACTICE / "suite.json"):
        (launch,) = suite.Case(kernel, {}).launches()
        sizes = {name: "x".join(map(str, launch[name])) for name in ("grid", "block")}
        (grid,) = planned[kernel.name]["grids"]
        assert sizes["grid"].startswith(grid) and set(sizes["grid"][len(grid):]) <= {"x", "1"}
        block = planned[kernel.name]["block"]
        assert sizes["block"].startswith(block) and set(sizes["block"][len(block):]) <= {"x", "1"}


@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")
def test_clang_with_the_plugin_makes_a_bundle(tmp_path):
    plugin = find_tool("swizzle-llvm").resolve().parents[1] / "lib" / "SwizzleLLVM.so"
    subprocess.run(
        [sys.executable, SUITE / "prepare.py", tmp_path, f"--manifest={PRACTICE / 'suite.json'}",
         f"--plugin={plugin}", "--kernel", "stencil3d", "softmax"], check=True)
    variants = {}
    for name in ("stencil3d", "softmax"):
        job = json.loads((tmp_path / name / "job.json").read_text(encoding="utf-8"))
        variants[name] = [one["name"] for one in job["variants"]]
        for one in job["variants"]:
            assert f".entry {name}(" in (tmp_path / name / one["file"]).read_text(encoding="utf-8")
    assert variants == {"stencil3d": ["original", "planner"], "softmax": ["original"]}
    # What is kept is the same assembly, and needs no measurement of its own.
    made = [(tmp_path / "softmax" / f"{name}.ptx").read_bytes() for name in ("original", "planner")]
    assert made[0] == made[1]


def test_a_variant_that_failed_is_no_result():
    fast = {"cold_median_us": 1.0, "outputs": "identical"}
    told = {"case": "k", "finals": {"original": fast, "planner": fast}, "decided": []}
    assert report.Row(told).identical and report.Row(told).planned == 1.0
    told["finals"]["planner"] = {"failure": "its outputs differ"}
    assert not report.Row(told).identical
    with pytest.raises(AssertionError):
        report.Row(told).planned
    del told["finals"]["planner"]
    assert report.Row(told).planned == 1.0
    assert not report.are_identical({"original": {"cold_median_us": 1.0}})


def test_the_page_of_measurements_is_current():
    subprocess.run([sys.executable, SUITE / "report.py", "--check"], check=True)


def test_measured_rows_name_orders_of_their_grids():
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        axes = [axis for axis, extent in zip("xyz", row["grid"]) if extent > 1]
        for name in {*row["orders"], *row["finals"]} - {"original", "planner"}:
            orders.formula(name, row["grid"])  # raises where tiles do not divide the grid
            loops = [word.rstrip("<") for word in name.split(", ")]
            assert sorted(loop for loop in loops if "/" not in loop) == axes, (row["case"], name)
            tiled = [loop[0] for loop in loops if "/" in loop]
            assert len(tiled) == len(set(tiled)), (row["case"], name)
            if len(axes) > 1:
                assert all(loops.index(loop) < loops.index(loop[0])
                           for loop in loops if "/" in loop), (row["case"], name)


GUARDED = """
\tmov.u32 \t%r1, %ctaid.x;
\tmov.u32 \t%r2, %ctaid.y;
\tselp.b32 \t%r7, %r5, %r1, %p3;
\tselp.b32 \t%r8, %r1, %r2, %p3;
\tselp.b32 \t%r9, %r7, %r8, %p4;
"""


def test_selections_by_the_comparisons_alone_are_taken_out():
    assert guards.without_guard(GUARDED) == GUARDED.replace(
        "selp.b32 \t%r7, %r5, %r1, %p3", "mov.b32 \t%r7, %r5").replace(
        "selp.b32 \t%r8, %r1, %r2, %p3", "mov.b32 \t%r8, %r1")
    # The ids as they were are what is taken where the comparisons hold: not understood.
    assert guards.without_guard(GUARDED.replace("%r5, %r1", "%r1, %r5")) is None
    assert guards.without_guard("ret;") is None


def test_fields_of_the_probe_go_through_its_orders():
    for order in halo.ORDERS:
        x_low, y_low, y_bits, y_high, z_low, z_bits, z_high = halo.fields(order)
        bits = [*range(x_low, x_low + 6)]
        for low, count, high, all_bits in ((y_low, y_bits, y_high, 10), (z_low, z_bits, z_high, 6)):
            bits += [*range(low, low + count), *range(high, high + all_bits - count)]
        assert sorted(bits) == list(range(22)), order
    # The innermost axis has the lowest bits.
    assert halo.fields("x, y, z")[4] == 0 and halo.fields("z, y, x")[0] == 0
    assert halo.fields("y/32, z, y, x")[1:4] == [6, 5, 17]
