# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asserts what the planner does to a kernel, and that docs/results.md says so.

  outcome.py KERNEL/VARIANT CHIP EXPECTED...

One of the expected outcomes must come: `kept:REASON`, or `remapped:AXES`, which
asks that tiles that are neighbours along each of AXES, among those that the die
gets, mostly run on it at about the same time. How the formula does that is the
planner's business.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks" / "kernels"))
import lower  # noqa: E402

WINDOW = 64  # consecutive workgroups of one die that count as one time


def report_of(name, chip):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernel.mlir"
        report = pathlib.Path(folder) / "report.json"
        variant = next(v for v in lower.variants() if v.name == name)
        lower.lower(variant, source)
        subprocess.run(["swizzle-opt", source, "-o", "/dev/null",
                        f"--hw-aware-swizzle=chip={chip} report={report}"],
                       check=True, stderr=subprocess.DEVNULL)
        return json.loads(report.read_text())["kernels"][0]


def table(kernel, dies):
    """The same for a formula of curves, as the tool tabulates it."""
    told = subprocess.run(["swizzle-formula", "-", f"--hw=num_xcds={dies}", "--table",
                           "--grid=" + "x".join(map(str, kernel["grid"]))],
                          input=kernel["formula"], check=True, text=True, stdout=subprocess.PIPE)
    new = {}
    for old, there in re.findall(r"^\(([\d,]+)\) -> \(([\d,]+)\)$", told.stdout, re.M):
        new[tuple(map(int, old.split(",")))] = tuple(map(int, there.split(",")))
    rank = len(next(iter(new)))
    return lambda *old: new[old[:rank]] + old[rank:]


def remap(kernel, dies):
    """The formula as a function from x, y, z to three new ids."""
    if re.search("hilbert|morton", kernel["formula"]):
        return table(kernel, dies)
    names = dict(zip(("gx", "gy", "gz"), kernel["grid"]), num_xcds=dies, min=min,
                 max=max, abs=abs, cdiv=lambda a, b: -(-a // b),
                 **(kernel["params"] or {}))
    lines = [line for line in re.split(r"[\n;]\s*", kernel["formula"])
             if line and not line.startswith(("param ", "require ", "#"))]
    body = compile("\n".join(lines[:-1]), "formula", "exec")
    result = compile(lines[-1].replace("return ", "", 1), "formula", "eval")

    def apply(*ids):
        scope = dict(names, x=ids[0], y=ids[1], z=ids[2])
        exec(body, scope)
        new = eval(result, scope)
        new = new if isinstance(new, tuple) else (new,)
        return new + ids[len(new):]
    return apply


def moved(tile, axis, by):
    return (*tile[:axis], tile[axis] + by, *tile[axis + 1:])


def shared_axes(kernel, dies):
    """The axes whose neighbours a window of one die mostly holds too: the next tile, or the next
    one of those that are dealt to the dies in turn."""
    grid, apply = kernel["grid"], remap(kernel, dies)
    count = grid[0] * grid[1] * grid[2]
    shared, total = [0, 0, 0], 0
    for part in range(8):
        start = count * part // 8 // dies * dies
        tiles = {apply(i % grid[0], i // grid[0] % grid[1], i // grid[0] // grid[1])
                 for i in range(start, min(start + WINDOW * dies, count), dies)}
        total += len(tiles)
        for axis in range(3):
            shared[axis] += sum(any(moved(tile, axis, by) in tiles for by in {1, dies})
                                for tile in tiles)
    return "".join(name for name, pairs in zip("xyz", shared) if 2 * pairs > total)


def main():
    name, chip, *expected = sys.argv[1:]
    kernel = report_of(name, chip)
    spec = json.loads((ROOT / "hardware" / f"{chip}.json").read_text())
    dies = spec["num_xcds"]
    dies = dies["value"] if isinstance(dies, dict) else dies
    outcome = kernel["outcome"]
    got = outcome + ":" + (shared_axes(kernel, dies) if outcome == "remapped"
                           else kernel["reason_code"])

    def agrees(wanted):
        kind, detail = wanted.split(":")
        return kind == outcome and (set(detail) <= set(got.split(":")[1])
                                    if kind == "remapped" else wanted == got)
    if not any(agrees(wanted) for wanted in expected):
        sys.exit(f"{name} on {chip}: {got}, expected {' or '.join(expected)}")
    said = outcome if outcome == "remapped" else f"{outcome} ({kernel['reason_code']})"
    page = (ROOT / "docs" / "results.md").read_text()
    row = re.search(rf"^\| {name} \| {chip} \| ([^|,]*)", page, re.M)
    if not row or row.group(1).strip() != said:
        sys.exit(f"docs/results.md is stale: {name} on {chip} is now {said}; "
                 "run scripts/results")


main()
