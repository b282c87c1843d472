#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the tuner: ten replayed rounds on a large matrix product, by phase.

  measure.py [--build=build/release] [--kernel=matmul_tensor/static_amd] [--chip=mi300x]
             [--rounds=10] [--limit=20] [--overhead=0.02]

The rounds are recorded from a scripted program first and then replayed, so that
what is timed is the tuner and not whoever answers. Prints where the time went;
fails if it took longer than --limit seconds, or if the loop's own share, beside
agent, build, check and measurement, exceeds --overhead.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Templates as language models write them (three a round), numbers set per round.
SHAPES = [
    "param G in {{1, 2, 4, 8, 16, 32}}\nw = G * gx\ni = y * gx + x + {n} * 0\ng = i // w\n"
    "h = min(gy - g * G, G)\nk = i % w\nreturn (k // h + {n}) % gx, g * G + k % h",
    "param G in {{2, 4, 8, 16}}\nn = gx * gy\ni = y * gx + x\nq, r = n // num_xcds, n % num_xcds\n"
    "d, j = i % num_xcds, i // num_xcds\ni = d * q + min(d, r) + j\nw = G * gx\ng = i // w\n"
    "h = min(gy - g * G, G)\nk = i % w\nreturn (k // h + {n}) % gx, g * G + k % h",
    "param H in {{4, 8, 16}}\nparam W in {{4, 8, 16}}\ni = y * gx + x\n"
    "ok = gx % W == 0 and gy % H == 0\n"
    "b, k = i // (H * W), i % (H * W)\nm = max(1, gx // W)\n"
    "return ((b % m * W + k // H + {n}) % gx if ok else x), (b // m * H + k % H if ok else y)",
]
AGENT = '''import json, sys
context = json.load(sys.stdin)["context"]
shapes = %r
json.dump({"critique": "", "finished": "", "proposals": [
    {"limits": "", "change": "", "expect": "", "params": [],
     "formula": shape.format(n=context["round"] - 1)} for shape in shapes]}, sys.stdout)
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--kernel", default="matmul_tensor/static_amd")
    parser.add_argument("--chip", default="mi300x")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--overhead", type=float, default=0.02)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="swizzle-tuning-"))
    module, report = folder / "kernel.mlir", folder / "report.json"
    module.write_text(subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/kernels/lower.py"), options.kernel],
        check=True, capture_output=True, text=True).stdout)
    (folder / "agent.py").write_text(AGENT % SHAPES)
    command = [options.build + "/bin/swizzle-tune", str(module), "--chip=" + options.chip,
               "--agent=command", "--command=%s %s" % (sys.executable, folder / "agent.py"),
               "--rounds=%d" % options.rounds, "--patience=0", "--compile=off", "--check=off",
               "--report=%s" % report]

    def run(extra: list[str]) -> float:
        began = time.monotonic()
        subprocess.run(command + extra, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return time.monotonic() - began

    run(["--record=%s" % (folder / "recording")])
    seconds = run(["--replay=%s" % (folder / "recording"),
                   "--journal=%s" % (folder / "run.jsonl")])
    tuning = json.loads(report.read_text())["kernels"][0]["tuning"]
    phases = tuning["seconds"]
    share = phases["loop"] / phases["total"]
    print("%s on %s: %d rounds, %d attempts, %d evaluations in %.2f s"
          % (options.kernel, options.chip, tuning["rounds"], len(tuning["attempts"]),
             tuning["evaluations"], seconds))
    for name in ("agent", "build", "check", "measure", "loop"):
        print("  %-8s %8.3f s  %5.1f %%"
              % (name, phases[name], 100 * phases[name] / phases["total"]))
    if seconds > options.limit:
        sys.exit("FAILED: longer than %g s" % options.limit)
    if share > options.overhead:
        sys.exit("FAILED: the loop's own share is %.1f %%" % (100 * share))


if __name__ == "__main__":
    main()
