#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/accuracy.md and its plots: what was simulated beside what was measured.

    accuracy_page.py [--check] [--rows rows.jsonl] [--simulated simulated.jsonl]
                     [--others rows.jsonl] [--simulated-others simulated.jsonl] [--docs docs]

`--check` says whether page or plots are stale. Nothing is measured or simulated here: rows are
of `sweep.py`, simulated figures of `simulate.py`.
"""
from __future__ import annotations

import argparse
import pathlib
import sys
from collections.abc import Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import plots  # noqa: E402
import suite  # noqa: E402
from comparison import (NEAR, GAIN, WORST, Bar, Counted, Ranked, Simulated,  # noqa: E402
                        bars, counted, errors, has_headroom, is_right, rank, timed)
from report import HEADROOM, MEASURED, NOISE, ROOT, Row, read  # noqa: E402
from simulate import ORIGINAL  # noqa: E402

#: Rows of a chip to which nothing was fitted.
OTHER = ROOT / "benchmarks/measured/h100"
#: Of fewer simulated orders no rank correlation is told.
LEAST_ORDERS = 8
PREPARE = "benchmarks/suite/prepare.py work --seed {seed}"
SWEEP = "benchmarks/suite/sweep.py work --out rows.jsonl"
COUNT = "benchmarks/suite/sweep.py work --known rows.jsonl --counters --out counted.jsonl"
SIMULATE = ("benchmarks/suite/simulate.py work --rows counted.jsonl --sensitivity "
            "--out simulated.jsonl")


def measured_on(rows: Sequence[Row]) -> str:
    """Device, driver and date."""
    told = [row.told.get("measured") or {} for row in rows]
    device, driver, date = (", ".join(sorted(found)) for found in (
        {str(row.told.get("device")) for row in rows}, {str(one.get("driver")) for one in told},
        {str(one.get("date"))[:10] for one in told}))
    return f"{device} (driver: {driver}; {date})"


def caption(rows: Sequence[Row], command: str) -> str:
    return (f"*Measured* on one {measured_on(rows)}, by `{command}`; *simulated*, without a GPU, "
            f"by `{SIMULATE}`.")


def listed(found: Sequence[Bar]) -> list[str]:
    said = {True: "**Met**", False: "**Not met**", None: "Nothing to say it of"}
    return [f"- {said[bar.met]}: {bar.asked}. Reached: {bar.reached}." for bar in found]


def verdicts(pairs: Sequence[Counted]) -> str:
    """How many of the rows the simulator was asked of."""
    unknown = sum(one.uncertain is None for one in pairs)
    if not unknown:
        return "The simulator was asked of every row."
    return (f"Of {unknown} of {len(pairs)} rows it was not asked, or took too long: they count as "
            "not marked.")


def table_of_times(ranked: Sequence[Ranked]) -> list[str]:
    lines = ["| kernel | size | orders | slowest / fastest, measured | slowest / fastest, "
             f"simulated | rank correlation | gain more than {GAIN:.0%}, measured | of them right "
             f"sign | within {NEAR:.0%} |", "| " + " | ".join(["---"] * 9) + " |"]
    for one in ranked:
        measured = [order.measured for order in one.orders]
        simulated = [order.simulated for order in one.orders if order.simulated]
        lines.append(
            f"| {one.row.name} | {one.row.size} | {len(one.orders)} "
            f"| {max(measured) / min(measured):.2f} | {max(simulated) / min(simulated):.2f} | "
            f"{'all alike in simulation' if one.correlation is None else f'{one.correlation:.2f}'} "
            f"| {len(one.gaining)} | {one.right} | {one.near} |")
    return lines


def table_of_counters(pairs: Sequence[Counted]) -> list[str]:
    lines = ["| kernel | size | order | DRAM read, GB: measured | simulated | off by | uncertain, "
             "as simulated | L2 hits, %: measured | simulated |",
             "| " + " | ".join(["---"] * 9) + " |"]
    for one in pairs:
        which = {"original": "as it is", "planner": "the planner's"}.get(one.order,
                                                                         f"`{one.order}`")
        marked = {True: "uncertain", False: "", None: "not asked"}[one.uncertain]
        hits = "" if one.simulated_hits is None else f"{one.simulated_hits:.1f}"
        lines.append(
            f"| {one.row.name} | {one.row.size} | {which} | {one.measured_bytes / 1e9:.3f} "
            f"| {one.simulated_bytes / 1e9:.3f} | {round(one.off, 3) + 0.0:+.1%} | {marked} "
            f"| {one.measured_hits:.1f} | {hits} |")
    return lines


def summary_of_counters(pairs: Sequence[Counted]) -> list[str]:
    lines = []
    for which, chosen in (("All rows", pairs),
                          ("Rows not marked as uncertain",
                           [one for one in pairs if not one.uncertain])):
        off = errors([one.off for one in chosen])
        hits = errors([one.points for one in chosen if one.points is not None])
        lines.append(f"- {which}, {off.count}: DRAM bytes read off by {off.median:.1%} in the "
                     f"median, {off.mean:.1%} on average, {off.worst:.0%} at worst; L2 hit rate by "
                     f"{hits.mean:.1f} points on average, {hits.worst:.0f} at worst.")
    return lines


def left_out(rows: Sequence[Row], pairs: Sequence[Counted], ranked: Sequence[Ranked]) -> list[str]:
    """What was measured and is not compared; nothing where all is."""
    orders = sum(bool(one.get("dram_read_bytes"))
                 for row in rows for one in row.told["counters"].values()) - len(pairs)
    wide = {str(row.told["case"]) for row in rows if has_headroom(row)}
    few = wide - {str(one.row.told["case"]) for one in ranked}
    return [*([f"- {orders} orders that were counted are left out: they were not simulated, or "
               "their kernel is launched at many sizes and simulated at one."] if orders else []),
            *([f"- Without ranks, for less than {LEAST_ORDERS} of their orders were simulated: "
               f"{', '.join(sorted(few))}."] if few else [])]


def losing(every: Sequence[Ranked]) -> str:
    lost = [order for one in every for order in one.orders if order.measured > 1 + GAIN]
    return (f"Of {len(lost)} orders that were measured more than {GAIN:.0%} slower than the kernel "
            f"as it is, {sum(map(is_right, lost))} are simulated slower; no bar is set for that.")


def blind(rows: Sequence[Row], simulated: Simulated) -> list[str]:
    """What is reached on a chip to whose counters nothing was fitted."""
    pairs = counted(rows, simulated)
    every = [rank(row, simulated) for row in rows]
    ranked = [one for one in every if has_headroom(one.row) and len(one.orders) >= LEAST_ORDERS]
    return [
        "## Another chip, whose counters nothing was fitted to",
        "",
        "No constant of the simulator was chosen by the counters of these rows. Their times were "
        "in view, with those of the H200, when it was decided that what is passed one after the "
        "other is one term of the time, how much of a launch overlaps, that units without "
        "workgroups do nothing, that opening rows of memory overlaps with nothing, and how long "
        "waves wait for what others asked memory for; so times are blind of all other constants "
        "alone. What the chip's file has of its own is of data sheets and probes (memory, the "
        "L2's capacity, what its paths carry); what else moves workgroups is taken from the "
        "H200's. Rows: `suite.jsonl` and `suite-simulated.jsonl` in "
        "`benchmarks/measured/h100`.",
        "",
        *listed(bars(pairs, ranked, every)),
        *left_out(rows, pairs, ranked),
        "",
        f"*Measured* on one {measured_on(rows)}; *simulated*, without a GPU, by `{SIMULATE} "
        f"--chip h100`. {losing(every)}",
        "",
        *summary_of_counters(pairs),
        ""]


def unseen(name: str, rows: Sequence[Row], simulated: Simulated) -> list[str]:
    """What is reached for kernels that nobody had in view, by the name of their rows."""
    other = [row for row in rows if row.told.get("contents")]
    rows = [row for row in rows if row not in other]
    pairs = counted(rows, simulated)
    every = [rank(row, simulated) for row in rows]
    ranked = [one for one in every if has_headroom(one.row) and len(one.orders) >= LEAST_ORDERS]
    worst = sorted((one for one in pairs if abs(one.off) > WORST), key=lambda one: -abs(one.off))
    again = "" if name == next(iter(suite.UNSEEN)) else ", a second time"
    return [
        f"## Kernels that nobody had in view{again}",
        "",
        f"{len(rows)} kernels of the [blind test](measured.md), written without a look at the "
        "simulator, and counted after it was as it is: of each the kernel as it is, the planner's "
        "order, and others from the fastest to the slowest of its sweep. Nothing was chosen by "
        "these rows. " + "".join(f"`{row.name}` is left out: {row.told['contents']}. "
                                 for row in other) +
        f"Rows: `{name}.jsonl` and `{name}-simulated.jsonl` in `benchmarks/measured/h200`.",
        "",
        *listed(bars(pairs, ranked, every)),
        "",
        f"*Measured* on one {measured_on(rows)}; *simulated*, without a GPU, by `{SIMULATE} "
        f"--manifest benchmarks/suite/{suite.UNSEEN[name]}`. {losing(every)}",
        "",
        *summary_of_counters(pairs),
        *([f"- Off by more than {WORST:.0%}: " + "; ".join(
            f"{one.row.name}, {one.order if one.order == ORIGINAL else f'`{one.order}`'} "
            f"{one.off:+.0%}" for one in worst) + "."] if worst else []),
        "",
        *table_of_times(ranked),
        ""]


def page(rows: Sequence[Row], simulated: Simulated, others: Sequence[Row] = (),
         simulated_others: Simulated | None = None,
         new: dict[str, tuple[Sequence[Row], Simulated]] | None = None
         ) -> tuple[str, dict[str, str]]:
    """The page, and its plots by name; `others` are rows of another chip, `new` those of blind
    tests, by their names."""
    pairs = counted(rows, simulated)
    every = [rank(row, simulated) for row in rows]
    ranked = [one for one in every if has_headroom(one.row) and len(one.orders) >= LEAST_ORDERS]
    wide = [(one.row, timed(one.row, simulated)) for one in ranked]
    origin = f"measured: {measured_on(rows)}; simulated: no GPU"
    drawn = {"counters.svg": plots.counters(pairs, origin),
             "gains.svg": plots.gains(wide, origin), "sweeps.svg": plots.sweeps(wide, origin)}
    seeds = sorted({str(row.told["drawn"]) for row in rows if row.told["drawn"] is not None})
    lines = [
        "# Accuracy of the simulator",
        "",
        "<!-- Generated: benchmarks/suite/accuracy_page.py. Do not edit. -->",
        "",
        "What was simulated, beside what was **measured** of the same orders. Every column and "
        "axis is one or the other. The page is written by `benchmarks/suite/accuracy_page.py`, of "
        "what the commands below wrote, in `benchmarks/measured/h200`: `counted.jsonl` is "
        "`suite.jsonl` there, `simulated.jsonl` `suite-simulated.jsonl`; `work` is made by "
        f"`{PREPARE.format(seed=', '.join(seeds))}`. [The simulator's page](simulator.md) says "
        "what is modelled and what its constants were fitted to, [measured](measured.md) what "
        "orders gain.",
        "",
        "A row is *marked* where the simulator itself calls the order's DRAM bytes "
        "[uncertain](simulator.md#samples-prefixes-sensitivity): they, or those read alone, move "
        "by more than a tenth with caches a third smaller or a tenth larger, with another skew, or "
        f"with younger workgroups that fall behind. {verdicts(pairs)}",
        "",
        "## What is asked, and what was reached",
        "",
        *listed(bars(pairs, ranked, every)),
        *left_out(rows, pairs, ranked),
        "",
        f"{caption(rows, COUNT)} Times are measured by `{SWEEP}`. A gain is the time of the kernel "
        f"as it is over that of an order; two are within {NEAR:.0%} if their ratio is, whatever "
        "their signs. Gains are of all orders that were both simulated and measured, whatever "
        f"there is to gain in their kernel, and of the planner's. {losing(every)}",
        "",
        "## Counters",
        "",
        "![DRAM bytes and L2 hit rates, simulated against measured](accuracy/counters.svg)",
        "",
        caption(rows, COUNT),
        "",
        *summary_of_counters(pairs),
        "",
        "`bias_add` reads and writes four numbers a thread, one by one; the back end, which was "
        "told that buffers are aligned, makes one access of them. The model sees four: bytes of "
        "memory are right, the hit rate counts three hits too many.",
        "",
        "An order is a row of loops, the outermost first: `y/16, z, y, x` walks tiles of 16 rows, "
        "in each of them z, its rows, and x; `<` walks back and forth.",
        "",
        *table_of_counters(pairs),
        "",
        "## Gains",
        "",
        "![Times of orders over that of the kernel as it is](accuracy/gains.svg)",
        "",
        caption(rows, SWEEP),
        "",
        "## Simulated times of other orders",
        "",
        "![Sweeps as measured, and as simulated](accuracy/sweeps.svg)",
        "",
        f"{caption(rows, SWEEP)} Orders of the sweep, evenly spread from the fastest to the "
        f"slowest, of kernels with more than {HEADROOM:.0%} to gain; times within {NOISE:.0%} "
        "count as equal. The planner's order was measured later than the sweep, beside the kernel "
        "as it is. The last three columns count it, too; rank correlations do not.",
        "",
        *table_of_times(ranked),
        "",
        *(line for name, told in (new or {}).items() for line in unseen(name, *told)),
        *(blind(others, simulated_others or {}) if others else [])]
    return "\n".join(lines), drawn


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rows", type=pathlib.Path, default=MEASURED / "suite.jsonl")
    parser.add_argument("--simulated", type=pathlib.Path,
                        default=MEASURED / "suite-simulated.jsonl")
    parser.add_argument("--others", type=pathlib.Path, default=OTHER / "suite.jsonl",
                        help="rows of another chip")
    parser.add_argument("--simulated-others", type=pathlib.Path,
                        default=OTHER / "suite-simulated.jsonl")
    parser.add_argument("--unseen", type=pathlib.Path, default=MEASURED,
                        help="rows of blind tests, with those simulated beside")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs",
                        help="write accuracy.md and accuracy/*.svg there")
    options = parser.parse_args()
    rows, others = (sorted(map(Row, read(path)), key=lambda row: str(row.told["case"]))
                    for path in (options.rows, options.others))
    if not rows:
        parser.error(f"{options.rows} has no rows")
    simulated, simulated_others = (
        {one["case"]: one["orders"] for one in read(path)}
        for path in (options.simulated, options.simulated_others))
    new = {name: (list(map(Row, read(options.unseen / f"{name}.jsonl"))),
                  {one["case"]: one["orders"]
                   for one in read(options.unseen / f"{name}-simulated.jsonl")})
           for name in suite.UNSEEN}
    text, drawn = page(rows, simulated, others, simulated_others,
                       {name: told for name, told in new.items() if told[0]})
    files = {options.docs / "accuracy.md": text,
             **{options.docs / "accuracy" / name: drawing for name, drawing in drawn.items()}}
    if not options.check:
        (options.docs / "accuracy").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            path.write_text(content, encoding="utf-8")
        return 0
    stale = [path for path, content in files.items()
             if not path.exists() or path.read_text(encoding="utf-8") != content]
    for path in stale:
        print(f"error: {path.relative_to(options.docs)} is stale; run "
              "benchmarks/suite/accuracy_page.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
