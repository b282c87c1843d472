#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/measured.md of what `sweep.py` measured; `--check` says whether it is stale.

Figures of the page are measured, but for columns that are called simulated.
"""
from __future__ import annotations

import argparse
import json
import math
import pathlib
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import fp16_report
import suite

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MEASURED = ROOT / "benchmarks/measured/h200"
#: Planned for that chip and timed there, beside orders that were fast on the H200.
OTHER = ROOT / "benchmarks/measured/h100"
PAGE = ROOT / "docs/measured.md"
#: A difference below this is none: two timings of one kernel differ by about as much.
NOISE = 0.01
#: A sweep whose best order gains more than this has something to gain.
HEADROOM = 0.05


def are_identical(finals: dict[str, Any]) -> bool:
    """True if every variant was compared and wrote what the original writes: one that did
    not has a failure and no outputs."""
    return all(one.get("outputs") == "identical" for one in finals.values())


@dataclass(frozen=True)
class Row:
    """A kernel at one size."""
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.told["kernel"])

    @property
    def size(self) -> str:
        listed = [f"{axis} {size}" for axis, size in self.told["sizes"].items()]
        return ", ".join(listed) or "as in the source"

    def time(self, variant: str) -> float | None:
        found = self.told["finals"].get(variant, {}).get("cold_median_us")
        return None if found is None else float(found)

    @property
    def original(self) -> float:
        time = self.time("original")
        assert time is not None, f"{self.told['case']}: the original was not measured"
        return time

    @property
    def planned(self) -> float:
        """In the planner's order; a kernel that it keeps takes what it takes."""
        time = self.time("planner")
        # An order that failed is not one that was kept.
        assert time is not None or "planner" not in self.told["finals"], self.told["case"]
        return time or self.original

    @property
    def best(self) -> tuple[float, str]:
        """The fastest order of the sweep, the kernel's own included."""
        times = [(self.time(name) or math.inf, str(name))
                 for name in self.told["finals"] if name != "planner"]
        return min(times, key=lambda pair: pair[0])

    @property
    def simulated(self) -> float:
        """The gain that was simulated, over all kernels of the case."""
        sums = {when: sum((one[when] or {}).get("time_us") or 0 for one in self.told["decided"])
                for when in ("before", "after")}
        return float(sums["before"] / sums["after"]) if sums["after"] else 1.0

    @property
    def identical(self) -> bool:
        return are_identical(self.told["finals"])


