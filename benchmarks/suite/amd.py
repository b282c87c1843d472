#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/amd.md: AMD's chips, simulated, beside what others published of them.

    amd.py           simulate everything (minutes), rewrite the page
    amd.py --check   simulate what was counted, compare its rows

No figure of the page is measured by this project. Needs clang, swizzle-llvm and swizzle-opt.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import pathlib
import sys
import tempfile
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import matrices  # noqa: E402
import published  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import run_json  # noqa: E402

PAGE = ROOT / "docs" / "amd.md"
CHIPS = ("mi300x", "mi325x", "mi355x")

#: L2 hits in percent before and after: arXiv 2508.20258, rocprofv3 on an MI300X.
PUBLISHED_PAPER = {"GEMM": (49.4, 63.5), "fused elementwise": (20.2, 20.2),
                   "softmax": (33.4, 33.4), "transpose": (3.5, 24.2), "stencil-2D": (29.7, 67.6)}

#: What a product with a sparse matrix, whose accesses no model describes, is simulated in
#: beside the order that it has: those of the catalogue that deal out one axis.
DEALS: dict[str, list[str]] = {"@xcd-balanced": [], "@xcd-chunked, C = 4": ["--set=C=4"],
                               "@xcd-chunked, C = 16": ["--set=C=16"]}
#: An order must be faster by this share, as for the planner (docs/planner.md).
LEAST_GAIN = 0.01

HEADER = [
    "# AMD's chips, simulated", "",
    "**Nothing on this page is measured by this project**: there was no GPU by AMD. What others "
    "measured and published stands beside what the simulator says. `benchmarks/suite/amd.py` "
    "writes the page, and a test compares the rows that were counted."]

#: What is said of all rows that were counted.
COUNTED = [
    "",
    "Kernels of which others published hit rates, and enough of what they read. The launch is "
    "simulated as a whole, one line in 16, the second of two in a row, since who counts repeats "
    "it ([how the caches are left](simulator.md#repeated-launches)). DRAM and times have nothing "
    "beside them. One constant is fitted to these rows, to the L2 hits of every second one of "
    "those that were counted: what a read from the last level costs a workgroup, as a share of one "
    "from memory (`last_level_delay`, 0.2; `benchmarks/suite/published.py --try last_level_delay "
    "0 0.1 0.2 0.3` says how far they are off with others)."]

#: What is said of the paper's kernels.
TEXT = [
    "",
    "Kernels of [the suite](../benchmarks/suite/README.md) after those of arXiv 2508.20258, "
    "compiled as HIP, at the paper's sizes where it says them. Where workgroups share nothing at "
    "that, a second variant that shares is listed as well. Its own are not published whole: "
    "tiles, types and passes are ours. Published hits are of an MI300X, before → after, for "
    "orders that were permutations. L2 hits, last-level hits, DRAM and time are simulated, of "
    "the kernel as it is → in the planner's order, with samples of lines and of the launch as "
    "the pass takes them; several kernels are added up, each in its largest launch "
    "(Smith-Waterman has one an anti-diagonal). Levels of hits do not agree with those "
    "published: of these kernels too little is known.", "",
    "What the second variants are:", "",
    "- `transpose_half`: elements of 2 bytes, so that a line holds those of two tiles.",
    "- `layer_norm_wide`: few, long rows, so that weights do not fit the caches.",
    "- `smith_waterman_batch`: one query against 32 sequences of a database, best scores without "
    "a table; the query's profile is read by all sequences. 5504 letters are the longest query "
    "that such programs are usually timed with (5478), in whole tiles. Where more workgroups of "
    "one place in the query run at a time, from 64 sequences on and on chips with fewer compute "
    "units, the planner's order brings them onto the same compute units: the first level then "
    "answers so much that the L2's rate falls, though it is asked for less and misses less.",
    "- `softmax_bias`: attention scores with a bias of relative positions that the batch shares, "
    "in fp16, a row a workgroup.",
    "- `black_scholes_scenarios`: a portfolio valued under scenarios, as for a value at risk. "
    "Every scenario reads the whole portfolio: 84 MB, more than the L2s hold and less than the "
    "last level. (A kernel that looped over scenarios within a workgroup would not need another "
    "order. DRAM before is that of a window that begins when the last level holds the portfolio; "
    "in the whole launch either order reads it once.)",
    "- `product_stream_k`: the paper's kind of product at its size: stream-K, 304 workgroups, "
    "tiles of 256 × 256 × 64 in fp16, walked in groups of 8 rows as Triton's tutorial does. What "
    "is left of whole rounds is added up by a second launch. The first row for GEMM has tiles of "
    "128 × 128 walked row by row, 64 to a row, so that each of 8 dies has the same columns "
    "of tiles in every row as it is.", "",
    "SpMV is a product in CSR, one row a thread. Which elements it reads is up to the matrix, so "
    "the planner does not choose its order: accesses are "
    "[recorded](simulator.md#kernels-whose-accesses-depend-on-data), and the row has the fastest "
    f"of {len(DEALS)} orders of the catalogue ({'; '.join(DEALS)}) if that is 1 % faster, the "
    "time being that of memory alone. "
    "[`matrices.py`](../benchmarks/suite/matrices.py) makes the matrices by a recorded seed: 27 "
    "neighbours in a cube (regular), 16 elements a row at random within a band, and a graph "
    "whose degrees follow a power law."]


