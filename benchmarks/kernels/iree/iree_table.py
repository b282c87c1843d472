# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the models of this folder with IREE, lets swizzle.iree plan their kernels, and
simulates three orders of each.

    iree_table.py --write    writes docs/iree-kernels.md
    iree_table.py --check    exit status 1 if the page says something else of what is
                             modelled or refused; what the planner and the simulator say of
                             the rest is not compared

Needs iree-base-compiler 3.10 (PYTHONPATH=build/iree) and the tools, no GPU.
"""
from __future__ import annotations

import argparse
import difflib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "python")]

from swizzle.iree import Comparison, compare  # noqa: E402

PAGE = HERE.parents[2] / "docs" / "iree-kernels.md"
#: IREE compiles for no newer target of NVIDIA; what it makes runs on newer ones as well.
TARGETS = {"gfx942": "mi300x", "sm_80": "h200"}

HEADER = """# IREE's kernels

What [`swizzle.iree`](iree.md) makes of the models in
[benchmarks/kernels/iree](../benchmarks/kernels/iree), each compiled by IREE 3.10 for two
targets and planned for an MI300X and an H200, with the built-in planner. Nothing here ran
on a GPU: times are simulated, in microseconds. `benchmarks/kernels/iree/iree_table.py
--write` writes this page; a test compares what it says of accesses and refusals.

*Modelled* are accesses to global memory whose addresses are known, *not modelled* the
others. *IREE's own* is the kernel with `conditional_transpose` in its lowering config, for
as many dies and units as the chip has.

| model | target | grid | modelled | not modelled | outcome | reason | as it is | planned | \
IREE's own |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def print_row(model: str, target: str, one: Comparison) -> str:
    missing = len(one.entry["not_modelled"])
    if one.transposed:
        theirs = f"{one.transposed.time_us:.1f}" if one.differs else "changes nothing"
    else:
        theirs = one.problem.rpartition("error: ")[2]
    return (f"| `{model}` | {target} | {'x'.join(map(str, one.grid))} | "
            f"{one.entry['modelled']} | {missing or ''} | {one.outcome} | "
            f"`{one.entry['reason_code']}` | {one.own.time_us:.1f} | "
            f"{one.planned.time_us:.1f} | {theirs} |")


def print_page() -> str:
    rows = [print_row(model.stem, target, one) for model in sorted(HERE.glob("*.mlir"))
            for target, chip in TARGETS.items()
            for one in compare(model, target=target, chip=chip)]
    return HEADER + "\n".join(rows) + "\n"


def comparable(page: str) -> list[str]:
    """The rows of a page, without what was decided and simulated about legal kernels."""
    rows = []
    for row in page.splitlines():
        cells = row.split(" | ")
        if len(cells) == 10 and cells[5] in ("kept", "remapped"):
            cells[5:] = ["legal"]
        rows.append(" | ".join(cells))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    page = print_page()
    if arguments.write:
        PAGE.write_text(page)
    if not arguments.check:
        print(page)
        return 0
    old, new = comparable(PAGE.read_text()), comparable(page)
    sys.stdout.writelines(line + "\n" for line in difflib.unified_diff(
        old, new, PAGE.name, "now", lineterm=""))
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
