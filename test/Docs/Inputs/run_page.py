# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does what a page of the documentation tells its readers to do.

    run_page.py PAGE.md FOLDER

Goes through the page's blocks from top to bottom, in FOLDER: a block after the line
`<!-- file: NAME -->` is written to NAME; a block marked `sh` is run and must succeed;
each line of a block after `<!-- shows -->` must be part of a line that the last command
printed, in that order. Other blocks are left alone. Exit status 1, with the place, if
something is not as the page says.
"""
import pathlib
import re
import subprocess
import sys


def blocks(text: str):
    """(line, note, language, body) of each fenced block."""
    pattern = re.compile(r"(?:^<!-- (?P<note>[^\n]*) -->\n)?^```(?P<lang>\w*)\n(?P<body>.*?)^```$",
                         re.MULTILINE | re.DOTALL)
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start("body"))
        yield line, match["note"] or "", match["lang"], match["body"]


def missing(wanted: str, printed: str):
    """The first line of `wanted` that is not there, in order; None if all are."""
    rest = iter(printed.splitlines())
    for line in filter(None, map(str.strip, wanted.splitlines())):
        if not any(line in one for one in rest):
            return line
    return None


def main(page: str, folder: str) -> int:
    path, where = pathlib.Path(page), pathlib.Path(folder)
    where.mkdir(parents=True, exist_ok=True)
    printed, done = "", 0
    for line, note, language, body in blocks(path.read_text()):
        if note.startswith("file: "):
            (where / note.removeprefix("file: ")).write_text(body)
        elif note == "shows":
            if (lost := missing(body, printed)) is not None:
                print(f"{path.name}:{line}: not printed: {lost}\n{printed}")
                return 1
        elif language == "sh":
            ran = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=where,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            printed, done = ran.stdout, done + 1
            if ran.returncode:
                print(f"{path.name}:{line}: ended with status {ran.returncode}\n{printed}")
                return 1
    print(f"{path.name}: {done} blocks run")
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
