# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures in hand-written pages are those of the rows that were measured."""
import json
import math
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def gain(row):
    return min(row["own_us"], row["own_again_us"]) / row["decided_us"]


def test_products_by_tensor_maps():
    page = (ROOT / "docs" / "triton.md").read_text()
    rows = [json.loads(line) for line in
            (ROOT / "benchmarks/measured/h100/triton-maps.jsonl").read_text().splitlines()]
    assert len(rows) == 20 and all(row["same"] for row in rows)
    assert all(row["modelled"] == row["accesses"] for row in rows)
    changed = [row for row in rows if row["outcome"] == "remapped"]
    for row in changed:
        high, wide, _ = row["tile"]
        times = (row[name] for name in ("own_us", "decided_us", "own_again_us", "library_us"))
        assert (f"| {row['maps']} | {row['rows']} × {row['columns']} × {row['depth']} "
                f"| {high} × {wide} | {' | '.join(f'{time:.0f}' for time in times)} "
                f"| {gain(row):.2f} |") in page
    mean = math.exp(sum(math.log(gain(row)) for row in changed) / len(changed))
    assert len(changed) == 11 and f"geometric mean that is {mean:.2f}" in page
    kept = [gain(row) for row in rows if row["outcome"] == "kept"]
    assert len(kept) == 9 and f"{min(kept):.2f} to {max(kept):.2f}" in page
