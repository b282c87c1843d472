# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots hold the figures that they are given."""
import pytest

from swizzle.records import KernelReport, Metrics

plot = pytest.importorskip("swizzle.plot")
pytest.importorskip("matplotlib")


def kernel(name, before, after):
    def metrics(bytes_read):
        return Metrics(dram_read_bytes=bytes_read, dram_write_bytes=0.0, time_us=1.0)
    return KernelReport(
        module="m", name=name, chip="h200", grid="8x8x1", block="256x1x1", outcome="remapped",
        reason_code="improved", reason="", counterexample=None, formula=None, params={},
        proof="enumerated", assumptions=(), bottleneck=None, scalar_cost=3, vector_cost=0,
        before=metrics(before) if before else None, after=metrics(after) if after else None)


def test_bars_are_scaled_to_the_figure_before(tmp_path):
    path = tmp_path / "bars.svg"
    figure = plot.before_after([kernel("a", 10.0, 5.0), kernel("b", None, None),
                                kernel("c", 4.0, 4.0)], path=path)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights == [1.0, 1.0, 0.5, 1.0]
    assert "<svg" in path.read_text()


def test_lines_are_the_runs(tmp_path):
    figure = plot.best_so_far({"planner": [1.0, 1.5], "replay": [1.0, 1.2, 1.6]},
                              path=tmp_path / "lines.png")
    assert [list(line.get_ydata()) for line in figure.axes[0].lines] == [[1.0, 1.5],
                                                                         [1.0, 1.2, 1.6]]
    assert (tmp_path / "lines.png").read_bytes().startswith(b"\x89PNG")
