# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The closed loop (`swizzle-tune`): agents propose, every proposal is proved, built and
measured, and what happened goes back to the agents.
"""
from __future__ import annotations

import contextlib
import math
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping

from .agents import AgentFunction, serving
from .formula import Grid, grid_text
from .kernel import IR, source_of
from .records import Metrics, extents, following, load
from .tools import ToolError, option_arguments, run_tool

__all__ = ["Attempt", "Measured", "Tuning", "TuningError", "TuningRun", "read_tuning", "tune"]


#: What each objective makes small.
COSTS: Mapping[str, Callable[[Metrics], float | None]] = {
    "time": lambda metrics: metrics.time_us,
    "l2-hit-rate": lambda metrics: None if metrics.l2_hit_rate is None
    else 1 - metrics.l2_hit_rate,
    "dram-bytes": lambda metrics: metrics.dram_bytes,
    "energy": lambda metrics: metrics.energy_joules,
}


def ratio(before: float | None, after: float | None) -> float | None:
    """How many times as much; None where one of them is not known."""
    if before is None or after is None:
        return None
    if before == after:
        return 1.0  # of nothing, too
    return before / after if after else math.inf


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One proposal and what became of it."""
    number: int
    round: int
    agent: str
    status: str  #: "unreadable", "illegal", ..., "profiled"
    code: str
    message: str
    counterexample: str
    formula: str
    params: Mapping[str, int]
    same_as: int | None  #: number of the equal attempt, 0: the kernel as it is
    metrics: Metrics | None
    best: bool  #: of all; no two attempts are

    @property
    def legal(self) -> bool:
        """Proved a permutation, whatever happened next."""
        return self.status not in ("unreadable", "illegal", "infeasible")

    @property
    def compiled(self) -> bool:
        """Built and, where that was asked for, checked."""
        return self.status in ("profiled", "run-failed", "check-failed")


