#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the page of swizzle-report is on a large report: 2,000 attempts on a grid of
4096 x 4096 workgroups.

    speed.py [--bin build/dev/bin] [--browser chromium-headless-shell]
             [--side 4096] [--attempts 2000] [--repeat 5] [--keep FOLDER]

Prints medians and worst cases: what the tool takes, the size of the page, first paint
and the first picture of the mapping (both from the start of loading), then a zoom, a
hover, a step through the attempts. Needs pip's playwright (PYTHONPATH=build/pip).
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time
from typing import Any

#: Goals of the project, in milliseconds.
GOALS = {"first paint": 2000.0, "zoom": 100.0, "hover": 100.0}

FORMULA = """param G in {4, 8, 16, 32}
n = gx * gy
i = y * gx + x
q, r = n // num_xcds, n % num_xcds
d, j = i % num_xcds, i // num_xcds
i = d * q + min(d, r) + j
w = G * gx
h = min(gy - i // w * G, G)
k = i % w
return k // h, i // w * G + k % h
"""

#: Time from calling to the frame after it; `act` runs in the page.
FRAME = """async () => {
  const start = performance.now();
  %s;
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""


def measurement(time_us: float) -> dict[str, Any]:
    levels = {"l1": 4e12, "l2": 2e12, "llc": 4e11}
    figures: dict[str, Any] = {"origin": "simulated", "device": "mi300x", "levels": list(levels),
                               "dram_read_bytes": 9e10, "dram_write_bytes": 1e10,
                               "time_us": time_us, "error": 0.001, "roofline": [
                                   {"bound": "dram", "time_us": time_us * 0.9, "work": 1e11,
                                    "rate": 4.2e12},
                                   {"bound": "vector", "time_us": time_us * 0.3, "work": 5e11,
                                    "rate": 8e13}]}
    for level, size in levels.items():
        figures[f"{level}_bytes"], figures[f"{level}_hit_rate"] = size, 0.5
    return figures


def make_report(side: int, attempts: int) -> dict[str, Any]:
    """A report of swizzle-tune as such a run would leave it."""
    tried: list[dict[str, Any]] = []
    best = 30000.0
    for number in range(1, attempts + 1):
        measured = number % 4 != 0
        figure = 24000.0 + (number * 7919) % 9000 - number
        is_best = measured and figure < best
        best = min(best, figure) if measured else best
        tried.append({
            "number": number, "round": (number + 2) // 3, "agent": "command", "formula": FORMULA,
            "params": {"G": 8}, "status": "profiled" if measured else "illegal",
            "code": "best" if is_best else "worse" if measured else "not-injective",
            "message": "a sentence about what became of it", "same_as": 0,
            "counterexample": "" if measured else "workgroups (0,0) and (1,0) both map to (0,0)",
            "measurement": measurement(figure) if measured else None, "best": is_best,
            "evaluations": 1, "unchecked": False, "critique": "", "limits": "DRAM",
            "change": "groups of rows", "expectation": "less traffic"})
    winner = next(one for one in reversed(tried) if one["best"])
    tuning = {"objective": "time", "objective_reason": None, "baseline": measurement(30000.0),
              "best": {"attempt": winner["number"], "formula": FORMULA, "params": {"G": 8},
                       "proof": {"kind": "enumerated", "ids": side * side, "assumptions": []},
                       "measurement": winner["measurement"]},
              "attempts": tried, "rounds": attempts // 3, "end": "rounds", "end_reason": None}
    return {"schema": "swizzle-tuning/1", "tool_version": "benchmark", "kernels": [{
        "module": "m", "name": "large", "chip": "mi300x", "grid": [side, side, 1],
        "block": [256, 1, 1], "model_grid": [side, side, 1], "outcome": "remapped",
        "reason_code": None, "reason": None, "assumptions": [], "notes": [], "ir_difference": [],
        "constants": {"num_xcds": 8, "dispatch_chunk": 1}, "tuning": tuning}]}


def tell(name: str, values: list[float], unit: str = "ms") -> None:
    goal = GOALS.get(name)
    said = f"  (goal: at most {goal:.0f})" if goal else ""
    print(f"{name:24} median {statistics.median(values):9.1f} {unit}, "
          f"worst {max(values):9.1f}{said}")


def measure_page(page: Any, url: str, times: dict[str, list[float]]) -> None:
    page.goto(url)
    page.wait_for_selector("html[data-mapped]", state="attached", timeout=60000)
    times["first mapping"].append(page.evaluate("performance.now()"))
    times["first paint"].append(page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    box = page.locator("#map-after").bounding_box()
    page.locator("#map-after").scroll_into_view_if_needed()
    act = {"zoom": "document.getElementById('zoom-in').click()",
           "attempts": "document.getElementById('attempts').dispatchEvent("
                       "new KeyboardEvent('keydown', {key: 'PageDown'}))"}
    for name, code in act.items():
        times[name] += [page.evaluate(FRAME % code) for _ in range(8)]
    for k in range(20):
        point = {"x": box["x"] + 20 + 17 * k, "y": 40 + 11 * k}
        times["hover"].append(page.evaluate(
            FRAME % ("{ const canvas = document.getElementById('map-after');"
                     " const box = canvas.getBoundingClientRect();"
                     " canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + "
                     f"{point['x'] % 300}, clientY: box.top + {point['y'] % 300}}})); }}")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", default="build/dev/bin", type=pathlib.Path)
    parser.add_argument("--browser", default=shutil.which("chromium-headless-shell"))
    parser.add_argument("--side", default=4096, type=int)
    parser.add_argument("--attempts", default=2000, type=int)
    parser.add_argument("--repeat", default=5, type=int)
    parser.add_argument("--keep", type=pathlib.Path, help="where report and page are left")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    report, html = (folder / "report.json").resolve(), (folder / "page.html").resolve()
    report.write_text(json.dumps(make_report(options.side, options.attempts)))
    start = time.monotonic()
    subprocess.run([options.bin / "swizzle-report", report, "-o", html], check=True)
    print(f"{'swizzle-report':24} {time.monotonic() - start:.2f} s, "
          f"{os.path.getsize(html) / 1e6:.2f} MB of page")
    times: dict[str, list[float]] = {name: [] for name in (
        "first paint", "first mapping", "zoom", "hover", "attempts")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser,
                                             args=["--no-sandbox"])
        for _ in range(options.repeat):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            measure_page(page, html.as_uri(), times)
            page.close()
        browser.close()
    for name, values in times.items():
        tell(name, values)


if __name__ == "__main__":
    main()
