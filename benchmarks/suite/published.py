#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What others counted on AMD's chips, of kernels of which they say enough to simulate them.

    published.py --try last_level_delay 0 0.1 0.2 0.3

says how far simulated hit rates are off with these values of a chip's constant. Every second
of all rows may choose constants, the others say how good they are; `amd.py` writes all of them
to docs/amd.md.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import suite  # noqa: E402

from swizzle.tools import run_json  # noqa: E402

#: One line in so many of the whole launch is simulated. It is the second of two in a row: who
#: counts repeats a launch, and the last level is warm by then.
SAMPLE, LAUNCHES = 16, 2
AS_WRITTEN = "as written"


@dataclasses.dataclass(frozen=True)
class Row:
    """Hit rates in percent that were counted of one order; None: not published."""
    sizes: dict[str, int]
    chip: str
    order: str
    formula: str | None
    l2: float | None
    llc: float | None = None


@dataclasses.dataclass(frozen=True)
class Source:
    """Rows of one publication, all of one kernel."""
    title: str
    text: str
    kernel: str
    shown: str  # what a row says of its sizes
    rows: list[Row]


@dataclasses.dataclass(frozen=True)
class Simulated:
    row: Row
    told: dict[str, Any]

    def off(self, level: str) -> float | None:
        """Points by which the simulated rate is too high."""
        real = getattr(self.row, level)
        return None if real is None else 100 * self.told[f"{level}_hit_rate"] - real