@dataclass(frozen=True)
class Measured:
    """What a GPU said of the best few, in turns with the kernel as it is."""
    attempt: int  #: that was chosen; 0: the kernel as it is
    reason: str
    original: Metrics
    rows: Mapping[int, Metrics]  #: by attempts; what failed has no row
    #: Of the one that was chosen, over the kernel as it is in the same turns, which may have
    #: taken another time there than in its own row; None: an older report.
    speed_up: float | None = None

    @property
    def gain(self) -> float | None:
        """By the time, which is what a GPU decides by; 1.0 for the kernel as it is."""
        if self.speed_up is not None:
            return self.speed_up
        return ratio(self.original.time_us, self.rows[self.attempt].time_us
                     if self.attempt else self.original.time_us)


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What was found for one kernel. Figures carry their origin."""
    module: str
    kernel: str
    chip: str | None
    grid: str
    outcome: str  #: "remapped", "kept", "refused"
    reason: str | None
    objective: str | None
    baseline: Metrics | None
    best: Metrics | None
    formula: str | None
    params: Mapping[str, int]
    attempts: list[Attempt]
    rounds: int
    evaluations: int
    input_tokens: int
    output_tokens: int
    seconds: Mapping[str, float]
    end: str | None
    end_reason: str | None
    estimated: bool = False  #: the tokens: not everybody told them
    measured: Measured | None = None  #: where a GPU had the last word

    def cost(self, metrics: Metrics | None) -> float | None:
        """The objective's figure of `metrics`, smaller is better; None where it is not
        told. Raises ValueError for an objective that this version does not know."""
        if metrics is None or self.objective is None:
            return None
        if self.objective not in COSTS:
            raise ValueError(f"the objective is {self.objective!r}; known are "
                             f"{', '.join(COSTS)}")
        return COSTS[self.objective](metrics)

    @property
    def gain(self) -> float | None:
        """Baseline over best of the objective's figure, as the loop saw it (`measured` has
        a gain of its own): 1.0 where nothing was found, infinite where nothing is left of
        the figure, None where it is not told."""
        if self.formula is None:
            return 1.0
        return ratio(self.cost(self.baseline), self.cost(self.best))

    def best_so_far(self) -> list[float]:
        """The gain after each round; the first is that of the kernel as it is."""
        base, gains = self.cost(self.baseline), [1.0]
        for number in range(1, self.rounds + 1):
            told = [ratio(base, self.cost(a.metrics)) for a in self.attempts
                    if a.round == number and a.code in ("best", "better")]
            gains.append(max([gains[-1], *(gain for gain in told if gain is not None)]))
        return gains


@dataclass(frozen=True)
class TuningRun:
    """A run over all kernels of a module."""
    kernels: list[Tuning]
    ir: str | None = None  #: the module with the best orders
    log: str = field(default="", repr=False)


class TuningError(ToolError):
    """A run that failed, or was ended, after it had written what it found: `run`."""

    def __init__(self, error: ToolError, run: TuningRun):
        super().__init__(error.tool, error.status, error.message)
        self.run = run


def attempt_of(data: Mapping[str, Any]) -> Attempt:
    measured = data.get("measurement")
    return Attempt(
        number=data["number"], round=data["round"], agent=data["agent"], status=data["status"],
        code=data.get("code") or "", message=data.get("message") or "",
        counterexample=data.get("counterexample") or "", formula=data.get("formula") or "",
        params=data.get("params") or {},
        same_as=data.get("same_as") if data["status"] == "duplicate" else None,
        metrics=Metrics.of(measured) if measured else None, best=bool(data.get("best")))


def measured_of(data: Mapping[str, Any]) -> Measured:
    """From the JSON of a report, whose rows are "original", "attempt 3", ..."""
    rows = {row["variant"]: Metrics.of(row["metrics"]) for row in data["rows"]
            if row.get("metrics")}
    original = rows.pop("original")
    return Measured(data["attempt"], data.get("reason") or "", original,
                    {int(name.removeprefix("attempt ")): row for name, row in rows.items()},
                    data.get("speed_up"))


def tuning_of(kernel: Mapping[str, Any]) -> Tuning:
    result = kernel.get("tuning") or {}
    best, usage = result.get("best") or {}, result.get("usage") or {}
    return Tuning(
        module=kernel["module"], kernel=kernel["name"], chip=kernel.get("chip"),
        grid=extents(kernel.get("grid")), outcome=kernel["outcome"],
        reason=kernel.get("reason"), objective=result.get("objective"),
        baseline=Metrics.of(result["baseline"]) if result.get("baseline") else None,
        best=Metrics.of(best["measurement"]) if best.get("measurement") else None,
        formula=best.get("formula"), params=best.get("params") or {},
        attempts=[attempt_of(attempt) for attempt in result.get("attempts") or []],
        rounds=result.get("rounds", 0), evaluations=result.get("evaluations", 0),
        input_tokens=usage.get("input_tokens", 0),
        output_tokens=usage.get("output_tokens", 0), seconds=result.get("seconds") or {},
        end=result.get("end"), end_reason=result.get("end_reason"),
        estimated=bool(usage.get("estimated")),
        measured=measured_of(kernel["measured"]) if kernel.get("measured") else None)


def read_tuning(path: str | os.PathLike[str]) -> list[Tuning]:
    """The kernels of a report that `swizzle-tune` wrote (`swizzle-tuning/1`). Raises
    SchemaError for any other file."""
    with following(path, "swizzle-tuning/1"):
        return [tuning_of(kernel) for kernel in load(path, "swizzle-tuning/1")["kernels"]]


@contextlib.contextmanager
def agent_arguments(agent: str | AgentFunction) -> Iterator[list[str]]:
    """The options that name `agent`, a name or a callable."""
    if isinstance(agent, str):
        yield [f"--agent={agent}"]
        return
    with serving(agent) as command:
        yield ["--agent=command", f"--command={command}"]


#: Exit status of swizzle-tune if no agent ever answered; all is written as otherwise.
UNANSWERED = 3


def version_of(path: pathlib.Path) -> tuple[int, int] | None:
    """What tells a file from one that took its place; None: there is none."""
    with contextlib.suppress(OSError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns
    return None


def tune(ir: IR, chip: str | None = None, agent: str | AgentFunction = "planner", *,
         grid: Grid | None = None, block: Grid | None = None, **options: Any) -> TuningRun:
    """Tunes the kernels of `ir`. `agent`: a name ("planner", "openai", "planner,openai")
    or a callable (agents.py). Further keyword arguments are options of swizzle-tune, with
    `_` for `-`, such as `rounds=3`; `report=FILE` is kept, and with `show_prompt=True` the
    log is all that there is. Raises ToolError where the tool reports an error, TuningError
    where it has written a report all the same (Ctrl-C: status 130); an agent that never
    answers leaves the kernels as they are, and the log says why."""
    source, text = source_of(ir)
    kept = options.pop("report", None)
    if kept is not None and str(kept) in ("", "-"):
        raise ValueError(f"report={str(kept)!r}: name a file; the report is what tune() returns")
    arguments = option_arguments({
        "chip": chip, "grid": grid_text(grid) if grid is not None else None,
        "block": grid_text(block) if block is not None else None, **options})
    with tempfile.TemporaryDirectory() as name, agent_arguments(agent) as who:
        report = pathlib.Path(name, "report.json") if kept is None else pathlib.Path(kept)
        best = pathlib.Path(name, "best.mlir")
        before = version_of(report)

        def found(log: str) -> TuningRun:
            written = version_of(report) != before
            return TuningRun(read_tuning(report) if written else [],
                             best.read_text() if best.exists() else None, log)

        try:
            done = run_tool("swizzle-tune", [source, *who, *arguments, f"--report={report}",
                                             "-o", best], stdin=text, accept=(0, UNANSWERED))
        except ToolError as error:
            if version_of(report) == before:
                raise
            raise TuningError(error, found(error.message)) from None
        return found(done.stdout + done.stderr)
