#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what it costs that a remap compares grid and block, on a machine with a GPU.

    guards.py IN --known ROWS --out guards.jsonl [--orders 2] [--kernel NAME ...]

Of each case that `prepare.py` made, the fastest orders of the sweep in ROWS, each as the compiler
makes it and with the selections that its comparisons decide taken out of the PTX. The launch is the
one that is compared, so both write the same, which is checked. A row: the case, the order, how many
extents are read, and the time with comparisons and without.
"""
from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import suite  # noqa: E402
import sweep  # noqa: E402

SELECT = re.compile(r"selp(\.b\d+) (\s*%\w+, (%\w+)), (%\w+), (%p\d+);")
ID = re.compile(r"mov\.u32 \s*(%\w+), %ctaid\.[xyz];")


def without_guard(ptx: str) -> str | None:
    """Takes the remapped ids always; None if nothing is selected, or the ids themselves are what
    is taken where the comparisons hold."""
    deciders = collections.Counter(match[5] for match in SELECT.finditer(ptx))
    if not deciders:
        return None
    guard, ids = deciders.most_common(1)[0][0], set(ID.findall(ptx))
    if any(match[3] in ids and match[4] not in ids for match in SELECT.finditer(ptx)
           if match[5] == guard):
        return None
    return SELECT.sub(lambda match: f"mov{match[1]} {match[2]};" if match[5] == guard
                      else match[0], ptx)


def pair(case: suite.Case, folder: pathlib.Path, told: dict[str, Any], number: int,
         order: str) -> list[dict[str, str]]:
    """The order with its comparisons and without; nothing if it has none."""
    path = folder / f"guard{number}{pathlib.Path(told['source']).suffix}"
    report = building.remap(case, folder / told["source"], path, told["chip"],
                            orders.formula(order, case.largest_grid()), "simulate=off")
    if any(kernel["outcome"] != "remapped" for kernel in report["kernels"]):
        return []
    building.compile_ptx(path, path.with_suffix(".ptx"))
    ptx = path.with_suffix(".ptx").read_text(encoding="utf-8")
    bare = without_guard(ptx)
    if bare is None:
        return []
    other = path.with_suffix(".bare.ptx")
    other.write_text(bare, encoding="utf-8")
    return [building.variant(f"{order} {name}", building.assemble(file))
            for name, file in (("with", path.with_suffix(".ptx")), ("without", other))]


def measure_case(case: suite.Case, folder: pathlib.Path, names: list[str]) -> list[dict[str, Any]]:
    """A row for each order that has comparisons."""
    told = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    job = sweep.load_job(folder)
    original = [one for one in job["variants"] if one["name"] == "original"]
    pairs = [variant for number, name in enumerate(names)
             for variant in pair(case, folder, told, number, name)]
    if not pairs:
        return []
    found = sweep.measure(folder, {**job, "variants": [*original, *pairs],
                                   "measure": {"warm_ups": 2, "repeats": 15, "max_seconds": 20}},
                          "guards", seconds=120)
    rows = []
    for name in names:
        times = [sweep.time_of(found.get(f"{name} {which}", {})) for which in ("with", "without")]
        outputs = {(found[f"{name} {which}"].get("measurement") or {}).get("outputs")
                   for which in ("with", "without") if f"{name} {which}" in found}
        if all(times) and outputs == {"identical"}:
            ptx = (folder / f"guard{names.index(name)}.ptx").read_text(encoding="utf-8")
            rows.append({"case": case.name, "order": name,
                         "extents": len(re.findall(r"%n(?:cta|t)id\.", ptx)),
                         "with_us": times[0], "without_us": times[1],
                         "device": found["original"]["metrics"].get("device")})
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--known", type=pathlib.Path, required=True, metavar="ROWS")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--orders", type=int, default=2)
    parser.add_argument("--manifest", type=pathlib.Path, default=suite.HERE / "suite.json")
    parser.add_argument("--kernel", nargs="*", help="only these")
    options = parser.parse_args()
    known = sweep.read_rows(options.known)
    kernels = suite.choose(parser, options.kernel, options.manifest)
    for case, folder in sweep.prepared(options.bundles, kernels):
        fastest = [name for name in known.get(case.name, {}).get("fastest", [])
                   if name != "original"][:options.orders]
        try:
            rows = measure_case(case, folder, fastest)
        except Exception as error:  # The next case is another one.
            print(f"{case.name}: error: {error}", file=sys.stderr, flush=True)
            continue
        with options.out.open("a", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
