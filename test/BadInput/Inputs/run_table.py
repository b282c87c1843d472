#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every command of the tables of docs/errors.md.

    run_table.py DOCS/errors.md FILES

Each row names a command, its exit status and a part of what it says. The
command runs in a folder with copies of FILES; afterwards the status and the
message must be as the row says, and the folder must hold the same files with the
same bytes. Prints what is wrong, and the number of rows.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def code(cell):
    """The text of a cell that is code: `x`, or `` x `y` ``."""
    for quote in ("``", "`"):
        if cell.startswith(quote) and cell.endswith(quote):
            cell = cell[len(quote):-len(quote)].strip()
            break
    return cell.replace("\\|", "|")


def rows(path):
    """Yields (what, command, status, message) of each row of a table."""
    for line in open(path, encoding="utf-8"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 4 and cells[2].isdigit():
            what, command, status, message = cells
            yield what, code(command), int(status), code(message)


def contents(folder):
    """Every file below `folder`, with its bytes."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


def check(row, files):
    """What is wrong with a row; empty if nothing is."""
    _, command, status, message = row
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(files, folder, dirs_exist_ok=True)
        before = contents(folder)
        try:
            ran = subprocess.run(["bash", "-c", command], cwd=folder,
                                 stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=120, check=False)
        except subprocess.TimeoutExpired:
            return "does not end"
        said = (ran.stderr + ran.stdout).decode(errors="replace")
        wrong = []
        if ran.returncode != status:
            wrong.append(f"status {ran.returncode}, not {status}")
        if message not in said:
            wrong.append(f"does not say: {message}")
        if "PLEASE submit a bug report" in said or "Stack dump" in said:
            wrong.append("crashes")
        if contents(folder) != before:
            wrong.append("files changed")
        if wrong:
            wrong.append("it says:\n" + said[:2000])
        return "; ".join(wrong)


def main():
    """Checks all rows."""
    count = failed = 0
    for row in rows(sys.argv[1]):
        count += 1
        problem = check(row, sys.argv[2])
        if problem:
            failed += 1
            print(f"{row[0]}: {row[1]}: {problem}")
    print(f"{count} rows, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
