# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far simulated figures are from measured ones: pairs of the two, and what is said of them.

A pair is one order of one kernel at one size. What is `uncertain` the simulator said itself
(`simulate.py --sensitivity`), before it was compared with anything: of two orders that are off
by as much, one may be marked and the other not.
"""
from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import suite
from report import HEADROOM, NOISE, Row
from simulate import ORIGINAL, PLANNER, Figures, sum_of

Simulated = Mapping[str, dict[str, Figures]]
#: A measured gain above this has a sign.
GAIN = 0.03
#: Simulated gains that differ from the measured one by no more than this are near.
NEAR = 0.10
#: Of a row that is not marked, DRAM bytes may be off by this at worst.
WORST = 0.10


@dataclass(frozen=True)
class Counted:
    """What ncu counted of an order, beside what is simulated. Bytes are read from DRAM; hits
    of the L2 are in percent, and those of several launches are not simulated as one."""
    row: Row
    order: str
    measured_bytes: float
    simulated_bytes: float
    measured_hits: float
    simulated_hits: float | None
    uncertain: bool | None

    @property
    def off(self) -> float:
        """Of the measured bytes, with its sign."""
        return self.simulated_bytes / self.measured_bytes - 1

    @property
    def points(self) -> float | None:
        return None if self.simulated_hits is None else self.simulated_hits - self.measured_hits


@dataclass(frozen=True)
class Timed:
    """An order's time over that of the kernel as it is, measured and simulated."""
    order: str
    measured: float
    simulated: float | None


@dataclass(frozen=True)
class Errors:
    """Of errors without their signs."""
    count: int
    median: float
    mean: float
    worst: float


def errors(values: Sequence[float]) -> Errors:
    away = [abs(value) for value in values]
    if not away:
        return Errors(0, 0.0, 0.0, 0.0)
    return Errors(len(away), statistics.median(away), statistics.mean(away), max(away))


def ranks(values: Sequence[float], noise: float = NOISE) -> list[float]:
    """Of each, how many are smaller beyond the noise, and half of the others within it. Ties are
    shared as usual; bins of values would tear pairs apart that the noise does not tell apart."""
    def below(small: float, large: float) -> float:
        if max(small, large) <= min(small, large) * (1 + noise):
            return 0.5
        return 1.0 if small < large else 0.0
    return [sum(below(other, value) for at, other in enumerate(values) if at != place)
            for place, value in enumerate(values)]


def correlation(a: Sequence[float], b: Sequence[float], noise: float = NOISE) -> float | None:
    """Spearman's, of two rows of times; None where one of them has ties alone."""
    ranked = [ranks(a, noise), ranks(b, noise)]
    away = [[value - sum(row) / len(row) for value in row] for row in ranked]
    spread = math.prod(math.sqrt(sum(value * value for value in row)) for row in away)
    return sum(map(lambda x, y: x * y, *away)) / spread if spread else None


def figures_of(row: Row, simulated: Simulated) -> dict[str, Figures]:
    """Simulated figures by order. Those of the kernel as it is and of the planner's order were
    recorded with the measurement, too: what is simulated later takes their place."""
    decided = row.told["decided"]
    found: dict[str, Figures] = {}
    if all(one["before"] for one in decided):
        found[ORIGINAL] = sum_of([one["before"] for one in decided])
    if any(one["outcome"] == "remapped" for one in decided) and \
            all(one["after"] or one["before"] for one in decided):
        found[PLANNER] = sum_of([one["after"] or one["before"] for one in decided])
    return {**found, **simulated.get(str(row.told["case"]), {})}


def counted(rows: Sequence[Row], simulated: Simulated) -> list[Counted]:
    """All orders that have both. A case that launches one kernel at many sizes is left out: it
    is simulated at the largest. What is simulated as a whole comes first."""
    once = {kernel.name for manifest in suite.MEASURED for kernel in suite.load(manifest)
            if kernel.repeat == "1"}
    found = []
    for row in rows:
        told = figures_of(row, simulated)
        for name, real in row.told["counters"].items():
            bytes_read = real.get("dram_read_bytes")
            if row.name not in once or name not in told or not bytes_read:
                continue
            figures = told[name].get("whole", told[name])
            rate = figures.get("l2_hit_rate")
            found.append(Counted(
                row, name, bytes_read, figures["dram_read_bytes"], 100 * real["l2_hit_rate"],
                None if rate is None else 100 * rate, told[name].get("uncertain")))
    return found


def has_headroom(row: Row) -> bool:
    return row.original > row.best[0] * (1 + HEADROOM)