def mean(ratios: Sequence[float]) -> float:
    """Geometric."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0


def scores(rows: Sequence[Row]) -> list[Row]:
    """Stencils, and what computes scores of attention."""
    return [row for row in rows if row.name.startswith(("star", "attention_scores", "decode"))]


def gain(rows: Sequence[Row], best: bool = False) -> float:
    """By the planner, or by the best order of the sweep."""
    return mean([row.original / (row.best[0] if best else row.planned) for row in rows])


def summary(rows: Sequence[Row]) -> list[str]:
    """What the bars of the suite ask for, each with its figure."""
    slower = [row for row in rows if row.planned > row.original * (1 + NOISE)]
    wide = [row for row in rows if row.original > row.best[0] * (1 + HEADROOM)]
    swept = [row for row in rows if len(row.told["orders"]) >= 60]
    took, could = gain(wide), gain(wide, best=True)
    near = [row for row in wide if row.planned <= 1.02 * row.best[0]]
    share = math.log(took) / math.log(could) if could > 1 else 1.0
    signs = [row for row in rows if abs(row.original / row.planned - 1) > 0.03]
    right = [row for row in signs
             if (row.original > row.planned) == (row.simulated > 1)]
    beside = f", {len(swept)} of them beside a sweep of 60 orders or more" if swept else ""
    return [
        f"- {len(rows)} kernels and sizes{beside}. "
        "Every variant that was compared wrote what the kernel writes as it is, bit by bit: "
        f"{'yes' if all(row.identical for row in rows) else '**no**'}.",
        f"- Planner alone, not slower than the kernel as it is (within {NOISE:.0%}): "
        f"{len(rows) - len(slower)} of {len(rows)} "
        f"({(len(rows) - len(slower)) / len(rows):.1%}).",
        f"- More than {HEADROOM:.0%} to gain: {len(wide)}. There, the best order of the sweep "
        f"gains {could:.3f}x and the planner's {took:.3f}x (geometric means): {share:.0%} of it. "
        f"Within 2 % of the best, or better: {len(near)} of {len(wide)}.",
        f"- Largest gain by the planner: {max(row.original / row.planned for row in rows):.2f}x. "
        f"Over the stencils and attention scores with more than {HEADROOM:.0%} to gain: "
        f"{gain(scores(wide)):.2f}x by the planner, {gain(scores(wide), best=True):.2f}x by the "
        f"best of the sweep; over all of them {gain(scores(rows)):.2f}x (geometric means).",
        f"- Where the planner's order changed the time by more than 3 %, the simulation had the "
        f"sign right: {len(right)} of {len(signs)}."]


def table(rows: Sequence[Row]) -> list[str]:
    lines = ["| kernel | size | drawn | as it is, µs | planner's order, µs | gain | best of the "
             "sweep, µs | gain | which | simulated gain of the planner's order |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        best, which = row.best
        kept = row.time("planner") is None
        lines.append(
            f"| {row.name} | {row.size} | {'yes' if row.told['drawn'] is not None else ''} "
            f"| {row.original:.1f} | {'kept' if kept else f'{row.planned:.1f}'} "
            f"| {row.original / row.planned:.3f} | {best:.1f} | {row.original / best:.3f} "
            f"| {'as it is' if which == 'original' else f'`{which}`'} "
            f"| {'' if kept else f'{row.simulated:.3f}'} |")
    return lines


def compare_library(told: Sequence[dict[str, Any]]) -> list[str]:
    lines = ["| kernel | size | as it is, µs | planner's order, µs | library, µs |",
             "| --- | --- | --- | --- | --- |"]
    for one in told:
        times = one["median_us"]
        lines.append(
            f"| {one['kernel']} | {', '.join(f'{a} {n}' for a, n in one['sizes'].items())} "
            f"| {times['original']:.1f} "
            f"| {format(times['planner'], '.1f') if 'planner' in times else 'kept'} "
            f"| {times['library']:.1f} |")
    return lines


def search_of(told: dict[str, Any]) -> tuple[int, float]:
    """How many orders a search measured, and its seconds on the device."""
    searched = {text for one in told["rounds"] for text, _ in one["orders"] if text}
    return len(searched), sum(float(one["seconds"]) for one in told["rounds"])


def compare_tuned(told: Sequence[dict[str, Any]], title: str = "With measuring") -> list[str]:
    """What a search by measuring found, beside the sweep's best, in one run."""
    if not told:
        return []
    lines = ["| kernel | size | as it is, µs | planner's order, µs | best of the sweep, µs "
             "| found by measuring, µs | gain | sweep's best / found | energy, J: as it is | found "
             "| which | orders | s |",
             "| " + " | ".join(["---"] * 13) + " |"]
    near = better = slower = 0
    gains = []
    for one in sorted(told, key=lambda one: str(one["case"])):
        finals = one["finals"]
        time = {name: float(row["cold_median_us"]) for name, row in finals.items()
                if "cold_median_us" in row}
        original = time["original"]
        # What is not among the variants is the kernel as it is; what failed is nothing.
        assert len(time) == len(finals), one["case"]
        sweep, tuned = time.get("sweep", original), time.get("tuned", original)
        noise = math.hypot(*(finals[name if name in time else "original"]["cold_noise"]
                             for name in ("sweep", "tuned")))
        near += tuned <= 1.01 * sweep
        better += tuned < sweep * (1 - 3 * noise)
        slower += tuned > original * (1 + NOISE)
        gains.append(original / tuned)
        energy = [finals.get(name, {}).get("energy_joules")
                  for name in ("original", "tuned")]
        orders, seconds = search_of(one)
        size = ", ".join(f"{axis} {value}" for axis, value in one["sizes"].items())
        lines.append(
            f"| {one['kernel']} | {size or 'as in the source'} | {original:.1f} "
            f"| {format(time['planner'], '.1f') if 'planner' in time else 'kept'} | {sweep:.1f} "
            f"| {tuned:.1f} | {original / tuned:.3f} | {sweep / tuned:.3f} "
            f"| {' | '.join(format(joules, '.3g') if joules else '' for joules in energy)} "
            f"| {one['tuned_order']} | {orders} | {seconds:.0f} |")
    identical = all(are_identical(one["finals"]) for one in told)
    return [f"## {title}", "",
            "`swizzle-tune --measure=search` on the GPU, for kernels with something to gain: it "
            "measures what the planner proposes and orders near the fastest, within "
            f"{' or '.join(sorted({format(one['device_seconds'], '.0f') for one in told}))} "
            "seconds of the device; the last column is what its "
            "rounds took, before the best few were measured to the end. Then all four in turns, "
            "in one run "
            f"(`tune.py`), outputs identical: {'yes' if identical else '**no**'}. The planner's "
            "order is the one that it had in that run.", "",
            f"- Within 1 % of the best of the sweep, or better: {near} of {len(told)}.",
            f"- Better than the best of the sweep by more than three times the noise of both "
            f"medians: {better} of {len(told)}.",
            f"- Slower than the kernel as it is: {slower} of {len(told)}.",
            f"- Gain in the geometric mean: {statistics.geometric_mean(gains):.3f}, best "
            f"{max(gains):.2f}.", "", *lines, ""]


