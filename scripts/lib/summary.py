"""Adds up the results of all test suites.

summary.py FOLDER: reads every lit result file (JSON) of FOLDER, names what
failed and why something was skipped, and ends with one line
`N passed, N failed, N skipped`. Exit status 1 if anything failed.
"""
import collections
import json
import pathlib
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def reason(test):
    """Why lit did not run a test, in its own words."""
    lines = [line.strip() for line in (test.get("output") or "").splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def main(folder):
    counts = collections.Counter()
    skips = collections.Counter()
    folder = pathlib.Path(folder)
    for path in sorted(folder.glob("*.json")):
        for test in json.loads(path.read_text())["tests"]:
            if test["code"] in PASSED:
                counts["passed"] += 1
            elif test["code"] in SKIPPED:
                counts["skipped"] += 1
                skips[f"{test['name']}: {reason(test)}"] += 1
            else:
                counts["failed"] += 1
                print(f"failed: {test['name']} ({path.stem}, {test['code']})")
    broken = folder / "broken"
    for name in broken.read_text().split() if broken.exists() else []:
        counts["failed"] += 1
        print(f"failed: suite {name} gave no results")
    for text in skips:
        print(f"skipped: {text}")
    if not counts["passed"]:
        counts["failed"] += 1
        print("failed: no test ran")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
