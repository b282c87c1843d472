# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/accuracy.md: what is said of pairs of simulated and measured figures, and its plots."""
import argparse
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

import pytest

SUITE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "suite"
sys.path[:0] = [str(SUITE), str(SUITE.parent / "kernels")]

import accuracy_page  # noqa: E402
import comparison  # noqa: E402
import drawing  # noqa: E402
import simulate  # noqa: E402
import suite  # noqa: E402
from report import Row  # noqa: E402

from swizzle.tools import ToolError  # noqa: E402


def figures(us, read=1e9, rate=0.5, **more):
    return {"time_us": us, "dram_read_bytes": read, "l2_hit_rate": rate, **more}


def row(orders, planned=None, counters=None, before=100.0, after=None):
    """A kernel of one launch that takes 100 µs, measured in these orders."""
    best = min(orders, key=orders.get)
    finals = {name: {"cold_median_us": us} for name, us in (
        ("original", 100.0), ("planner", planned), (best, orders[best])) if us}
    return Row({
        "case": "star2d", "kernel": "star2d", "sizes": {}, "drawn": None, "device": "a GPU",
        "measured": {"driver": "1.0", "date": "2026-11-23T00:00:00Z"},
        "orders": {"original": 100.0, **orders}, "finals": finals, "counters": counters or {},
        "decided": [{"kernel": "k", "outcome": "remapped" if after else "kept", "params": {},
                     "formula": None, "before": figures(before),
                     "after": figures(after) if after else None}]})


def pair(measured, simulated, uncertain=False, hits=(50.0, 51.0)):
    return comparison.Counted(row({"x, y": 90.0}), "x, y", measured, simulated, *hits, uncertain)


def test_values_within_the_noise_share_a_rank():
    assert comparison.ranks([3.0, 1.0, 2.0]) == [2.0, 0.0, 1.0]
    assert comparison.ranks([100.0, 100.9, 102.0, 200.0], 0.01) == [0.5, 0.5, 2.0, 3.0]
    # The middle one ties with both, which do not tie with each other.
    assert comparison.ranks([100.0, 100.9, 101.8], 0.01) == [0.5, 1.0, 1.5]
    assert comparison.ranks([2.0, 2.0, 2.0, 1.0], 0.01) == [2.0, 2.0, 2.0, 0.0]
    assert comparison.ranks([]) == []


