#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets swizzle-tune search by measuring, and measures what it found beside a sweep's best.

    tune.py IN --known rows.jsonl --out tuned.jsonl [--device-seconds 20] [--seconds 540] [--jobs 4]

IN is what `prepare.py` made, the known rows are those of `sweep.py`; kernels whose sweep has
more to gain than 5 % are tuned (`--all`: all of one launch). Then the kernel as it is, the
planner's order, the best order of the sweep and the one that was found are measured in turns,
in one run, and compared bit by bit. A case that is in the output already is left out, and so is
what does not begin within the seconds; a case that was interrupted goes on with what it measured.
Tuners run side by side, one at a time on the GPU. Needs swizzle-tune, swizzle-run, swizzle-opt,
swizzle-llvm and swizzle-compile.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import fcntl
import json
import pathlib
import shlex
import subprocess
import sys
import threading
import time
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "python"), str(HERE.parent / "kernels")]

import building  # noqa: E402
import orders  # noqa: E402
import report as page  # noqa: E402
import suite  # noqa: E402
import sweep  # noqa: E402

from swizzle.tools import find_tool  # noqa: E402

#: What swizzle-run is given for the last comparison.
FINALS = {"warm_ups": 3, "repeats": 20, "max_seconds": 20, "energy_seconds": 0.5}


def run_bundle(lock: str, folder: pathlib.Path) -> int:
    """swizzle-run on one bundle, alone on the GPU; notes how long that took."""
    with open(lock, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        begin = time.monotonic()
        status = subprocess.run([str(find_tool("swizzle-run")), "--group=64", str(folder)],
                                check=False).returncode
        seconds = time.monotonic() - begin
        (folder / "seconds").write_text(f"{seconds:.3f}\n", encoding="utf-8")
    return status


def tune(case: suite.Case, folder: pathlib.Path, told: dict[str, Any],
         options: argparse.Namespace) -> dict[str, Any]:
    """The report of swizzle-tune about the case's kernel."""
    work = folder / "tune"
    work.mkdir(exist_ok=True)
    source = folder / told["source"]
    me = shlex.join([sys.executable, str(HERE / "tune.py"), "--run-bundle", str(options.lock)])
    sizes = []
    if source.suffix == ".ll":
        launch = case.launches()[0]
        sizes = [f"--{name}={'x'.join(map(str, launch[name]))}" for name in ("grid", "block")]
    command = [str(find_tool("swizzle-tune")), str(source), f"--chip={told['chip']}", *sizes,
               f"--launch={folder / 'job.json'}", "--rounds=1", f"--patience={options.patience}",
               "--check=off", f"--profiler=command:{me}", "--measure=search",
               f"--measured={options.measured}",
               f"--device-seconds={options.device_seconds}", f"--journal={work / 'journal.jsonl'}",
               "--resume", f"--report={work / 'report.json'}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    (work / "log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-500:])
    found: dict[str, Any] = json.loads((work / "report.json").read_text(encoding="utf-8"))
    return found


def formula_of(tuning: dict[str, Any]) -> tuple[str | None, str]:
    """The text of the best order, and how it is described; None: the kernel as it is."""
    best = tuning["best"]
    if not best["formula"]:
        return None, "as it is"
    attempt = next(one for one in tuning["attempts"] if one["number"] == best["attempt"])
    text: str = best["formula"]
    if best["params"]:
        raise RuntimeError("a formula with parameters is not expected of planner and neighbours")
    return text, str(attempt.get("change") or "")


def build(case: suite.Case, folder: pathlib.Path, told: dict[str, Any], name: str,
          formula: str) -> dict[str, str]:
    source = folder / told["source"]
    path = folder / f"{name}{source.suffix}"
    made = building.remap(case, source, path, told["chip"], formula, "simulate=off")
    if any(kernel["outcome"] != "remapped" for kernel in made["kernels"]):
        raise RuntimeError(f"{name}: {made['kernels'][0].get('reason')}")
    building.compile_ptx(path, path.with_suffix(".ptx"))
    return building.variant(name, building.assemble(path.with_suffix(".ptx")), formula)


def sampled(row: dict[str, Any]) -> dict[str, Any]:
    """A result with its cold samples."""
    kept = sweep.compact(row)
    samples = ((row.get("measurement") or {}).get("cold") or {}).get("samples_us") or []
    kept["cold_samples_us"] = [round(us, 3) for us in samples]
    return kept


