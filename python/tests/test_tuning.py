# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The loop through swizzle-tune, with Python callables as agents."""
import json
import math
import pathlib

import pytest

import swizzle

# Every workgroup of a column of the grid reads the same half lines.
KERNEL = """
gpu.module @m {
  gpu.func @k(%a: memref<2048x1024xf32>, %b: memref<64x2048x16xf32>) kernel
      attributes {known_grid_size = array<i32: 8, 64, 1>, known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %base = arith.muli %x, %c256 : index
    scf.for %i = %c0 to %c256 step %c1 {
      %row = arith.addi %base, %i : index
      %v = memref.load %a[%row, %t] : memref<2048x1024xf32>
      memref.store %v, %b[%y, %row, %t] : memref<64x2048x16xf32>
    }
    gpu.return
  }
}
"""
COLUMNS = "i = y * gx + x\nreturn i // gy, i % gy"
OPTIONS = {"objective": "l2-hit-rate", "compile": "off", "check": "off",
           "planner_first": "false"}


def test_a_callable_is_told_what_became_of_its_proposals():
    seen = []

    def agent(request):
        seen.append(request["context"])
        return ["return x // 2, y"] if len(seen) == 1 else [COLUMNS]

    (kernel,) = swizzle.tune(KERNEL, "mi300x", agent, rounds=2, **OPTIONS).kernels
    assert [context["round"] for context in seen] == [1, 2]
    assert "both map to" in str(seen[1]["history"])
    first, second = kernel.attempts
    assert first.status == "illegal" and not first.legal and "both map to" in first.counterexample
    assert second.legal and second.metrics.origin == "simulated"


def test_the_best_is_in_the_ir_that_comes_back():
    rows = pathlib.Path(__file__).parents[2] / "test" / "Tuning" / "planner.mlir"
    options = {**OPTIONS, "kernel": "rows"}
    (planned,) = swizzle.tune(rows, "mi300x", **options).kernels
    assert planned.outcome == "remapped"
    run = swizzle.tune(rows, "mi300x", lambda request: [planned.formula, "return x, y"],
                       rounds=1, **options)
    (kernel,) = run.kernels
    assert kernel.outcome == "remapped" and "swizzle.applied" in run.ir
    assert kernel.gain > 1 and kernel.best_so_far() == [1.0, pytest.approx(kernel.gain)]
    same = kernel.attempts[1]
    assert same.status == "duplicate" and same.same_as == 0


def test_an_agent_that_raises_leaves_the_kernel_alone():
    def agent(request):
        raise ValueError("no idea")

    run = swizzle.tune(KERNEL, "mi300x", agent, rounds=1, **OPTIONS)
    (kernel,) = run.kernels
    assert kernel.outcome == "kept" and "swizzle.applied" not in run.ir
    assert "no idea" in run.log


def test_the_report_is_kept_where_it_is_asked_for(tmp_path):
    path = tmp_path / "kept.json"
    for _ in range(2):
        run = swizzle.tune(KERNEL, "mi300x", lambda request: [COLUMNS], rounds=1, report=path,
                           **OPTIONS)
        assert run.kernels == swizzle.read_tuning(path) and len(run.kernels) == 1
    with pytest.raises(ValueError, match="report='-': name a file"):
        swizzle.tune(KERNEL, "mi300x", report="-", **OPTIONS)
    # That of an earlier run is not taken for this one's.
    with pytest.raises(swizzle.ToolError) as raised:
        swizzle.tune(KERNEL, "mi300x", report=path, objective="speed")
    assert not isinstance(raised.value, swizzle.TuningError)


def test_prompts_are_in_the_log():
    run = swizzle.tune(KERNEL, "mi300x", "openai", model="m", extra_body={"seed": 1},
                       show_prompt=True, **OPTIONS)
    assert "=== system ===" in run.log and not run.kernels and run.ir is None


def test_a_run_that_is_ended_leaves_what_it_found():
    rows = pathlib.Path(__file__).parents[2] / "test" / "Tuning" / "planner.mlir"
    with pytest.raises(swizzle.TuningError, match="status 130") as raised:
        swizzle.tune(rows, "mi300x", "planner,command", command="kill -INT $PPID; sleep 60",
                     kernel="rows", **OPTIONS)
    (kernel,) = raised.value.run.kernels
    assert kernel.outcome == "remapped" and "swizzle.applied" in raised.value.run.ir


def report(tmp_path, objective, before, after, measured=None):
    """A report of one kernel whose best order has the figures `after`."""
    path = tmp_path / "report.json"
    attempt = {"number": 1, "round": 1, "agent": "a", "status": "profiled", "code": "best",
               "measurement": after}
    path.write_text(json.dumps({"schema": "swizzle-tuning/1", "kernels": [{
        "module": "m", "name": "k", "outcome": "remapped", "measured": measured, "tuning": {
            "objective": objective, "rounds": 1, "attempts": [attempt], "baseline": before,
            "best": {"attempt": 1, "formula": "return y, x", "measurement": after}}}]}))
    (kernel,) = swizzle.read_tuning(path)
    return kernel


@pytest.mark.parametrize("objective, gain", [
    ("time", 0.8), ("energy", 2.0), ("l2-hit-rate", math.inf), ("dram-bytes", None)])
def test_a_gain_is_the_objectives(tmp_path, objective, gain):
    before = {"time_us": 100.0, "energy_joules": 10.0, "l2_hit_rate": 0.5}
    after = {"time_us": 125.0, "energy_joules": 5.0, "l2_hit_rate": 1.0}
    kernel = report(tmp_path, objective, before, after)
    assert kernel.gain == gain
    assert kernel.best_so_far() == [1.0, max(1.0, gain or 0)]
    assert kernel.baseline.energy_joules == 10 and kernel.best.energy_joules == 5


def test_an_objective_of_another_version_has_no_gain(tmp_path):
    kernel = report(tmp_path, "watts", {"time_us": 100.0}, {"time_us": 50.0})
    with pytest.raises(ValueError, match="'watts'; known are time, l2-hit-rate"):
        kernel.gain


def test_what_a_gpu_said_is_not_what_was_simulated(tmp_path):
    rows = [{"variant": "original", "metrics": {"origin": "measured", "time_us": 100.0}},
            {"variant": "attempt 1", "metrics": {"origin": "measured", "time_us": 80.0}},
            {"variant": "attempt 12", "failure": "hangs"}]
    kernel = report(tmp_path, "time", {"time_us": 9.0}, {"time_us": 3.0},
                    {"attempt": 1, "reason": "faster", "notes": [], "rows": rows})
    assert kernel.gain == 3 and kernel.baseline.origin == "simulated"
    measured = kernel.measured
    assert measured.gain == 1.25 and measured.original.origin == "measured"
    assert set(measured.rows) == {1} and measured.rows[1].time_us == 80
    kept = report(tmp_path, "time", {}, {}, {"attempt": 0, "rows": rows}).measured
    assert kept.gain == 1.0 and kept.attempt == 0


def test_an_unknown_agent_is_an_error_that_lists_the_known_ones():
    with pytest.raises(swizzle.ToolError, match="planner.*anthropic"):
        swizzle.tune(KERNEL, "mi300x", "oracle", **OPTIONS)
