"""Adds up the results of all test suites.

summary.py FOLDER: reads every lit result file (JSON) and every pytest result file
(JUnit XML) of FOLDER, names what failed and why something was skipped, and ends with
one line `N passed, N failed, N skipped`. Exit status 1 if anything failed.
"""
from __future__ import annotations

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree
from collections.abc import Iterator
from typing import Any

#: Name, kind (passed, failed or skipped) and text of one test.
Result = tuple[str, str, str]

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def reason(test: dict[str, Any]) -> str:
    """Why lit did not run a test, in its own words."""
    lines = [line.strip() for line in (test.get("output") or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def lit_results(path: pathlib.Path) -> Iterator[Result]:
    """The tests of one lit file."""
    for test in json.loads(path.read_text())["tests"]:
        if test["code"] in PASSED:
            yield test["name"], "passed", ""
        elif test["code"] in SKIPPED:
            yield test["name"], "skipped", reason(test)
        else:
            yield test["name"], "failed", test["code"]


def pytest_results(path: pathlib.Path) -> Iterator[Result]:
    """The same of a JUnit file."""
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        if (skipped := case.find("skipped")) is not None:
            yield name, "skipped", skipped.get("message") or "no reason given"
        elif case.find("failure") is not None or case.find("error") is not None:
            yield name, "failed", "FAIL"
        else:
            yield name, "passed", ""


def main(name: str) -> int:
    counts: collections.Counter[str] = collections.Counter()
    skips: collections.Counter[str] = collections.Counter()
    folder = pathlib.Path(name)
    results = [(path, lit_results(path)) for path in sorted(folder.glob("*.json"))]
    results += [(path, pytest_results(path)) for path in sorted(folder.glob("*.xml"))]
    for path, tests in results:
        for test, kind, text in tests:
            counts[kind] += 1
            if kind == "failed":
                print(f"failed: {test} ({path.stem}, {text})")
            elif kind == "skipped":
                skips[f"{test}: {text}"] += 1
    broken = folder / "broken"
    for suite in broken.read_text().split() if broken.exists() else []:
        counts["failed"] += 1
        print(f"failed: suite {suite} gave no results")
    for text in skips:
        print(f"skipped: {text}")
    if not counts["passed"]:
        counts["failed"] += 1
        print("failed: no test ran")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