def source(rows: Sequence[Row]) -> str:
    """On what the rows were measured, and when."""
    devices = sorted({str(row.told.get("device")) for row in rows})
    drivers = sorted({str((row.told.get("measured") or {}).get("driver")) for row in rows})
    dates = sorted({str((row.told.get("measured") or {}).get("date"))[:10] for row in rows})
    return f"one {', '.join(devices)} ({', '.join(drivers)}; {', '.join(dates)})"


def compare_other(rows: Sequence[Row], tuned: Sequence[dict[str, Any]]) -> list[str]:
    """The suite on another chip, and what measuring finds there."""
    if not rows:
        return []
    return ["## On another chip", "",
            f"*Measured* on {source(rows)}; where there were two, each kernel on one of them. "
            "Planned for that chip with its file alone by `prepare.py --chip h100`; the sweep is "
            "its own (`sweep.py`), and its three fastest orders were measured once more beside "
            "the planner's (`sweep.py --known`). Since then the planner leaves three transposes "
            "of these as they are, by [what it asks for](planner.md) of orders that make memory "
            "less scattered and nothing else: 1.721x and 27 of 34 below.", "",
            *summary(rows), "", *table(rows), "",
            *compare_tuned(tuned, "With measuring, on that chip")]


def compare_fresh(rows: Sequence[Row]) -> list[str]:
    """Sizes that nobody had seen when the planner became what it is."""
    if not rows:
        return []
    seeds = sorted({str(row.told["drawn"]) for row in rows})
    names = sorted({row.name for row in rows})
    return ["## Sizes that were drawn afterwards", "",
            "What decides between orders that are simulated to be about as fast was chosen with "
            "the sweeps above in view. So sizes were drawn once more, by seed "
            f"{', '.join(seeds)}, when the planner was as it is, of {len(names)} kernels: "
            f"{', '.join(names)}. Of those with something to gain above, the others were left "
            f"out or have no sizes to draw. *Measured* on {source(rows)}.", "",
            *summary(rows), "", *table(rows), ""]