def plan(case: suite.Case, chip: str) -> list[dict[str, Any]]:
    """What the report says of the kernels of a case."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        source = building.lower(case, folder, published.target_of(chip))
        report = building.remap(case, source, folder / f"out{source.suffix}", chip)
    kernels: list[dict[str, Any]] = report["kernels"]
    return kernels


#: A chip and the sizes of a kernel on it.
Place = tuple[str, ...]


def place(row: published.Row) -> Place:
    return row.chip, *map(str, row.sizes.values())


def planned_row(job: tuple[published.Source, published.Row]) -> published.Simulated | str:
    """The sizes and chip of a row in the planner's order, or why they are kept."""
    source, row = job
    (planned,) = plan(published.case_of(source, row.sizes), row.chip)
    if planned["formula"] is None:
        return f"as written ({planned['reason_code']})"
    mine = dataclasses.replace(row, formula=planned["formula"], l2=None, llc=None)
    return published.simulate_row((source, mine, None))


def cells(one: published.Simulated | str) -> str:
    """Hit rates, published and simulated, traffic and time."""
    if isinstance(one, str):
        return f"| {one} | | | | |"
    row, told = one.row, one.told

    def rate(level: str) -> str:
        real = getattr(row, level)
        return f"{'' if real is None else f'{real:g}'} | {100 * told[f'{level}_hit_rate']:.1f}"
    return (f"{rate('l2')} | {rate('llc')} | {told['dram_read_bytes'] / 1e9:.2f} | "
            f"{told['time_us'] / 1e3:.2f} |")


def table(source: published.Source, rows: list[published.Simulated],
          planned: dict[Place, published.Simulated | str]) -> list[str]:
    """All rows of a source; after those of one size and chip, the planner's order."""
    lines = ["| size | chip | order | L2 hits, %: published | simulated | LLC hits, %: published "
             "| simulated | DRAM read, GB | time, ms |", "| " + " | ".join(["---"] * 9) + " |"]
    for number, one in enumerate(rows):
        mask = "causal" if one.row.sizes.get("CAUSAL") else "no mask"
        begin = f"| {source.shown.format(**one.row.sizes, mask=mask)} | {one.row.chip.upper()} |"
        lines.append(f"{begin} {one.row.order} | {cells(one)}")
        if number + 1 == len(rows) or place(rows[number + 1].row) != place(one.row):
            lines.append(f"{begin} the planner's | {cells(planned[place(one.row)])}")
    return lines


def counted(pool: concurrent.futures.Executor) -> list[str]:
    """What others counted, beside what is simulated."""
    sources = published.sources()
    jobs = {source.title: [pool.submit(published.simulate_row, (source, row, None))
                           for row in source.rows] for source in sources}
    planned = {source.title: {where: pool.submit(planned_row, (source, row)) for where, row in
                              {place(row): row for row in source.rows}.items()}
               for source in sources}
    found = {title: [job.result() for job in some] for title, some in jobs.items()}
    every = [one for some in found.values() for one in some]
    lines = ["", "## What was counted, and what is simulated", *COUNTED, "",
             f"{published.said(every)} {published.halves(every)}"]
    for source in sources:
        orders = {where: job.result() for where, job in planned[source.title].items()}
        lines += ["", f"### {source.title}", "", source.text, "",
                  published.said(found[source.title]), "",
                  *table(source, found[source.title], orders)]
    return lines


@dataclasses.dataclass(frozen=True)
class Row:
    """A kernel of the paper on a chip: as it is and in another order, the same if it is kept."""
    paper: str
    what: str  # the cells of kernel, size and outcome
    before: dict[str, float]
    after: dict[str, float]

    @property
    def points(self) -> float:
        """By how many points more of what the L2 is asked for is there."""
        return self.after["l2"] - self.before["l2"]

    @property
    def better(self) -> bool:
        return self.points >= 2 or self.after["dram"] <= 0.97 * self.before["dram"]


def total(kernels: list[dict[str, Any]], when: str) -> dict[str, float]:
    """Of all kernels of a case: hit rates by what was asked."""
    told = [kernel["simulated"][when] for kernel in kernels]
    asked = sum(one["l2_bytes"] for one in told)
    missed = [one["l2_bytes"] * (1 - one["l2_hit_rate"]) for one in told]
    return {"l2": 100 * (1 - sum(missed) / asked),
            "llc": 100 * sum(one["llc_hit_rate"] * some for one, some in zip(told, missed))
            / max(sum(missed), 1),
            "dram": sum(one["dram_read_bytes"] + one["dram_write_bytes"] for one in told) / 1e9,
            "us": sum(one["time_us"] for one in told)}


