# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as SVG without any library, the same text for the same figures.

A page that is generated and compared must not depend on a version of matplotlib, and a chart of
a thousand points must stay small: a row of points is one path of zero-length strokes with round
ends. Each drawing has a background of its own, for pages that are dark.
"""
from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: As the gallery's drawings have them.
INK, MUTED, FRAME, PAPER = "#1c2733", "#5b6770", "#c9d0d6", "#ffffff"
#: One for each kernel; where they do not suffice they come again as squares.
COLOURS = ("#3b6fb6", "#d1495b", "#2e8b57", "#e08e0b", "#7b4fa3", "#1b9aaa", "#8c564b", "#e377c2",
           "#6b7a1f", "#444f59")

Point = tuple[float, float]


def number(value: float) -> str:
    """For coordinates: a tenth of a pixel is enough."""
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    """Collects shapes; y grows downwards."""

    def __init__(self, width: int, height: int):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>']

    def text(self, x: float, y: float, words: str, size: float = 11, colour: str = MUTED,
             style: str = "start") -> None:
        """`style`: where x is ("start", "middle", "end"), then "bold" and "turned"."""
        anchor, *more = style.split()
        options = ' font-weight="bold"' if "bold" in more else ""
        if "turned" in more:
            options += f' transform="rotate(-90 {number(x)} {number(y)})"'
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{size:g}" fill="{colour}" '
            f'text-anchor="{anchor}"{options}>{html.escape(words, quote=False)}</text>')

    def lines(self, ends: Iterable[tuple[Point, Point]], colour: str = FRAME, width: float = 1,
              dashes: str = "") -> None:
        path = "".join(f"M{number(x)} {number(y)}L{number(u)} {number(v)}"
                       for (x, y), (u, v) in ends)
        more = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<path d="{path}" stroke="{colour}" stroke-width="{width:g}" '
                          f'fill="none"{more}/>')

    def dots(self, points: Sequence[Point], colour: str, size: float = 5,
             square: bool = False) -> None:
        """Filled."""
        if points:
            path = "".join(f"M{number(x)} {number(y)}h0" for x, y in points)
            self.parts.append(f'<path d="{path}" stroke="{colour}" stroke-width="{size:g}" '
                              f'stroke-linecap="{"square" if square else "round"}"/>')

    def rings(self, points: Sequence[Point], colour: str, size: float = 5,
              width: float = 1.5) -> None:
        """Hollow."""
        self.parts += [f'<circle cx="{number(x)}" cy="{number(y)}" r="{size / 2:g}" fill="none" '
                       f'stroke="{colour}" stroke-width="{width:g}"/>' for x, y in points]

    def finish(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


@dataclass(frozen=True)
class Scale:
    """From values to places; `first` is the place of the lowest value."""
    low: float
    high: float
    first: float
    last: float
    is_log: bool = False

    def at(self, value: float) -> float:
        low, high = self.low, self.high
        if self.is_log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return self.first + (value - low) / (high - low) * (self.last - self.first)

    def ticks(self) -> list[float]:
        """Round values: powers of ten times 1, 2 and 5, or three to six at even distances."""
        if self.is_log and self.high > 4 * self.low:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            every = [round(digit * 10.0 ** power, 9) for power in powers for digit in (1, 2, 5)]
        else:
            span = (self.high - self.low) / 3
            unit = 10.0 ** math.floor(math.log10(span))
            step = max(unit * factor for factor in (1, 2, 5) if unit * factor <= span)
            first = math.ceil(self.low / step - 1e-9)
            every = [round(step * i, 9) for i in range(first, first + 8)]
        return [tick for tick in every if self.low <= tick * (1 + 1e-9) and
                tick <= self.high * (1 + 1e-9)]


class Panel:
    """A frame with two scales, in which points are given as values."""

    def __init__(self, drawing: Drawing, corner: Point, size: Point, x: tuple[float, float],
                 y: tuple[float, float], is_log: bool = False):
        left, top = corner
        width, height = size
        self.drawing = drawing
        self.x = Scale(*x, left, left + width, is_log)
        self.y = Scale(*y, top + height, top, is_log)

    def frame(self, x_ticks: bool = True) -> None:
        draw, x, y = self.drawing, self.x, self.y
        ticks = x.ticks() if x_ticks else []
        draw.lines([((x.first, y.at(tick)), (x.last, y.at(tick))) for tick in y.ticks()] +
                   [((x.at(tick), y.first), (x.at(tick), y.last)) for tick in ticks],
                   "#e8ecef")
        corners = [(x.first, y.first), (x.last, y.first), (x.last, y.last), (x.first, y.last)]
        draw.lines(zip(corners, [*corners[1:], corners[0]]))
        for tick in y.ticks():
            draw.text(x.first - 5, y.at(tick) + 3.5, f"{tick:g}", 10, style="end")
        for tick in ticks:
            draw.text(x.at(tick), y.first + 14, f"{tick:g}", 10, style="middle")

    def label(self, below: str, left: str) -> None:
        x, y = self.x, self.y
        self.drawing.text((x.first + x.last) / 2, y.first + 32, below, 11.5, INK, "middle")
        self.drawing.text(x.first - 36, (y.first + y.last) / 2, left, 11.5, INK,
                          "middle turned")

    def place(self, points: Iterable[Point]) -> list[Point]:
        return [(self.x.at(x), self.y.at(y)) for x, y in points]

    def line(self, first: Point, last: Point, colour: str = MUTED, width: float = 1,
             dashes: str = "") -> None:
        """Between two points, as far as it lies within both scales at its ends."""
        begin, end = self.place([first, last])
        self.drawing.lines([(begin, end)], colour, width, dashes)


def around(values: Sequence[float], room: float = 1.06) -> tuple[float, float]:
    """The least and the largest of positive values, with room on both sides."""
    return min(values) / room, max(values) * room