def compare_unseen(rows: Sequence[Row], manifest: str) -> list[str]:
    """Kernels that were written for this, by nobody who had seen the planner."""
    if not rows:
        return []
    again = "" if manifest == next(iter(suite.UNSEEN.values())) else ", a second time"
    slower, wide = summary(rows)[1:3]
    best = max(row.original / row.planned for row in rows)
    orders = [len(row.told["orders"]) for row in rows]
    return [f"## Kernels that nobody had planned for{again}", "",
            f"{len(rows)} kernels of [another manifest](../benchmarks/suite/{manifest}), "
            "written when the planner was as it is, as practitioners would, without a look at "
            "planner or simulator; each was planned, swept "
            f"({min(orders)} to {max(orders)} orders) and measured once, and nothing was changed "
            f"for it. By `prepare.py work --manifest {manifest}`, 24 orders of a sweep, and "
            f"the best three of these once more. *Measured* on {source(rows)}; outputs "
            f"{'identical' if all(row.identical for row in rows) else '**not identical**'}.", "",
            slower, wide, f"- Largest gain by the planner: {best:.2f}x.", "", *table(rows), ""]


def page(rows: Sequence[Row], library: Sequence[dict[str, Any]],
         tuned: Sequence[dict[str, Any]] = (), other: Sequence[str] = ()) -> str:
    lost = [row for row in rows if row.planned > row.original * (1 + NOISE)]
    return "\n".join([
        "# Measured",
        "",
        f"Times on this page were **measured**, on {source(rows)}, with cleared caches, as the "
        "median of 20 runs in turns with the kernel as it is. Columns that are called simulated "
        "are not. The "
        "page is written by `benchmarks/suite/report.py`, of the files in "
        "`benchmarks/measured/h200`; [the suite](../benchmarks/suite/README.md) says how they were "
        "made, and [their README](../benchmarks/measured/README.md) which decisions changed since. "
        "Sizes that are *drawn* come from a recorded seed.",
        "",
        *summary(rows),
        "",
        "An order is a row of loops, the outermost first: `y/16, z, y, x` walks tiles of 16 rows, "
        "in each of them z, its rows, and x; `<` walks back and forth.",
        "",
        *table(rows),
        "",
        *compare_tuned(tuned),
        *other,
        "## Slower than they were",
        "",
        *([f"- {row.name} ({row.size}): {row.original:.1f} to {row.planned:.1f} µs, simulated "
           f"{row.simulated:.2f}x." for row in lost] or ["None."]),
        "",
        "## Beside what a user would call instead",
        "",
        "PyTorch, in turns with the two, on the same contents (`against.py`): what the kernels are "
        "worth as kernels, whatever their order. Convolutions and products of the suite use no "
        "tensor cores, PyTorch's convolution does. Results agree to rounding, softmax to the "
        "polynomial that stands for exp.",
        "",
        *compare_library(library),
        "",
        "## Beside the simulator",
        "",
        "How well times of other orders are simulated, and counters of six orders beside what is "
        "simulated of them, is on [a page of its own](accuracy.md).",
        ""])


def rows_of(path: pathlib.Path) -> list[Row]:
    return sorted(map(Row, read(path)), key=lambda row: str(row.told["case"]))


def read(path: pathlib.Path) -> list[dict[str, Any]]:
    """The rows of a file; none where it is missing."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rows", type=pathlib.Path, help="print the page of this file")
    parser.add_argument("--tuned", type=pathlib.Path, help="and what tune.py measured")
    parser.add_argument("--fp16", type=pathlib.Path, help="and what fp16.py measured")
    options = parser.parse_args()
    text = page(rows_of(options.rows or MEASURED / "suite.jsonl"),
                read(MEASURED / "suite-library.jsonl"),
                read(options.tuned or MEASURED / "suite-tuned.jsonl"),
                [] if options.rows else
                [*compare_other(rows_of(OTHER / "suite.jsonl"),
                                read(OTHER / "suite-tuned.jsonl")),
                 *compare_fresh(rows_of(OTHER / "suite-fresh.jsonl")),
                 *(line for name, manifest in suite.UNSEEN.items()
                   for line in compare_unseen(rows_of(MEASURED / f"{name}.jsonl"), manifest))])
    products = read(options.fp16 or MEASURED / "suite-fp16.jsonl")
    text += "\n".join(["", *fp16_report.section(products)])
    if options.rows:
        sys.stdout.write(text)
        return 0
    if not options.check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("error: docs/measured.md is stale; run benchmarks/suite/report.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