def test_rank_correlation_is_spearmans():
    assert comparison.correlation([1, 2, 3, 4], [10, 20, 30, 400]) == pytest.approx(1)
    assert comparison.correlation([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    # 1 - 6 * (0 + 1 + 1 + 0) / (4 * 15)
    assert comparison.correlation([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert comparison.correlation([1, 2, 3], [5.0, 5.01, 5.02]) is None  # one tie
    # What differs by less than the noise is not held against the simulation.
    assert comparison.correlation([1, 1.005, 2], [1.005, 1, 2]) == pytest.approx(1)


def test_errors_have_no_signs():
    found = comparison.errors([-0.1, 0.02, 0.0])
    assert (found.count, found.median, found.worst) == (3, 0.02, 0.1)
    assert found.mean == pytest.approx(0.04)
    assert comparison.errors([]).count == 0


def test_what_was_simulated_later_takes_the_place_of_what_was_recorded():
    one = row({"x, y": 90.0}, planned=80.0, after=70.0)
    told = comparison.figures_of(one, {})
    assert {name: each["time_us"] for name, each in told.items()} == {
        "original": 100.0, "planner": 70.0}
    told = comparison.figures_of(one, {"star2d": {"original": figures(110.0), "x, y": figures(95)}})
    assert {name: each["time_us"] for name, each in told.items()} == {
        "original": 110.0, "planner": 70.0, "x, y": 95}


def test_orders_come_by_their_measured_time_over_the_kernels_own():
    one = row({"x, y": 90.0, "y, x<": 120.0, "planner": 95.0}, planned=80.0, after=50.0)
    found = comparison.timed(one, {"star2d": {"x, y": figures(75.0)}})
    assert [(each.order, each.measured, each.simulated) for each in found] == [
        ("planner", 0.8, 0.5), ("x, y", 0.9, 0.75), ("original", 1.0, 1.0), ("y, x<", 1.2, None)]


def test_gains_have_the_right_sign_and_are_near_or_not():
    one = row({"a": 80.0, "b": 90.0, "c": 96.0, "d": 98.0, "e": 130.0})
    told = {name: figures(us) for name, us in
            {"a": 60.0, "b": 92.0, "c": 101.0, "d": 150.0, "e": 90.0}.items()}
    found = comparison.rank(one, {"star2d": told})
    # d gains less than 3 %, and e loses.
    assert [each.order for each in found.gaining] == ["a", "b", "c"]
    assert (found.right, found.near, found.both) == (2, 2, 1)


def test_counters_of_a_kernel_that_is_launched_at_many_sizes_are_left_out():
    counters = {"x, y": {"dram_read_bytes": 2e9, "l2_hit_rate": 0.4}, "z": {}}
    one = row({"x, y": 90.0}, counters=counters)
    told = {"star2d": {"x, y": figures(80, uncertain=True)}}
    (found,) = comparison.counted([one], told)
    assert (found.off, found.points, found.uncertain) == (-0.5, pytest.approx(10), True)
    assert not comparison.counted([Row({**one.told, "kernel": "smith_waterman"})], told)


def test_rows_that_are_marked_do_not_count_and_may_be_a_quarter():
    def met(*pairs):
        return [bar.met for bar in comparison.dram_bars(pairs)]
    good = [pair(100, 101)] * 3
    assert met(*good, pair(100, 150, True)) == [True] * 5
    assert met(*good[1:], pair(100, 150, True)) == [True, True, True, False, True]
    assert met(*good, pair(100, 150)) == [True, False, False, True, False]
    # Nobody asked the simulator: nothing is met by that.
    assert met(pair(100, 101, None)) == [True, True, True, None, True]
    assert met() == [None] * 5


def test_bars_say_what_was_reached():
    ranked = [comparison.rank(row({"a": 80.0, "b": 90.0}), {"star2d": {
        "a": figures(80.0), "b": figures(90.0)}})]
    found = comparison.bars([pair(100, 100, hits=(50.0, 53.0))], ranked, ranked)
    assert found[0].reached == "3.00 points, 3 at worst" and found[0].met is False
    assert found[-3].reached == "1 of 1" and found[-3].met
    assert found[-2].reached == "2 of 2 orders" and found[-2].met
    lines = accuracy_page.listed(found)
    assert lines[0].startswith("- **Not met**: L2") and lines[-1].startswith("- **Met**")


def test_what_is_not_compared_is_told():
    counters = {"x, y": {"dram_read_bytes": 2e9, "l2_hit_rate": 0.4}}
    rows = [row({"x, y": 90.0}, counters=counters)]
    lines = accuracy_page.left_out(rows, [], [])
    assert lines[0].startswith("- 1 orders") and lines[1].endswith("were simulated: star2d.")
    assert not accuracy_page.left_out([row({"x, y": 99.0})], [], [])


def test_one_uncertain_launch_makes_a_row_uncertain(monkeypatch, tmp_path):
    case = suite.Case(next(kernel for kernel in suite.load() if kernel.name == "star2d"),
                      {"R": 2, "NX": 256, "NY": 256})
    calls = []

    def run_json(tool, arguments, schema):
        calls.append([str(word) for word in arguments])
        if "--kernel=slow" in arguments:
            raise ToolError(tool, 2, "swizzle-sim: the time was up; more of it")
        return {"kernels": [{"mode": "one line in 16", "before": None, "after": {
            "time_us": 3.0, "dram_read_bytes": 5, "dram_write_bytes": 7, "l1_hit_rate": 0.5,
            "l2_hit_rate": 0.25, **({"sensitivity": {
                "dram_bytes_low": 1, "dram_bytes_high": 2,
                "uncertain": "--kernel=edge" in arguments}}
                if "--sensitivity" in arguments else {})}}]}
    monkeypatch.setattr(simulate, "run_json", run_json)
    source = tmp_path / "kernel.ll"
    options = argparse.Namespace(chip="h200", sensitivity=True, samples=simulate.SAMPLES)
    told = simulate.judge(case, source, options, ["star2d", "edge"], "return x, y")
    whole = told.pop("whole")
    assert told == {"uncertain": True, "dram_bytes_low": 2, "dram_bytes_high": 4}
    # Bytes and times of both launches are added, and hit rates are not known of both.
    assert (whole["time_us"], whole["dram_read_bytes"], whole["mode"]) == (6, 10, "one line in 16")
    assert whole.get("l2_hit_rate") is None
    assert any(word.startswith("--grid=") for word in calls[0])
    assert simulate.judge(case, source, options, ["star2d"], None)["uncertain"] is False
    # Nobody asked whether it is: only what a whole launch does is told.
    options.sensitivity = False
    assert simulate.judge(case, source, options, ["star2d"], None) == {
        "whole": {**whole, "time_us": 3, "dram_read_bytes": 5, "dram_write_bytes": 7,
                  "l1_hit_rate": 0.5, "l2_hit_rate": 0.25}}
    # What takes too long is asked with a coarser sample, and then not judged.
    calls.clear()
    assert simulate.judge(case, source, options, ["slow"], None) == {}
    assert len(calls) == len(simulate.SAMPLES)


def test_a_case_that_nobody_measured_is_an_error(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"case": "star2d"}\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, SUITE / "simulate.py", tmp_path, "--rows", tmp_path / "rows.jsonl",
         "--out", tmp_path / "out.jsonl", "--case", "star4d"], capture_output=True, text=True)
    assert done.returncode == 2 and "has no case 'star4d'" in done.stderr


def test_ticks_are_round_and_within_the_scale():
    assert drawing.Scale(0, 100, 0, 1).ticks() == [0, 20, 40, 60, 80, 100]
    assert drawing.Scale(0.55, 1.2, 0, 1).ticks() == [0.6, 0.8, 1.0, 1.2]
    assert drawing.Scale(0.1, 30, 0, 1, True).ticks() == [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]
    assert drawing.Scale(1, 100, 10, 30, True).at(10) == pytest.approx(20)
    assert drawing.Scale(0, 4, 100, 20).at(1) == 80


def test_the_page_and_its_plots_are_current():
    subprocess.run([sys.executable, SUITE / "accuracy_page.py", "--check"], check=True)


def test_what_is_stale_is_told(tmp_path):
    page = [sys.executable, SUITE / "accuracy_page.py", f"--docs={tmp_path}"]
    subprocess.run(page, check=True)
    drawn = sorted((tmp_path / "accuracy").iterdir())
    assert [path.name for path in drawn] == ["counters.svg", "gains.svg", "sweeps.svg"]
    for path in drawn:
        root = xml.etree.ElementTree.fromstring(path.read_text(encoding="utf-8"))
        background = root[0]
        assert background.tag.endswith("rect") and background.get("width") == root.get("width")
        assert path.stat().st_size < 150_000  # some 3 kB for each of 32 kernels
    drawn[0].write_text("<svg/>", encoding="utf-8")
    done = subprocess.run([*page, "--check"], capture_output=True, text=True)
    assert done.returncode == 1 and "accuracy/counters.svg is stale" in done.stderr
