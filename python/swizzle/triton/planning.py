# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which order a kernel gets on a grid: from the planner, the database, or a measurement.
"""
from __future__ import annotations

import concurrent.futures
import dataclasses
import re
import statistics
from dataclasses import dataclass
from typing import Any, Sequence

from .arguments import overlapping
from .assembling import assemble, question_of, why_not
from .families import FAMILIES
from .measuring import choose
from ..remapping import RemapError
from .patching import Order, Question, ask, options_text
from .records import write_record
from .report import Grid, Launch, Timing, log
from .settings import Settings
from .store import Store

__all__ = ["Planned", "Planner", "Variant", "shared_memory"]

#: Families that are asked for at a time.
AT_ONCE = 4


@dataclass(frozen=True)
class Variant:
    """One order of a kernel, ready to be loaded."""
    order: Order
    kernel: Any  #: CompiledKernel

    @property
    def formula(self) -> str:
        return str(self.order.entry["formula"])

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple((self.order.entry.get("proof") or {}).get("assumptions") or ())


@dataclass(frozen=True)
class Planned:
    """What was decided. Without variants the kernel stays as it is; several are to be
    measured."""
    launch: Launch
    variants: tuple[Variant, ...] = ()
    is_measured: bool = False

    @property
    def assumptions(self) -> set[str]:
        """What proofs of the variants rest on; nothing if the kernel stays as it is."""
        return {text for one in self.variants for text in one.assumptions}

    @property
    def needs_sizes(self) -> bool:
        return any(not kept_apart(text) for text in self.assumptions)

    @property
    def needs_apart(self) -> set[frozenset[str]]:
        """Pairs of buffers that must not overlap."""
        return {pair for text in self.assumptions for pair in kept_apart(text)}


class Planner:
    """Answers for all kernels of one process."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.store = Store(settings.cache_path)

    def plan(self, kernel: Any, grid: Grid, known_grids: int,
             arguments: Sequence[Any] = ()) -> Planned:
        """Decides about `kernel`, which has been planned for `known_grids` grids before and is
        launched now, with `arguments`. Raises what goes wrong."""
        reason = why_not(kernel)
        outcome = "refused"
        if min(grid) < 1:  # nothing runs, whatever the kernel is
            outcome = "kept"
            reason = ("empty-grid", f"the grid {'x'.join(map(str, grid))} has no workgroup")
        elif known_grids >= self.settings.most_grids:
            outcome = "kept"
            reason = ("many-grids", f"it was planned for {known_grids} grids already "
                                    "(most_grids)")
        if reason:
            return Planned(Launch(kernel=kernel.name, grid=grid, outcome=outcome,
                                  reason_code=reason[0], reason=reason[1]))
        question = question_of(kernel, grid, arguments if self.settings.sizes else ())
        if self.settings.planning == "planner":
            order = self.ask(question)
        else:
            order = self.look_up(question)
        if self.settings.planning == "measure" and is_miss(order):
            planned = self.compare(kernel, question)
        else:
            planned = Planned(Launch.of(kernel.name, grid, order.entry),
                              self.variants(kernel, [order]))
        shared = shared_memory(planned.needs_apart, kernel, arguments)
        if not shared:
            return planned
        return Planned(dataclasses.replace(
            planned.launch, outcome="refused", reason_code="overlap", reason=shared,
            formula=None, params={}, assumptions=()))

    def ask(self, question: Question, **options: str) -> Order:
        return ask(question, options_text(question, self.settings, **options), self.store,
                   self.settings.timeout)

    def look_up(self, question: Question) -> Order:
        """What the database has; not kept in the store, as the database may change."""
        options = options_text(question, self.settings, agent="database",
                               database=str(self.settings.database_path))
        return ask(question, options, None, self.settings.timeout)

    def variants(self, kernel: Any, orders: Sequence[Order]) -> tuple[Variant, ...]:
        return tuple(Variant(order, assemble(kernel, order.llir, self.store,
                                             self.settings.timeout))
                     for order in orders if order.llir is not None)

    def compare(self, kernel: Any, question: Question) -> Planned:
        """Finds the best few orders, to be timed beside the kernel's own."""
        first = self.ask(question)
        launch = Launch.of(kernel.name, question.grid, first.entry)
        if first.entry["outcome"] == "refused":
            return Planned(launch)
        orders = {first.llir: first} if first.llir else {}
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for order in pool.map(lambda family: self.try_family(question, family), FAMILIES):
                if order and order.llir and changes_something(order):
                    orders.setdefault(order.llir, order)
        # The planner's answer stands first, then whatever is simulated to be fastest.
        ranked = sorted(orders.values(), key=lambda one: (one is not first, simulated_time(one)))
        variants = self.variants(kernel, ranked[:self.settings.candidates])
        if not variants:
            return Planned(launch)
        waiting = dataclasses.replace(
            launch, outcome="measuring", formula=None, params={},
            reason_code="measuring", reason=f"{len(variants)} orders and its own are timed at "
            f"its next {(len(variants) + 1) * (self.settings.rounds + 1)} launches")
        return Planned(waiting, variants, is_measured=True)

    def try_family(self, question: Question, family: str) -> Order | None:
        try:
            return self.ask(question, formula=family, simulate="fast")
        except RemapError:
            return None  # no permutation of this grid, or not for this chip

    def settle(self, planned: Planned, turns: Sequence[Sequence[float]], kernel: Any) -> int:
        """The number of the order that stays, 0 for the kernel's own; writes it down."""
        best = choose(turns, self.settings.margin)
        medians = [statistics.median(times) for times in turns]
        timings = tuple(
            Timing(order=planned.variants[number - 1].formula if number else "",
                   milliseconds=median, launches=len(turns[number]))
            for number, median in enumerate(medians))
        chosen = planned.variants[best - 1] if best else planned.variants[0]
        launch = dataclasses.replace(
            Launch.of(kernel.name, planned.launch.grid, chosen.order.entry),
            outcome="remapped" if best else "kept", reason_code="measured", timings=timings,
            reason=f"measured {medians[0] / medians[best]:.3f} times as fast as its own order"
            if best else "no other order was measured to be faster")
        if not best:
            launch = dataclasses.replace(launch, formula=None, params={}, assumptions=())
        log.put(kernel.hash, launch)
        try:
            write_record(self.settings, chosen.order.entry, bool(best),
                         medians[0] * 1e3, medians[best] * 1e3)
        except Exception as error:  # measured is measured, written down or not
            log.put(kernel.hash, dataclasses.replace(
                launch, reason=f"{launch.reason}; not kept: {error}"))
        return best