def iree() -> Iterator[Row]:
    counted = {(16384, 1024): (65.37, None), (16384, 16384): (75.33, 77.46),
               (16384, 53248): (36.24, 78.82), (10112, 53248): (38.02, 55.31)}
    for (m, n), (written, transposed) in counted.items():
        sizes = {"M": m, "N": n, "K": 16384}
        yield Row(sizes, "mi355x", AS_WRITTEN, None, written)
        yield Row(sizes, "mi355x", "transposed", orders.formula("x, y", [n // 256, m // 128]),
                  transposed)


def windows(chunk: int | None, height: int) -> str:
    """Chunks of consecutive workgroups for the dies in turn (None: one for each), in windows
    of so many rows: algorithm 1 of HipKittens."""
    deal = ("n = gx * gy\nq, r = n // num_xcds, n % num_xcds\n"
            "i = i % num_xcds * q + min(i % num_xcds, r) + i // num_xcds\n"
            if chunk is None else
            f"b = num_xcds * {chunk}\nd, j = i % num_xcds, i // num_xcds\n"
            f"i = j // {chunk} * b + d * {chunk} + j % {chunk} if i < gx * gy // b * b else i\n")
    return (f"i = y * gx + x\n{deal}w = {height} * gx\ng = i // w\n"
            f"h = min(gy - g * {height}, {height})\nk = i % w\n"
            f"return k // h, g * {height} + k % h\n")


def hipkittens() -> Iterator[Row]:
    for size, order, formula, l2, llc in (
            (9216, AS_WRITTEN, None, 55, 95), (9216, "W 7, C 216", windows(216, 7), 79, 24),
            (9216, "W 5, C 25", windows(25, 5), 75, 93), (14592, AS_WRITTEN, None, 36, 76),
            (14592, "W 8, C 542", windows(None, 8), 79, 7),
            (14592, "W 8, C 64", windows(64, 8), 78, 55)):
        yield Row({"M": size, "N": size, "K": size}, "mi355x", order, formula, l2, llc)


def in_order(order: str, sizes: dict[str, int]) -> str | None:
    """An order of rocKE's attention, as a formula."""
    blocks, group = sizes["LENGTH"] // 256, sizes["GROUP"]
    heads = sizes["HEADS"] // group
    block = f"{blocks} - 1 - q" if sizes["CAUSAL"] else "q"
    begin = "i = (z * gy + y) * gx + x\n"
    if order == "bt_hkv_minor":
        return (f"{begin}b = i % gz\nv = i // gz % {heads}\ng = i // (gz * {heads}) % {group}\n"
                f"q = i // (gz * gy)\nreturn {block}, v * {group} + g, b\n")
    if order == "hq_minor_swz":
        return (f"{begin}j = i // num_xcds\nq = j % gx\nh = j // gx % (gy // num_xcds)\n"
                f"b = j // (gx * (gy // num_xcds))\n"
                f"return {block}, i % num_xcds * (gy // num_xcds) + h, b\n")
    return None


def rocke() -> Iterator[Row]:
    counted = {"mi300x": ((32, 8, 4096, 1, 1, (82, 86, 81)), (64, 8, 8192, 1, 1, (81, 91, 77)),
                          (128, 8, 4096, 16, 1, (87, 65, 76)), (64, 64, 8192, 4, 1, (63, 28, 79)),
                          (32, 8, 32768, 1, 1, (61, 87, 79)), (32, 8, 4096, 1, 0, (88, 90, 83))),
               "mi355x": ((32, 8, 4096, 1, 1, (80, 90, 91)), (64, 8, 8192, 1, 1, (88, 93, 91)),
                          (128, 8, 4096, 16, 1, (89, 58, 90)), (64, 64, 8192, 4, 1, (57, 18, 86)),
                          (32, 8, 32768, 1, 1, (71, 95, 93)), (32, 8, 4096, 1, 0, (86, 93, 93)))}
    for chip, shapes in counted.items():
        for heads, key_heads, length, batch, causal, rates in shapes:
            sizes = {"BATCH": batch, "HEADS": heads, "GROUP": heads // key_heads,
                     "LENGTH": length, "CAUSAL": causal}
            for order, rate in zip(("qb_minor", "bt_hkv_minor", "hq_minor_swz"), rates):
                yield Row(sizes, chip, order, in_order(order, sizes), rate)


def sources() -> list[Source]:
    return [
        Source(
            "A product of 4-bit floats, MI355X",
            "Counted with rocprof (iree-org/iree, pull request 23358), of IREE's product with "
            "tiles of 128 × 256 × 256, as written (tiles of N first) and transposed (tiles of M "
            "first) where its rule, which counts different tiles, chose that. "
            "[`product_fp4.cu`](../benchmarks/suite/kernels/product_fp4.cu) is written after what "
            "is said there of tiles, waves and layout. Guessed: one workgroup fits on a compute "
            "unit, because of two buffers in workgroup memory. Rows of tiles are whole: 10112 is "
            "published as 10000. The time takes the chip's matrix cores for those of 16-bit "
            "floats, whose rate is what its file has: fp4 is faster, and such a product more "
            "bound by memory.",
            "product_fp4", "{M} × {N} × {K}", list(iree())),
        Source(
            "A product of bf16 numbers, MI355X",
            "HipKittens (arXiv 2511.08083, table 4), with tiles of 192 × 256 × 64: as written, "
            "row by row of tiles, and by its algorithm 1, which deals chunks of C workgroups to "
            "the dies and walks windows of W rows. "
            "[`product_bf16.cu`](../benchmarks/suite/kernels/product_bf16.cu) has its tiles, waves "
            "and buffers. C 542 is more than an eighth of the workgroups; taken is an even deal. "
            "Guessed: what was called a hit in the last level; here it is what the L2s read and "
            "write there. Of 9216 × 9216 as written, fewer hits are published than workgroups "
            "that run in step share: every compute unit of a die has tiles of the same nine "
            "columns.",
            "product_bf16", "{M} × {N} × {K}", list(hipkittens())),
        Source(
            "Attention, MI300X and MI355X",
            "rocKE's dense attention of 128 numbers a head in bf16 (ROCm/rocm-libraries, case "
            "study of pull request 12714), counted with rocprofv3, one workgroup for each block "
            "of 256 queries. Orders: `qb_minor`, blocks of queries first, as the kernel's grid "
            "has them; `bt_hkv_minor`, batch and key heads first; `hq_minor_swz`, a band of heads "
            "for each die, one head's blocks at a time. Causal ones but `qb_minor` take the "
            "longest blocks first. "
            "[`attention_blocks.cu`](../benchmarks/suite/kernels/attention_blocks.cu) has these "
            "blocks of queries and keys. Guessed: waves, buffers and layout, and that both chips "
            "run one kernel. On the MI300X, bands of heads hit 7 to 14 points less than "
            "simulated, even where all workgroups of a die share all keys; why is not known.",
            "attention_blocks",
            "{HEADS} heads, groups of {GROUP}, length {LENGTH}, batch {BATCH}, {mask}",
            list(rocke()))]


def case_of(source: Source, sizes: dict[str, int]) -> suite.Case:
    (kernel,) = [one for one in suite.load(HERE / "amd.json") if one.name == source.kernel]
    return suite.Case(kernel, {**kernel.fixed, **sizes})


def simulate(case: suite.Case, code: pathlib.Path, hardware: str,
             formula: str | None) -> dict[str, Any]:
    """The whole launch; `hardware` is an option that names a chip or a file."""
    (launch,) = case.launches()
    options = [f"--{name}={'x'.join(map(str, launch[name]))}" for name in ("grid", "block")]
    if formula:
        path = code.with_suffix(".swz")
        path.write_text(formula, encoding="utf-8")
        options.append(f"--formula-file={path}")
    report = run_json("swizzle-sim", [code, hardware, f"--sample={SAMPLE}",
                                      f"--launches={LAUNCHES}", "--json", *options],
                      schema="swizzle-sim/1")
    (kernel,) = report["kernels"]
    told: dict[str, Any] = kernel["after"] or kernel["before"]
    return told


def target_of(chip: str) -> str:
    row: dict[str, Any] = json.loads((ROOT / f"hardware/{chip}.json").read_text(encoding="utf-8"))
    return str(row["target"])


def simulate_row(job: tuple[Source, Row, str | None]) -> Simulated:
    """A row on its chip, or on that of a file."""
    source, row, hardware = job
    with tempfile.TemporaryDirectory() as temporary:
        case = case_of(source, row.sizes)
        code = building.lower(case, pathlib.Path(temporary), target_of(row.chip))
        return Simulated(row, simulate(case, code, hardware or f"--chip={row.chip}", row.formula))


def points(rows: Sequence[Simulated], level: str) -> list[float]:
    """By how many points rows are off whose rate was published."""
    return [abs(off) for row in rows if (off := row.off(level)) is not None]


def said(rows: Sequence[Simulated]) -> str:
    """How far they are off, in a sentence for each level."""
    lines = []
    for level, name in (("l2", "L2 hits"), ("llc", "Last-level hits")):
        if every := points(rows, level):
            lines.append(f"{name} are off by {statistics.mean(every):.1f} points on average, "
                         f"{statistics.median(every):.1f} in the median, {max(every):.1f} at "
                         f"worst, over {len(every)} rows.")
    return " ".join(lines)


def halves(rows: Sequence[Simulated]) -> str:
    """The rows that may choose constants, every second one by L2 hits, beside the others."""
    every = points(rows, "l2")
    return (f"L2 hits of every second row, from the first, are off by "
            f"{statistics.mean(every[::2]):.1f} points on average, of the others by "
            f"{statistics.mean(every[1::2]):.1f}.")


def try_values(constant: str, values: Sequence[float], jobs: int) -> None:
    every = [(source, row) for source in sources() for row in source.rows]
    for value in values:
        with tempfile.TemporaryDirectory() as temporary, \
                concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            files = {}
            for chip in sorted({row.chip for _, row in every}):
                told = json.loads((ROOT / f"hardware/{chip}.json").read_text(encoding="utf-8"))
                told.setdefault("fitted", {})[constant] = {"value": value, "source": "tried"}
                files[chip] = pathlib.Path(temporary) / f"{chip}.json"
                building.write_json(files[chip], told)
            found = list(pool.map(simulate_row, (
                (source, row, f"--hardware-file={files[row.chip]}") for source, row in every)))
        print(f"{constant} {value:g}: {said(found)} {halves(found)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--try", dest="tried", nargs="+", required=True,
                        metavar=("CONSTANT", "VALUE"))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    constant, *values = options.tried
    try_values(constant, [float(value) for value in values], options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
