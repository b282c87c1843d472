#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ablation of the closed loop: kernels x contexts x agents.

  ablation.py                           replay the recordings kept here, print the tables
  ablation.py --write                   ... and rewrite results.md and its plots
  ablation.py --agent=openai --option=model=NAME --option=base-url=URL --repeats=5
                                        ask a live server instead (any option of
                                        swizzle-tune); keep what it says with --record=DIR

Each run is one call of swizzle-tune on the simulator. A context is what the agent is told
of the hardware: the facts of this chip, none, or a whole manual. By default the planner
is asked first and the agent is told what it found; the agent `alone` and the planner alone
are what that is compared with. `direct` runs take each formula with the numbers that its
author suggests; `template` runs let the search pick them. Figures are simulated.
"""
from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import json
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "benchmarks" / "kernels")]
import lower  # noqa: E402
import swizzle  # noqa: E402

RECORDINGS = HERE / "recordings"
MANUALS = HERE / "manuals"
#: Rounds that are asked for with each context; repeats after the first ask one.
ROUNDS = {"filtered": 2, "none": 1, "manual": 1}
#: Who is asked: the agent behind the planner, the agent by itself, the planner by itself.
WAYS = ("planner first", "alone", "planner")


@dataclasses.dataclass(frozen=True)
class Run:
    """One call of the tuner and what it found."""
    kernel: str
    context: str
    way: str
    mode: str
    repeat: int
    tuning: swizzle.Tuning

    @property
    def gain(self) -> float:
        """By the objective, which a run that went to its end has figures of."""
        gain = self.tuning.gain
        assert gain is not None, self.tuning.objective
        return gain


def verdict(attempt: swizzle.Attempt) -> str:
    """The class of an attempt in the error taxonomy. What counts as a gain is the
    tuner's judgement, which knows the noise of its figures."""
    if attempt.status == "illegal":
        return f"illegal: {attempt.code}"
    if attempt.status == "profiled":
        return {"best": "improved", "better": "improved"}.get(attempt.code, attempt.code)
    return {"unreadable": "parse", "build-failed": "compile", "check-failed": "check",
            "run-failed": "run"}.get(attempt.status, attempt.status)


def settings(options: argparse.Namespace, run: tuple[str, str, str, str, int]
             ) -> dict[str, Any] | None:
    """The options of swizzle-tune for one run; None if there is no such run."""
    kernel, context, way, mode, repeat = run
    if mode == "direct" and (repeat == 1 or way == "planner"):
        return None  # later rounds answer what the search had found
    if way == "planner" and (context != "filtered" or repeat > 1):
        return None  # it reads neither facts in words nor dice
    rounds = options.rounds or (ROUNDS[context] if repeat == 1 else 1)
    # Recordings answer figures of the chip as it was described then.
    pinned = options.recordings / f"{options.chip}.json"
    described = {"hardware-file": pinned} if options.agent == "replay" and pinned.exists() else \
        {"chip": options.chip}
    chosen: dict[str, Any] = {
        **described, "rounds": rounds, "objective": options.objective, "patience": 0,
        "compile": options.compile, "check": "off",
        "agent": "planner" if way == "planner" else options.agent}
    if way == "alone":
        chosen["planner-first"] = "false"
    chosen["context"] = (f"manual:{MANUALS / options.chip}.txt" if context == "manual"
                         else context)
    if mode == "direct":
        chosen["search-points"] = 1
    name = "-".join([kernel.replace("/", "-"), context, *([way] if way == "alone" else []),
                     f"{repeat}.jsonl"])
    if way == "planner":
        pass
    elif options.agent == "replay":
        chosen["replay"] = options.recordings / name
        if not chosen["replay"].exists():
            return None
    elif options.record:
        options.record.mkdir(parents=True, exist_ok=True)
        chosen["record"] = options.record / name
    chosen.update(option.partition("=")[::2] for option in options.option)
    return {name.replace("-", "_"): value for name, value in chosen.items() if value is not None}


def run_all(options: argparse.Namespace) -> list[Run]:
    runs = []
    with tempfile.TemporaryDirectory() as name:
        source = pathlib.Path(name) / "kernel.mlir"
        variants = {variant.name: variant for variant in lower.variants()}
        for kernel in options.kernels:
            if kernel not in variants:
                sys.exit(f"error: no kernel '{kernel}'; known: {', '.join(sorted(variants))}")
            lower.lower(variants[kernel], source)
            for run in itertools.product([kernel], options.contexts, options.ways, options.modes,
                                         range(1, options.repeats + 1)):
                chosen = settings(options, run)
                if chosen is None:
                    continue
                try:
                    (tuning,) = swizzle.tune(source, **chosen).kernels
                except swizzle.ToolError as error:
                    sys.exit(f"error: {', '.join(map(str, run))}: {error}")
                _, context, way, mode, repeat = run
                runs.append(Run(kernel, context, way, mode, repeat, tuning))
                print(f"{' '.join(map(str, run))}: {runs[-1].gain:.3f}x of {tuning.objective} "
                      f"after {tuning.rounds} rounds", file=sys.stderr)
    return runs


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def tokens(run: Run) -> int:
    """Sent and received; an estimate where nobody told (`run.tuning.estimated`)."""
    return run.tuning.input_tokens + run.tuning.output_tokens