def compare(before: dict[str, float], after: dict[str, float]) -> str:
    """The cells of a row, from hits to time; `after` is `before` of what is kept."""
    def change(name: str, digits: int) -> str:
        first, last = (f"{side[name]:.{digits}f}" for side in (before, after))
        return first if first == last else f"{first} → {last}"
    return (f"{change('l2', 1)} | {change('llc', 1)} | "
            f"{change('dram', 2 if before['dram'] >= 0.1 else 3)} | "
            f"{change('us', 0 if before['us'] >= 10 else 2)} |")


def paper_row(job: tuple[suite.Case, str]) -> Row:
    case, chip = job
    kernels = plan(case, chip)
    before, after = total(kernels, "before"), total(kernels, "after")
    sizes = ", ".join(f"{axis} {size}" for axis, size in case.sizes.items()) or "as in the source"
    outcomes = ", ".join(dict.fromkeys(
        "remapped" if one["outcome"] == "remapped" else f"kept ({one['reason_code']})"
        for one in kernels))
    if all(one["outcome"] != "remapped" for one in kernels):
        after = before
    return Row(str(case.kernel.paper), f"{case.kernel.name} | {sizes} | {outcomes}", before, after)


def sparse_row(job: tuple[suite.Kernel, str, int, pathlib.Path, str]) -> Row:
    """The best of the orders listed for a matrix of so many elements in this file."""
    kernel, kind, elements, folder, chip = job
    # Rows of other matrices are made at the same time.
    source = building.lower(suite.Case(kernel, {}), folder / kind, published.target_of(chip))
    told = []
    for order in (None, *DEALS):
        options = [f"--formula={order.split(',')[0]}", *DEALS[order]] if order else []
        report = run_json("swizzle-sim", [source, f"--chip={chip}", "--json", *options,
                                          f"--matrix={folder / kind}.mtx"], schema="swizzle-sim/1")
        (one,) = report["kernels"]
        figures = one["after"] if order else one["before"]
        told.append((total([{"simulated": {"told": figures}}], "told"), order))
    (before, _), *others = told
    after, order = min(others, key=lambda pair: pair[0]["us"])
    outcome = f"remapped ({order})"
    if after["us"] > (1 - LEAST_GAIN) * before["us"]:
        after, outcome = before, "kept (no-gain)"
    return Row(str(kernel.paper), f"{kernel.name} | {kind}, {matrices.ROWS} rows, {elements} "
                                  f"elements | recorded: {outcome}", before, after)


def summary(rows: list[Row]) -> str:
    better = {row.paper for row in rows if row.better}
    best = max(rows, key=lambda row: row.points)
    return (f"Two points of L2 hits or 3 % of DRAM bytes better: {len(better)} of "
            f"{len({row.paper for row in rows})} ({', '.join(sorted(better, key=str.lower))}). "
            f"Most points of L2 hits: {best.points:.1f} ({best.paper}).")


def paper(pool: concurrent.futures.Executor) -> list[str]:
    kernels = [*suite.load(), *suite.load(HERE / "amd.json")]
    cases = [suite.Case(kernel, {**kernel.fixed, **sizes}) for kernel in kernels if kernel.paper
             for sizes in kernel.paper_sizes or kernel.listed[:1]]
    lines = ["", "## The ten kernels of SwizzlePerf", *TEXT]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        sparse = [(kernel, kind, matrices.write(kind, folder / f"{kind}.mtx"), folder)
                  for kernel in kernels for kind in kernel.matrices]
        for chip in CHIPS:
            rows = [*pool.map(paper_row, [(case, chip) for case in cases]),
                    *pool.map(sparse_row, [(*one, chip) for one in sparse])]
            lines += [
                "", f"### {chip.upper()}", "",
                "| paper's kernel | published L2 hits, % | here | size | outcome | L2 hits, % | "
                "LLC hits, % | DRAM, GB | time, µs |",
                "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
            for row in rows:
                real = PUBLISHED_PAPER.get(row.paper) if chip == "mi300x" else None
                lines.append(f"| {row.paper} | {f'{real[0]} → {real[1]}' if real else ''} | "
                             f"{row.what} | {compare(row.before, row.after)}")
            lines += ["", summary(rows)]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        lines = counted(pool)
        if options.check:
            page = PAGE.read_text(encoding="utf-8").splitlines()
            told = page[len(HEADER):len(HEADER) + len(lines)]
            for now, then in zip(lines, told):
                if now != then:
                    print(f"error: docs/amd.md is stale; run amd.py: {now}", file=sys.stderr)
            return 0 if told == lines else 1
        PAGE.write_text("\n".join([*HEADER, *lines, *paper(pool)]) + "\n",
                        encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
