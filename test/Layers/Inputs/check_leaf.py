#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the leaf libraries use no LLVM.

    check_leaf.py SOURCE BUILD_LIB

Looks at the sources below SOURCE, with the headers of the project that they
include, and at the objects below BUILD_LIB. Prints one line for each thing that is
wrong; exit status 1 if there are any.
"""
import re
import subprocess
import sys
from pathlib import Path

# Folders of lib whose libraries a program without LLVM links.
LEAVES = ["Bundle", "Hardware/Spec", "Measure", "Metrics", "Support/Plain"]


def check_sources(root: Path) -> list[str]:
    problems: list[str] = []
    todo = [path for leaf in LEAVES for path in sorted((root / "lib" / leaf).rglob("*"))
            if path.suffix in (".h", ".cpp")]
    seen = set(todo)
    while todo:
        path = todo.pop(0)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
            if not match:
                continue
            name = match[1]
            if re.match(r"(llvm|llvm-c|mlir|clang)/", name):
                problems.append(f"{path.relative_to(root)}:{number}: the leaf must not "
                                f"include {name}")
            for header in (root / "include" / name, path.parent / name):
                if header.is_file() and header not in seen:
                    seen.add(header)
                    todo.append(header)
    return problems


def check_objects(lib: Path) -> tuple[int, list[str]]:
    problems: list[str] = []
    count = 0
    for leaf in LEAVES:
        for path in sorted((lib / leaf).rglob("*.o")):
            count += 1
            listing = subprocess.run(["nm", "-C", str(path)], check=True,
                                     capture_output=True, text=True).stdout
            for symbol in sorted(set(re.findall(r" [A-Za-z] (.*\b(?:llvm|mlir)::.*)", listing))):
                problems.append(f"{path.relative_to(lib)}: the leaf must not use {symbol}")
    return count, problems


def main() -> int:
    root, lib = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    problems = check_sources(root)
    count, more = check_objects(lib)
    problems += more
    print("\n".join(problems) if problems else "", end="\n" if problems else "")
    print(f"{len(LEAVES)} libraries, {count} objects, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
