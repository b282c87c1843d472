# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The section of docs/measured.md about products in fp16, of what `fp16.py` measured."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import fp16_cases

#: A single product in the largest tile reaches this.
LEAST_TFLOPS = 500
#: Other products reach this part of what cuBLAS does.
LEAST_SHARE = 0.8


class Row:
    """A size in one tile. Ours is the kernel in its own order or in the planner's, whichever
    is faster."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.told = told
        self.medians: dict[str, float] = told["median_us"]

    @property
    def name(self) -> str:
        return f"{self.told['size']} in tiles of {self.tile}"

    @property
    def tile(self) -> str:
        return "x".join(map(str, self.told["tile"]))

    @property
    def is_large(self) -> bool:
        """One product, in the largest tile."""
        return bool(self.told["batch"] == 1 and tuple(self.told["tile"]) == fp16_cases.LARGEST)

    @property
    def ours(self) -> float:
        return min(self.medians[name] for name in ("own", "planner") if name in self.medians)

    @property
    def tflops(self) -> float:
        flops = 2 * self.told["batch"] * self.told["m"] * self.told["n"] * self.told["k"]
        return float(flops / self.ours / 1e6)

    @property
    def share(self) -> float | None:
        """Of what cuBLAS does in the same time; None if it was not measured."""
        cublas = self.medians.get("cublas")
        return cublas / self.ours if cublas else None

    @property
    def planner(self) -> str:
        time = self.medians.get("planner")
        return f"{time:.1f}" if time else str(self.told["planner"]["outcome"])

    def time(self, name: str) -> str:
        return f"{self.medians[name]:.1f}" if name in self.medians else ""

    def print(self) -> str:
        share = "" if self.share is None else f"{self.share:.2f}"
        return (f"| {self.told['size']} | {self.tile}, {self.told['warps']} warps, "
                f"{self.told['stages']} stages | {self.time('own')} | {self.planner} "
                f"| {self.time('grouped')} | {self.time('cublas')} | {self.tflops:.0f} "
                f"| {share} |")


def bar(what: str, rows: Sequence[Row], reached: Sequence[Row]) -> str:
    """Whether all rows reach a bar, and which do not."""
    if not rows:
        return f"- {what}: not measured."
    missed = ", ".join(row.name for row in rows if row not in reached)
    holds = f"**no**, not {missed}" if missed else "yes"
    return f"- {what}: {len(reached)} of {len(rows)}. Holds: {holds}."


def bars(rows: Sequence[Row]) -> list[str]:
    large = [row for row in rows if row.is_large]
    others = [row for row in rows if not row.is_large]
    largest = "x".join(map(str, fp16_cases.LARGEST))
    return [
        bar(f"Single products in tiles of {largest}, at {LEAST_TFLOPS} TFLOP/s or more", large,
            [row for row in large if row.tflops >= LEAST_TFLOPS]),
        bar(f"Others, at {100 * LEAST_SHARE:.0f} % of what cuBLAS does or more", others,
            [row for row in others if (row.share or 0) >= LEAST_SHARE])]


def where(rows: Sequence[Row]) -> str:
    """The machine, its software and the day, of all rows."""
    def told(name: str) -> str:
        return ", ".join(sorted({str(row.told.get(name)) for row in rows}))
    dates = ", ".join(sorted({str(row.told["date"])[:10] for row in rows}))
    return (f"{told('device')} (driver {told('driver')}, CUDA {told('cuda')}, PyTorch "
            f"{told('torch')}, Triton {told('triton')}; {dates})")


def section(told: Sequence[dict[str, Any]]) -> list[str]:
    """Lines of Markdown; none without rows."""
    if not told:
        return []
    rows = [Row(one) for one in told]
    differ = [row.name for row in rows if row.told["differ"]]
    same = "**no**: " + ", ".join(differ) if differ else "yes"
    turns = min(len(one["turns_us"]["own"]) for one in told)
    return [
        "## Products in fp16, beside cuBLAS",
        "",
        "As Triton writes them, with fp32 sums on the matrix units (`fp16.py`): the kernel in its "
        "own order, row by row; the same kernel in the order of `swizzle.triton`'s planner, or "
        f"kept; Triton's usual order by hand, in groups of {fp16_cases.GROUP} rows of tiles; and "
        "`torch.matmul`, which calls cuBLAS. Medians of "
        f"{turns} turns in one run, caches cleared before each, with the warps and stages that "
        f"were faster in a short timing, on one {where(rows)}. The last two columns are of the "
        "faster of own and planner's order; a size of four numbers begins with the batch.",
        "",
        *bars(rows),
        f"- All orders of a row wrote the same bits: {same}. They are off from cuBLAS's by "
        f"{max(row.told['error'] for row in rows):.1e} at most, of a number and the outputs' root "
        "mean square together.",
        "",
        "| size | tile | own order, µs | planner's order, µs | Triton's grouped order, µs "
        "| cuBLAS, µs | ours, TFLOP/s | cuBLAS's time / ours |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(row.print() for row in rows),
        ""]