def tune_case(case: suite.Case, folder: pathlib.Path, known: dict[str, Any],
              options: argparse.Namespace) -> dict[str, Any]:
    """A row of the output."""
    begin = time.monotonic()
    told = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    kernel = tune(case, folder, told, options)["kernels"][0]
    text, description = formula_of(kernel["tuning"])
    took = time.monotonic() - begin
    job = sweep.load_job(folder)
    _, fastest = page.Row(known).best
    if fastest != "original":
        job["variants"].append(build(case, folder, told, "sweep",
                                     orders.formula(fastest, case.largest_grid())))
    if text is not None:
        job["variants"].append(build(case, folder, told, "tuned", text))
    with options.lock.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        found = sweep.measure(folder, {**job, "measure": FINALS}, "tuned", "--group=8",
                              seconds=300)
    first = found["original"]
    return {"schema": "swizzle-suite-tuned/1", "case": case.name,
            **{name: told[name] for name in ("kernel", "sizes", "drawn", "grid")},
            "device": first["metrics"].get("device"),
            "measured": {name: first["measurement"].get(name) for name in ("driver", "date")},
            "device_seconds": options.device_seconds, "tuning_seconds": round(took, 1),
            "search": [note for note in kernel["measured"]["notes"] if "search" in note],
            "rounds": rounds(folder / "tune"), "sweep_order": fastest,
            "tuned_order": description, "tuned_formula": text,
            "finals": {name: sampled(row) for name, row in found.items()}}


def rounds(work: pathlib.Path) -> list[dict[str, Any]]:
    """What each round of the search measured: relative times by formula, and its seconds."""
    told = []
    for path in sorted(work.glob("journal.jsonl.bundles/kernel-0/round-*/results.jsonl"),
                       key=lambda path: int(path.parent.name.split("-")[1])):
        job = json.loads((path.parent / "job.json").read_text(encoding="utf-8"))
        formulas = {one["name"]: one.get("formula", "") for one in job["variants"]}
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        told.append({"seconds": float((path.parent / "seconds").read_text(encoding="utf-8")),
                     "orders": [[formulas[line["variant"]], sweep.time_of(line)]
                                for line in lines]})
    return told


def chosen(kernels: dict[str, suite.Kernel], options: argparse.Namespace
           ) -> list[tuple[suite.Case, pathlib.Path, dict[str, Any]]]:
    """The cases to be tuned, those with most to gain first."""
    done, known = sweep.read_rows(options.out), sweep.read_rows(options.known)
    found = []
    for case, folder in sweep.prepared(options.bundles, kernels):
        if case.name in done or case.name not in known or len(case.launches()) > 1:
            continue
        row = page.Row(known[case.name])
        gain = row.original / row.best[0]
        if options.all or gain > 1 + page.HEADROOM:
            found.append((gain, case, folder, known[case.name]))
    found.sort(key=lambda one: -one[0])
    return [one[1:] for one in found]


def main() -> int:
    if sys.argv[1:2] == ["--run-bundle"]:
        return run_bundle(sys.argv[2], pathlib.Path(sys.argv[3]))
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundles", type=pathlib.Path, metavar="IN")
    parser.add_argument("--known", type=pathlib.Path, required=True, metavar="ROWS")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--device-seconds", type=float, default=20, help="of each search")
    parser.add_argument("--patience", type=int, default=3, help="rounds without a gain")
    parser.add_argument("--measured", type=int, default=3,
                        help="orders of a search that are measured to the end")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kernel", nargs="*", help="only these")
    options = parser.parse_args()
    kernels = suite.choose(parser, options.kernel)
    options.lock = options.bundles.resolve() / "gpu.lock"
    deadline = time.monotonic() + options.seconds
    writing = threading.Lock()

    def one(case: suite.Case, folder: pathlib.Path, known: dict[str, Any]) -> None:
        if time.monotonic() > deadline:
            print(f"{case.name}: no time is left", flush=True)
            return
        begin = time.monotonic()
        try:
            row = tune_case(case, folder.resolve(), known, options)
        except Exception as error:  # The next case is another one.
            print(f"{case.name}: error: {error}", file=sys.stderr, flush=True)
            return
        with writing, options.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        times = ", ".join(f"{name} {one.get('time_us', 0):.1f}"
                          for name, one in row["finals"].items())
        print(f"{case.name}: {times} us; {row['tuned_order']}; "
              f"{time.monotonic() - begin:.1f} s", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for job in [pool.submit(one, *case) for case in chosen(kernels, options)]:
            job.result()
    return 0


if __name__ == "__main__":
    sys.exit(main())
