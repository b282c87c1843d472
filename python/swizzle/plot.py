# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots, with matplotlib (the extra `swizzle[plot]`).

Each function draws into a figure of its own and returns it; `path` saves it as well,
the format by the file's ending.
"""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Mapping, Sequence

from .records import KernelReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["before_after", "best_so_far"]

BEFORE, AFTER = "#9aa5b1", "#1f6fb2"


def new_figure(width: float, height: float) -> "Figure":
    """A figure without a window behind it."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plots need matplotlib: install swizzle[plot]") from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def finish(figure: "Figure", path: str | os.PathLike[str] | None) -> "Figure":
    if path is not None:
        figure.savefig(os.fspath(path))
    return figure


def before_after(kernels: Iterable[KernelReport], *, what: str = "dram_bytes",
                 path: str | os.PathLike[str] | None = None) -> "Figure":
    """Bars of one figure of `Metrics` before and after, a pair for each kernel, scaled
    to the figure before. Kernels without simulated figures are left out."""
    rows = [(kernel.name, getattr(kernel.before, what), getattr(kernel.after, what))
            for kernel in kernels if kernel.before and kernel.after]
    rows = [row for row in rows if row[1] and row[2] is not None]
    figure = new_figure(max(4.0, 0.9 * len(rows) + 1.5), 3.2)
    axes = figure.add_subplot()
    places = range(len(rows))
    axes.bar([p - 0.2 for p in places], [1.0] * len(rows), 0.38, color=BEFORE, label="before")
    axes.bar([p + 0.2 for p in places], [after / before for _, before, after in rows], 0.38,
             color=AFTER, label="after")
    axes.set_xticks(list(places), [name for name, _, _ in rows], rotation=30, ha="right")
    axes.set_ylabel(f"{what}, before = 1 (simulated)")
    axes.legend(frameon=False)
    return finish(figure, path)


def best_so_far(runs: Mapping[str, Sequence[float]], *, ylabel: str = "best gain so far",
                path: str | os.PathLike[str] | None = None) -> "Figure":
    """One line for each run: the best gain (baseline over best) after each round."""
    figure = new_figure(5.5, 3.4)
    axes = figure.add_subplot()
    for name, gains in runs.items():
        axes.step(range(len(gains)), gains, where="post", marker="o", markersize=3, label=name)
    axes.set_xlabel("round (0: the kernel as it is)")
    axes.set_ylabel(ylabel)
    if runs:
        axes.legend(frameon=False, fontsize="small")
    return finish(figure, path)