def outcome_table(runs: list[Run]) -> str:
    """One row for each kernel and context: how many attempts came how far."""
    groups: dict[tuple[str, str, str], list[Run]] = collections.defaultdict(list)
    for run in runs:
        if run.mode == "template":
            groups[run.kernel, run.context, run.way].append(run)
    rows = []
    for (kernel, context, way), group in groups.items():
        attempts = [a for run in group for a in run.tuning.attempts]
        improved = sum(verdict(a) == "improved" for a in attempts)
        gains = [run.tuning.best_so_far() for run in group]
        first = [next((i for i, g in enumerate(gain) if g == gain[-1]), 0) for gain in gains]
        rows.append([kernel, "-" if way == "planner" else context, way, len(attempts),
                     percent(sum(a.legal for a in attempts), len(attempts)),
                     percent(sum(a.compiled for a in attempts), len(attempts)),
                     percent(improved, len(attempts)), group[0].tuning.objective,
                     f"{statistics.median(run.gain for run in group):.3f}",
                     f"{statistics.median(first):g}",
                     ("≈ " if any(run.tuning.estimated for run in group) else "") +
                     f"{statistics.median(tokens(run) for run in group):g}",
                     " → ".join(f"{g:.3f}" for g in gains[0])])
    return table(["kernel", "context", "asked", "attempts", "legal", "compiled", "improved",
                  "objective", "gain", "rounds to best", "tokens", "best so far, by round"], rows)


def taxonomy_table(runs: list[Run]) -> str:
    """What became of the attempts, over all kernels."""
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for run in runs:
        if run.mode == "template" and run.way != "planner":
            counts[run.context].update(verdict(a) for a in run.tuning.attempts
                                       if a.agent != "planner")
    names = sorted({name for counter in counts.values() for name in counter})
    return table(["outcome", *counts], [[name, *(counts[c][name] for c in counts)]
                                        for name in names])


def search_table(runs: list[Run]) -> str:
    """Formulas as they are proposed against templates whose numbers are searched."""
    groups: dict[tuple[str, str], dict[str, list[float]]] = collections.defaultdict(
        lambda: collections.defaultdict(list))
    for run in runs:
        if run.repeat > 1:
            groups[run.kernel, run.context][run.mode].append(run.gain)
    rows = []
    for (kernel, context), modes in groups.items():
        if len(modes) < 2:
            continue
        row: list[object] = [kernel, context, len(modes["direct"])]
        for mode in ("direct", "template"):
            gains = modes[mode]
            row.append(f"{statistics.median(gains):.3f} ({min(gains):.3f} to {max(gains):.3f})")
        rows.append(row)
    return table(["kernel", "context", "repeats", "direct: median gain (spread)",
                  "template and search: median gain (spread)"], rows)


def page(runs: list[Run], options: argparse.Namespace) -> str:
    source = ("recorded answers of a language model, replayed" if options.agent == "replay"
              else f"agent {options.agent}")
    direct = search_table(runs)
    if direct.count("\n") > 2:
        direct = ("\n## Direct formulas against templates with a search, after one round\n\n"
                  + direct)
    else:
        direct = ""
    return (f"# Ablation on {options.chip}\n\nWritten by `benchmarks/ablation/ablation.py`; "
            f"{source}. All figures are **simulated**. *asked* says who: the agent behind the "
            "planner, which it is told of, each of the two alone. *gain* is the objective's "
            "figure before over after, of the best order. *attempts* are those of all who were "
            "asked; *legal* counts every one that was proved a permutation, duplicates "
            "included.\n\n## How far attempts come\n\n" + outcome_table(runs)
            + "\n## What became of the agent's\n\n" + taxonomy_table(runs) + direct
            + "\n![best so far](best-so-far.svg)\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=lambda text: text.split(","),
                        default=["matmul_tensor/static_amd", "stencil2d_r4/static",
                                 "transpose/static", "layer_norm/static"])
    parser.add_argument("--contexts", type=lambda text: text.split(","), default=list(ROUNDS))
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS),
                        help="who is asked: %(default)s")
    parser.add_argument("--modes", type=lambda text: text.split(","),
                        default=["template", "direct"])
    parser.add_argument("--agent", default="replay", help="any agent of swizzle-tune")
    parser.add_argument("--chip", default="mi300x")
    parser.add_argument("--objective", default="time")
    parser.add_argument("--compile", default="auto", help="as in swizzle-tune")
    parser.add_argument("--rounds", type=int, help="instead of those of each context")
    parser.add_argument("--repeats", type=int, default=1,
                        help="the first of all rounds, the others of one")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="a further option of swizzle-tune, may be repeated")
    parser.add_argument("--recordings", type=pathlib.Path, default=RECORDINGS)
    parser.add_argument("--record", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--json", type=pathlib.Path, help="also write every attempt as JSON lines")
    parser.add_argument("--write", action="store_true", help="rewrite results.md and its plots")
    options = parser.parse_args()
    runs = run_all(options)
    if not runs:
        sys.exit(f"error: nothing to run; no recordings in {options.recordings}")
    text = page(runs, options)
    if options.json:
        with open(options.json, "w") as file:
            for run in runs:
                for attempt in run.tuning.attempts:
                    record = {"kernel": run.kernel, "context": run.context, "way": run.way,
                              "mode": run.mode,
                              "repeat": run.repeat, "outcome": verdict(attempt),
                              **dataclasses.asdict(attempt)}
                    file.write(json.dumps(record, sort_keys=True) + "\n")
    if not options.write:
        print(text)
        return
    (HERE / "results.md").write_text(text)
    import swizzle.plot  # wants matplotlib
    swizzle.plot.best_so_far(
        {f"{run.kernel}, {run.way}": run.tuning.best_so_far() for run in runs
         if run.mode == "template" and run.context == "filtered" and run.repeat == 1
         and run.way != "planner"},
        path=HERE / "best-so-far.svg")


if __name__ == "__main__":
    main()
