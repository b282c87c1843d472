# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of this folder offline and lets swizzle-llvm judge them.

    judge.py [--target sm_90] [--kernel NAME] [--no-sizes] [--keep FOLDER]
                           prints a line for each
    judge.py --bounds      exit status 1 if a kernel that depends on the order of its
                           programs is not refused, or of what may be remapped less than
                           95 % is modelled, 80 % in a kernel
    judge.py --write       writes docs/triton-kernels.md, and does the same
    judge.py --check       does the same; exit status 1, too, if the page says something
                           else of what is modelled or refused; what the planner then makes
                           of a kernel changes with the simulator, and is not compared

Needs Triton 3.6 (PYTHONPATH=build/triton) and the tools, no GPU.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import difflib
import importlib
import os
import pathlib
import sys
from dataclasses import dataclass
from typing import Any, Iterator, Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "python")]

from cases import CASES, Case  # noqa: E402

from swizzle.triton import patching  # noqa: E402
from swizzle.triton.assembling import question_of, why_not  # noqa: E402
from swizzle.triton.report import Launch  # noqa: E402
from swizzle.triton.settings import Settings  # noqa: E402

TARGETS = ("gfx942", "sm_90")
#: In the reason of an access whose address was read from memory.
DATA = "loaded from memory"
PAGE = HERE.parents[2] / "docs" / "triton-kernels.md"

HEADER = """# Triton kernels

What [`swizzle.triton`](triton.md) makes of the kernels in
[benchmarks/kernels/triton](../benchmarks/kernels/triton), each compiled offline by Triton
3.6 for the usual chip of two targets, on one grid and with the sizes that are passed, with
the built-in planner. Nothing here ran on a GPU.
`benchmarks/kernels/triton/judge.py --write` writes this page; a test compares what it says
of accesses and refusals.

*Modelled* are accesses to global memory in the compiled kernel whose addresses are known,
or [assumed](kernel-model.md#numbers-from-memory) for the figures; *not modelled*, for
every proof, are the latter and those that are not understood, each once for its line of
source and its reason, however many instructions it is. Kernels of `waiting.py` depend on
the order of their programs, and have to be refused. `inline-asm` is what Triton writes for
NVIDIA where the strict grammar ends: compare-and-swap, exchange, volatile.

| kernel | grid | target | modelled | not modelled | outcome | reason | why not modelled |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Judged:
    case: Case
    target: str
    launch: Launch
    #: Of accesses that are not modelled: why.
    missing: tuple[str, ...] = ()


def compile_case(case: Case, target: str) -> Any:
    """A CompiledKernel, for a device that need not be there. Sizes and pointers are
    multiples of 16, as Triton finds them at most launches."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, compile

    function = getattr(importlib.import_module(f"kernels.{case.file}"), case.kernel)
    signature, constants = case.arguments(), case.constants()
    aligned = {(number,): [["tt.divisibility", 16]]
               for number, kind in enumerate(signature.values())
               if kind.startswith("*") or kind == "i32"}
    source = ASTSource(function, signature, attrs=aligned, constexprs={
        (list(signature).index(name),): value for name, value in constants.items()})
    device = GPUTarget("cuda", 90, 32) if target == "sm_90" else GPUTarget("hip", target, 64)
    return compile(source, target=device, options={"num_warps": case.warps})


def judge(case: Case, target: str, kernel: Any, sizes: bool = True) -> Judged:
    """What swizzle.triton would decide at the first launch of a compiled kernel."""
    question = question_of(kernel, case.grid, case.passed() if sizes else ())
    order = patching.run(question, patching.options_text(question, Settings()), 300)
    launch = Launch.of(case.kernel, case.grid, order.entry)
    if reason := why_not(kernel):
        launch = Launch(kernel=case.kernel, grid=case.grid, outcome="refused",
                        reason_code=reason[0], reason=reason[1], modelled=launch.modelled,
                        accesses=launch.accesses)
    return Judged(case, target, launch,
                  tuple(f"{one['what']}: {one['reason']}" for one in order.entry["not_modelled"]))