def kept_apart(assumption: str) -> list[frozenset[str]]:
    """The pairs of buffers of which an assumption says that they do not overlap: "arg0 and
    arg1 do not overlap in memory", "arg2 overlaps none of arg0, arg1 in memory"."""
    text = assumption.replace("the tensor of ", "")
    if match := re.match(r"(\S+) and (\S+) do not overlap in memory", text):
        return [frozenset(match.groups())]
    if match := re.match(r"(\S+) overlaps none of (.+) in memory", text):
        return [frozenset((match[1], other)) for other in match[2].split(", ")]
    return []


def shared_memory(apart: set[frozenset[str]], kernel: Any, arguments: Sequence[Any]) -> str:
    """Why an order that needs these pairs of buffers to be apart cannot run with these
    arguments; "" if it can."""
    for a, b in overlapping(kernel, arguments) if apart else ():
        if frozenset((f"arg{a}", f"arg{b}")) in apart:
            return (f"arg{a} and arg{b} share memory at this launch, and one of them is written: "
                    "another order of workgroups may change what is computed")
    return ""


def is_miss(order: Order) -> bool:
    return order.entry["reason_code"] in ("database-miss", "configuration")


def simulated_time(order: Order) -> float:
    """Simulated microseconds; orders without a figure come last."""
    after = ((order.entry.get("simulated") or {}).get("after") or {}).get("time_us")
    return float("inf") if after is None else float(after)


def changes_something(order: Order) -> bool:
    """False for an order of which simulation can tell no difference but what computing it
    costs: on a grid of one row, groups of rows are the kernel's own order."""
    simulated = order.entry.get("simulated") or {}
    return traffic_of(simulated.get("before")) != traffic_of(simulated.get("after"))


def traffic_of(metrics: Any) -> dict[str, Any]:
    return {name: value for name, value in (metrics or {}).items()
            if name.endswith(("_rate", "_bytes"))}
