# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plots of docs/accuracy.md: counters, gains, and sweeps, simulated beside measured.

What was measured is blue, what is simulated orange, wherever one chart has both; where one is
drawn against the other, the axes say which is which.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from comparison import NEAR, Counted, Timed
from drawing import COLOURS, INK, MUTED, Drawing, Panel, around
from report import Row
from simulate import ORIGINAL, PLANNER

MEASURED, SIMULATED, CHOSEN = "#3b6fb6", "#c96a00", "#b3123f"


def titled(width: int, height: int, title: str, origin: str) -> Drawing:
    drawing = Drawing(width, height)
    drawing.text(20, 28, title, 16, INK, "start bold")
    drawing.text(20, 46, origin)
    return drawing


def equal(panel: Panel, share: float = 0, points: float = 0) -> None:
    """The diagonal of a panel with two like scales, and what is off by so much from it."""
    low, high = panel.x.low, panel.x.high
    panel.line((low, low), (high, high))
    if share:
        panel.line((low * (1 + share), low), (high, high / (1 + share)), dashes="3 3")
        panel.line((low, low * (1 + share)), (high / (1 + share), high), dashes="3 3")
    if points:
        panel.line((low + points, low), (high, high - points), dashes="3 3")
        panel.line((low, low + points), (high - points, high), dashes="3 3")


def counters(pairs: Sequence[Counted], origin: str) -> str:
    """DRAM bytes and hits of the L2, simulated against measured; hollow where uncertain."""
    kernels = sorted({one.row.name for one in pairs})
    rows = -(-len(kernels) // 5)
    drawing = titled(900, 530 + 18 * rows, "Counters: simulated against measured", origin)
    scale = around([value / 1e9 for one in pairs
                    for value in (one.measured_bytes, one.simulated_bytes)], 1.2)
    dram = Panel(drawing, (70, 90), (360, 360), scale, scale, is_log=True)
    hits = Panel(drawing, (520, 90), (360, 360), (0, 100), (0, 100))
    for panel, title in ((dram, "DRAM read, GB; dashed: 10 % off"),
                         (hits, "L2 hit rate, %; dashed: 2 points off")):
        panel.frame()
        panel.label("measured", "simulated")
        drawing.text(panel.x.first, 80, title, 12, INK, "start bold")
    equal(dram, share=0.1)
    equal(hits, points=2)
    for place, kernel in enumerate(kernels):
        colour, square = COLOURS[place % len(COLOURS)], place >= len(COLOURS)
        for one in pairs:
            if one.row.name != kernel:
                continue
            points = dram.place([(one.measured_bytes / 1e9, one.simulated_bytes / 1e9)])
            if one.simulated_hits is not None:
                points += hits.place([(one.measured_hits, one.simulated_hits)])
            if one.uncertain:
                drawing.rings(points, colour, 7)
            else:
                drawing.dots(points, colour, 6, square)
        x, y = 70 + 165 * (place % 5), 510 + 18 * (place // 5)
        drawing.dots([(x, y - 4)], colour, 7, square)
        drawing.text(x + 9, y, kernel, 11, INK)
    drawing.rings([(70, 506 + 18 * rows)], MUTED, 7)
    drawing.text(79, 510 + 18 * rows, "hollow: the simulator calls the order's bytes uncertain")
    return drawing.finish()


def gains(ranked: Sequence[tuple[Row, Sequence[Timed]]], origin: str) -> str:
    """Times of orders over that of the kernel as it is, one panel a kernel."""
    kernels = sorted({row.name for row, _ in ranked})
    points = {kernel: [one for row, orders in ranked if row.name == kernel for one in orders]
              for kernel in kernels}
    rows = -(-len(kernels) // 4)
    drawing = titled(900, 110 + 235 * rows, "Time over that of the kernel as it is: simulated "
                     "against measured", origin)
    drawing.text(20, 64, f"Kernels with something to gain, all sizes; one dot an order. Dashed: "
                 f"{NEAR:.0%} off. Left of the cross: faster, measured; below it: faster, "
                 "simulated.")
    drawing.dots([(26, 78)], MEASURED, 6)
    drawing.text(34, 82, "an order of the sweep")
    drawing.rings([(172, 78)], CHOSEN, 9, 2)
    drawing.text(182, 82, "the planner's order")
    for place, kernel in enumerate(kernels):
        own = [(one.measured, one.simulated, one.order == PLANNER) for one in points[kernel]
               if one.simulated]
        scale = around([value for pair in own for value in pair[:2]] + [1], 1.08)
        panel = Panel(drawing, (58 + 218 * (place % 4), 120 + 235 * (place // 4)), (155, 155),
                      scale, scale, is_log=True)
        panel.frame()
        panel.label("measured", "simulated")
        drawing.text(panel.x.first, panel.y.last - 6, kernel, 12, INK, "start bold")
        equal(panel, share=NEAR)
        panel.line((1, scale[0]), (1, scale[1]), INK)
        panel.line((scale[0], 1), (scale[1], 1), INK)
        drawing.dots(panel.place((x, y) for x, y, planned in own if not planned), MEASURED, 4)
        drawing.rings(panel.place((x, y) for x, y, planned in own if planned), CHOSEN, 8, 2)
    return drawing.finish()


def curve(drawing: Drawing, panel: Panel, places: Iterable[tuple[int, float]], name: str,
          colour: str, chosen: int | None) -> None:
    """One row of times over the places of orders, and a ring around the planner's choice."""
    panel.frame(x_ticks=False)
    panel.line((panel.x.low, 1), (panel.x.high, 1), INK, 1, "2 3")
    points = list(places)
    drawing.dots(panel.place(points), colour, 3.4)
    drawing.rings(panel.place(point for point in points if point[0] == chosen), CHOSEN, 9, 2)
    # Orders lie by their measured times, so this corner is the emptiest.
    drawing.text(panel.x.last - 6, panel.y.first - 7, name, 10.5, colour, "end bold")


def sweeps(shown: Sequence[tuple[Row, Sequence[Timed]]], origin: str) -> str:
    """A sweep's orders by their measured time, and below, in a panel of its own, what is
    simulated of some of them at the same places."""
    rows = -(-len(shown) // 3)
    drawing = titled(900, 96 + 252 * rows, "Sweeps: orders from the fastest to the slowest, as "
                     "measured", origin)
    drawing.text(20, 64, "Times over that of the kernel as it is (dotted). Above: measured. Below, "
                 "at the same places: simulated, of the orders that were.")
    drawing.rings([(26, 78)], CHOSEN, 9, 2)
    drawing.text(36, 82, "the planner's choice: its order, or the kernel as it is")
    for place, (row, orders) in enumerate(shown):
        left, top = 52 + 294 * (place % 3), 124 + 252 * (place // 3)
        drawing.text(left, top - 20, row.name, 12, INK, "start bold")
        drawing.text(left, top - 6, row.size, 10)
        kept = row.time(PLANNER) is None
        chosen = next((i for i, one in enumerate(orders)
                       if one.order == (ORIGINAL if kept else PLANNER)), None)
        simulated = [(i, one.simulated) for i, one in enumerate(orders) if one.simulated]
        scale = around([one.measured for one in orders] + [y for _, y in simulated], 1.05)
        across = (-1.5, len(orders) + 0.5)
        curve(drawing, Panel(drawing, (left, top), (236, 92), across, scale),
              ((i, one.measured) for i, one in enumerate(orders)), "measured", MEASURED, chosen)
        curve(drawing, Panel(drawing, (left, top + 102), (236, 92), across, scale), simulated,
              "simulated", SIMULATED, chosen)
    return drawing.finish()
