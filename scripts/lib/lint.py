"""Checks types and style of the project's sources, and writes what came of it.

lint.py OUT.xml: runs mypy (strict, python/pyproject.toml) over the package, the scripts
and the benchmarks, flake8 (.flake8) over every Python file, and clang-format
(.clang-format) over all of C++ but kernels and inputs of tests. OUT.xml is a JUnit file
with one test a file and tool, as scripts/lib/summary.py reads it. A tool that is not
there is one skipped test; scripts/lib/setup.sh installs all of them where it can.
"""
from __future__ import annotations

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Folders whose functions all have types.
TYPED = ("python/swizzle/", "scripts/", "benchmarks/")


def files_like(*patterns: str) -> list[str]:
    """All that git tracks or would."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted({name for name in listed.splitlines() if (ROOT / name).exists()})


def find_tool(name: str) -> str | None:
    """Debian's first: another Python's may lack what this one checks against."""
    path = f"/usr/bin/{name}"
    return path if os.access(path, os.X_OK) else shutil.which(name)


def messages(command: list[str]) -> dict[str, list[str]]:
    """What a tool says, by file; what it says of no file stands under ""."""
    paths = [ROOT / "python", ROOT / "benchmarks/kernels"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": ":".join(map(str, paths))})
    found: dict[str, list[str]] = collections.defaultdict(list)
    for line in (done.stdout + done.stderr).splitlines():
        if match := re.match(r"([^:\s]+\.(?:py|cpp|h)):\d+", line):
            found[match[1]].append(line)
    if done.returncode and not found:
        found[""].append(done.stdout + done.stderr)
    return found


def main(output: str) -> int:
    files = files_like("*.py")
    sources = [name for name in files_like("*.cpp", "*.h")
               if not name.startswith(("benchmarks/kernels/", "test/"))]
    typed = [name for name in files if name.startswith(TYPED)]
    tools: dict[str, tuple[list[str], list[str]]] = {
        "mypy": (["--config-file", "python/pyproject.toml", "--no-error-summary",
                  "--cache-dir", "build/mypy"], typed),
        "flake8": ([], files),
        # What is right differs between versions.
        "clang-format-22": (["--dry-run", "-Werror"], sources),
    }
    suite = xml.etree.ElementTree.Element("testsuite", name="lint")
    failures = 0
    for tool, (options, checked) in tools.items():
        path = find_tool(tool)
        if path is None:
            case = xml.etree.ElementTree.SubElement(suite, "testcase", classname="lint", name=tool)
            xml.etree.ElementTree.SubElement(
                case, "skipped", message=f"{tool} is not installed, and no package source answers")
            continue
        found = messages([path, *options, *checked])
        for name in [*checked, *(set(found) - set(checked))]:
            case = xml.etree.ElementTree.SubElement(suite, "testcase", classname=tool, name=name)
            if name in found:
                failures += 1
                print("\n".join(found[name]))
                xml.etree.ElementTree.SubElement(case, "failure", message="\n".join(found[name]))
    xml.etree.ElementTree.ElementTree(suite).write(output)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
