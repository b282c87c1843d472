#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the last column of docs/thresholds.md with the sources it names."""
import os
import re
import sys


def main():
    """Prints each row whose definition is not in the file, and how many."""
    root = sys.argv[1]
    page = open(os.path.join(root, "docs", "thresholds.md"), encoding="utf-8")
    count = wrong = 0
    for path, name, value in re.findall(r"`(\S+): (\w+) = ([\d.]+)` \|",
                                        page.read()):
        count += 1
        text = open(os.path.join(root, path), encoding="utf-8").read()
        found = re.findall(r"\b" + name + r" = ([\d.]+);", text)
        if found != [value]:
            wrong += 1
            print(f"{path}: {name} = {value}: there is {found}")
    print(f"{count} thresholds, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