def judge_all(cases: list[Case], targets: Sequence[str],
              keep: pathlib.Path | None = None, sizes: bool = True) -> Iterator[Judged]:
    """Compiles one after the other, and judges what is compiled beside that."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = []
        for case in cases:
            for target in targets:
                kernel = compile_case(case, target)
                if keep:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{case.kernel}-{target}.ll").write_text(kernel.asm["llir"])
                waiting.append(pool.submit(judge, case, target, kernel, sizes))
        for one in waiting:
            yield one.result()


def print_row(one: Judged) -> str:
    """A row of the page."""
    reasons = sorted({text.split(": ", 1)[1] for text in one.missing})
    missing = one.launch.accesses - one.launch.modelled
    return (f"| `{one.case.kernel}` | {'x'.join(map(str, one.case.grid))} | {one.target} | "
            f"{one.launch.modelled} | {missing or ''} | {one.launch.outcome} | "
            f"`{one.launch.reason_code}` | {'; '.join(reasons)} |")


@dataclass(frozen=True)
class Share:
    """How much of the kernels that may be remapped is modelled on one target. What depends
    on data has no address that could be: it is counted apart."""
    kernels: int
    modelled: int
    of_all: int
    least: float  #: of a kernel
    data: int

    @classmethod
    def of(cls, target: str, all_judged: Sequence[Judged]) -> Share:
        accepted = [one for one in all_judged
                    if one.target == target and one.launch.outcome != "refused"]
        data = [sum(DATA in text for text in one.missing) for one in accepted]
        modelled = [one.launch.modelled for one in accepted]
        of_all = [one.launch.accesses - apart for one, apart in zip(accepted, data)]
        return cls(len(accepted), sum(modelled), sum(of_all),
                   min(some / whole for some, whole in zip(modelled, of_all)), sum(data))


def print_share(target: str, all_judged: Sequence[Judged]) -> str:
    share = Share.of(target, all_judged)
    return (f"On {target}, {share.kernels} kernels may be remapped: {share.modelled} of their "
            f"{share.of_all} accesses are modelled, in each of them at least {share.least:.0%}; "
            f"{share.data} more depend on data.\n")


def find_violations(all_judged: Sequence[Judged]) -> list[str]:
    """What must hold whatever a version of Triton compiles, and does not."""
    problems = [f"{one.case.kernel} on {one.target} is not refused" for one in all_judged
                if one.case.waits and one.launch.outcome != "refused"]
    for target in TARGETS:
        share = Share.of(target, all_judged)
        if share.kernels < 25 or share.least < 0.8 or share.modelled < 0.95 * share.of_all:
            problems.append(print_share(target, all_judged))
    return problems


def print_page(all_judged: Sequence[Judged]) -> str:
    shares = "".join(print_share(target, all_judged) for target in TARGETS)
    return HEADER + "\n".join(map(print_row, all_judged)) + "\n\n" + shares


def comparable(page: str) -> list[str]:
    """The rows of a page, without what the planner decided about legal kernels."""
    rows = []
    for row in page.splitlines():
        cells = row.split(" | ")
        if len(cells) == 8 and cells[5] in ("kept", "remapped"):
            cells[5:7] = ["legal", ""]
        rows.append(" | ".join(cells))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=TARGETS, action="append")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the LLVM IR")
    parser.add_argument("--no-sizes", action="store_true",
                        help="tell no sizes and strides: they count as 4096")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--bounds", action="store_true")
    arguments = parser.parse_args()
    if arguments.bounds or arguments.write or arguments.check:
        judged = list(judge_all(CASES, TARGETS))
        page = print_page(judged)
        if arguments.write:
            PAGE.write_text(page)
        problems = find_violations(judged)
        if problems or not arguments.check:
            print("".join(print_share(target, judged) for target in TARGETS), *problems,
                  sep="\n")
            return int(bool(problems))
        old, new = comparable(PAGE.read_text()), comparable(page)
        sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(
            old, new, PAGE.name, "now", lineterm=""))
        return int(old != new)
    cases = [case for case in CASES if not arguments.kernel or case.kernel in arguments.kernel]
    for one in judge_all(cases, arguments.target or TARGETS, arguments.keep,
                         not arguments.no_sizes):
        print(print_row(one), one.launch.reason, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
