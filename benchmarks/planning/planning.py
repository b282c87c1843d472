#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What planning costs in compile time: swizzle-opt over every kernel of the tree.

    benchmarks/planning/planning.py --tools build/release/bin
    benchmarks/planning/planning.py --tools build/release/bin --chips mi300x --only nasty
    benchmarks/planning/planning.py --tools build/release/bin --write

Kernels of benchmarks/kernels are lowered first; those of benchmarks/kernels/foreign
and nasty, and the files of test/ that hold one kernel, are taken as they are. Each is
planned with the default options for each chip. Two times are told of each: that of
the clock, and that of the processors over two, which the clock shows on two idle
cores if both are always busy and which other programs do not change. The limits are
1 s for the median, 2 s for 95 % and 5 s for the worst; exit status 1 if --limits is
given and one is exceeded, by the time of the processors. With --write, the table of
docs/compile-time.md is replaced.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "benchmarks" / "kernels"
PAGE = ROOT / "docs" / "compile-time.md"
MARKS = ("<!-- planning.py --write: begin -->\n", "<!-- planning.py --write: end -->\n")
LIMITS = (("median", 0.5, 1.0), ("95 %", 0.95, 2.0), ("worst", 1.0, 5.0))


def options_of(path: pathlib.Path) -> str:
    """What a kernel's header says about its launch."""
    found = re.search(r"^// options: (.*)$", path.read_text(), re.M)
    return found[1] if found else ""


def holds_one_kernel(path: pathlib.Path) -> bool:
    """True for a test's file that is a kernel rather than a list of small cases."""
    text = path.read_text(errors="replace")
    return ("// -----" not in text and "expected-" not in text
            and len(re.findall(r"\bkernel\b.*known_grid_size", text)) == 1)


def collect(folder: pathlib.Path, only: str) -> list[tuple[str, pathlib.Path]]:
    """Names and files; kernels of benchmarks/kernels are lowered into `folder`."""
    subprocess.run([sys.executable, str(KERNELS / "lower.py"), "-o", str(folder)], check=True)
    files = [(f"{p.parent.name}/{p.stem}", p) for p in sorted(folder.glob("*/*.mlir"))]
    for name in ("foreign", "nasty"):
        files += [(f"{name}/{p.stem}", p) for p in sorted((KERNELS / name).glob("*.mlir"))]
    files += [(str(p.relative_to(ROOT).with_suffix("")), p)
              for p in sorted((ROOT / "test").rglob("*.mlir")) if holds_one_kernel(p)]
    return [(name, path) for name, path in files if only in name]


def run(command: list[str], limit: float) -> tuple[float, float, bool]:
    """Seconds of the clock, of the processors, and whether it ended in time."""
    start = time.monotonic()
    before = os.times()
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=limit, check=False)
        ended = True
    except subprocess.TimeoutExpired:
        ended = False
    after = os.times()
    used = (after.children_user - before.children_user
            + after.children_system - before.children_system)
    return time.monotonic() - start, used, ended


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def write_table(rows: list[tuple[float, float, str, str, bool]]) -> None:
    """Replaces the table of docs/compile-time.md, between its two marks."""
    lines = ["", "| of all plannings | processors / 2 | limit |", "| --- | --- | --- |"]
    lines += [f"| {title} | {quantile([row[0] for row in rows], part):.2f} s | {limit:.0f} s |"
              for title, part, limit in LIMITS]
    lines += ["", "| the slowest | chip | processors / 2 |", "| --- | --- | --- |"]
    lines += [f"| {name} | {chip} | {half:.2f} s |"
              for half, _, name, chip, _ in sorted(rows, reverse=True)[:8]]
    lines += ["", f"{len(rows)} plannings of {len({row[2] for row in rows})} kernels.", ""]
    text = PAGE.read_text()
    begin, end = (text.index(mark) for mark in MARKS)
    PAGE.write_text(text[:begin + len(MARKS[0])] + "\n".join(lines) + text[end:])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True, metavar="DIR",
                        help="folder of swizzle-opt")
    parser.add_argument("--chips", default="mi300x,h200,rx7900xtx",
                        help="chips to plan for (default %(default)s)")
    parser.add_argument("--only", default="", metavar="PART",
                        help="kernels whose name contains this")
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--limits", action="store_true", help="fail if a limit is exceeded")
    parser.add_argument("--write", action="store_true",
                        help="replace the table of docs/compile-time.md; needs all kernels")
    arguments = parser.parse_args()
    if arguments.write and arguments.only:
        parser.error("--write tells of all kernels: it excludes --only")

    rows: list[tuple[float, float, str, str, bool]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in collect(pathlib.Path(folder), arguments.only):
            for chip in arguments.chips.split(","):
                options = f"chip={chip} {options_of(path)}".strip()
                wall, used, ended = run([str(arguments.tools / "swizzle-opt"), str(path),
                                         f"--swizzle-plan={options}", "-o", os.devnull],
                                        arguments.timeout)
                rows.append((used / 2, wall, name, chip, ended))
    if not rows:
        sys.exit("error: no kernel is called that")
    print(f"{'processors/2':>12} {'clock':>8}  kernel, chip")
    for half, wall, name, chip, ended in sorted(rows, reverse=True):
        print(f"{half:10.2f} s {wall:6.2f} s  {name}, {chip}{'' if ended else ' (not ended)'}")
    exceeded = False
    for title, part, limit in LIMITS:
        half = quantile([row[0] for row in rows], part)
        wall = quantile([row[1] for row in rows], part)
        exceeded |= half > limit
        print(f"{title}: {half:.2f} s, by the clock {wall:.2f} s, limit {limit:.0f} s")
    print(f"{len(rows)} plannings, {len({row[2] for row in rows})} kernels")
    if arguments.write:
        write_table(rows)
    if arguments.limits and (exceeded or not all(row[4] for row in rows)):
        sys.exit(1)


if __name__ == "__main__":
    main()