def timed(row: Row, simulated: Simulated) -> list[Timed]:
    """The orders of a sweep by their measured times, and the planner's as it was measured last
    (the kernel's own where it keeps that)."""
    told = figures_of(row, simulated)

    def ratio(name: str) -> float | None:
        if name not in told or ORIGINAL not in told:
            return None
        return float(told[name]["time_us"]) / float(told[ORIGINAL]["time_us"])
    times = {name: float(us) for name, us in row.told["orders"].items() if us}
    found = [Timed(name, us / times[ORIGINAL], ratio(name))
             for name, us in times.items() if name != PLANNER]
    if row.time(PLANNER) is not None and found:
        found.append(Timed(PLANNER, row.planned / row.original, ratio(PLANNER)))
    return sorted(found, key=lambda one: one.measured)


@dataclass(frozen=True)
class Ranked:
    """How well a kernel's orders are ranked, and its gains met."""
    row: Row
    #: Of the sweep's orders that were simulated, the kernel's own among them.
    orders: list[Timed]
    correlation: float | None
    #: Those that gain, and among them those simulated with the right sign, and near.
    gaining: list[Timed]
    right: int
    near: int
    #: Both at once.
    both: int


def is_right(one: Timed) -> bool:
    return one.simulated is not None and (one.measured < 1) == (one.simulated < 1)


def is_near(one: Timed) -> bool:
    """Whether the simulated gain is the measured one, within a tenth of that."""
    return one.simulated is not None and abs(one.measured / one.simulated - 1) <= NEAR


def rank(row: Row, simulated: Simulated) -> Ranked:
    known = [one for one in timed(row, simulated) if one.simulated is not None]
    swept = [one for one in known if one.order != PLANNER]
    gaining = [one for one in known if one.measured * (1 + GAIN) < 1]
    found = correlation([one.measured for one in swept],
                        [one.simulated for one in swept if one.simulated]) if swept else None
    return Ranked(row, swept, found, gaining, sum(map(is_right, gaining)),
                  sum(map(is_near, gaining)),
                  sum(is_right(one) and is_near(one) for one in gaining))


@dataclass(frozen=True)
class Bar:
    """What is asked, what was reached, and whether that is enough; None if there is nothing to
    say it of."""
    asked: str
    reached: str
    met: bool | None


def dram_bars(pairs: Sequence[Counted]) -> list[Bar]:
    """Of rows that are not marked, and of how many are."""
    plain = errors([one.off for one in pairs if not one.uncertain])
    every = errors([one.off for one in pairs])
    marked = [one for one in pairs if one.uncertain]
    missed = [one for one in pairs if abs(one.off) > WORST and not one.uncertain]
    asked = any(one.uncertain is not None for one in pairs)
    bars = [Bar(f"DRAM bytes read, rows that are not marked, off by at most {most:.1%} {where}",
                f"{getattr(plain, name):.2%}; over all rows {getattr(every, name):.2%}",
                getattr(plain, name) <= most if plain.count else None)
            for name, where, most in (("median", "in the median", 0.015),
                                      ("mean", "on average", 0.03), ("worst", "at worst", WORST))]
    return [*bars,
            Bar("at most a quarter of the rows are marked as uncertain",
                f"{len(marked)} of {len(pairs)}",
                len(marked) * 4 <= len(pairs) if asked else None),
            Bar(f"every row that is off by more than {WORST:.0%} is marked",
                f"{len(missed)} of {len(missed) + sum(abs(one.off) > WORST for one in marked)} "
                "are not", not missed if pairs else None)]


def bars(pairs: Sequence[Counted], ranked: Sequence[Ranked],
         every: Sequence[Ranked]) -> list[Bar]:
    """All of them: `ranked` are kernels with headroom, `every` all that were swept."""
    hits = errors([one.points for one in pairs if one.points is not None])
    good = [one for one in ranked if one.correlation is not None and one.correlation >= 0.9]
    gaining = sum(len(one.gaining) for one in every)
    right, near, both = (sum(getattr(one, name) for one in every)
                         for name in ("right", "near", "both"))
    return [
        Bar("L2 hit rate off by at most 2 points on average", f"{hits.mean:.2f} points, "
            f"{hits.worst:.0f} at worst", hits.mean <= 2 if hits.count else None),
        *dram_bars(pairs),
        Bar(f"Spearman's rank correlation of orders at least 0.9, for each kernel and size with "
            f"more than {HEADROOM:.0%} to gain", f"{len(good)} of {len(ranked)}",
            len(good) == len(ranked) if ranked else None),
        Bar(f"right sign of the gain wherever the measured one exceeds {GAIN:.0%}",
            f"{right} of {gaining} orders", right == gaining if gaining else None),
        Bar(f"simulated gain within {NEAR:.0%} of the measured one for 80% of those",
            f"{near} of {gaining} orders" + (f" ({near / gaining:.0%})" if gaining else "") +
            f", {both} of them with the right sign",
            near >= 0.8 * gaining if gaining else None)]
