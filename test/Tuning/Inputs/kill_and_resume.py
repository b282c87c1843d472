#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills the tuner again and again and shows that nothing is lost.

  kill_and_resume.py [--kills=200] [--seed=1] -- swizzle-tune FILE OPTIONS...

Runs the tuner once to its end, for reference. Then starts it with --resume and
kills it (SIGKILL) at a random moment, until it has been killed often enough;
whenever it comes to its end before that, a new journal is begun. Fails unless

- no complete record of a journal is ever lost or changed,
- no answer is asked for twice and nothing is evaluated twice,
- each run that comes to its end has the reference's best, attempts and
  evaluations.

Moments are random, what is required of each is not: passing does not depend on
the clock.
"""
import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time


def records(path):
    """The complete lines of a journal."""
    if not path.exists():
        return []
    text = path.read_bytes()
    return [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]


def work(lines):
    """What was paid for: answers and evaluations, in order, without times."""
    result = []
    for line in lines:
        if line["type"] == "answer":
            result.append(("answer", line["kernel"], line["round"], line["agent"],
                           json.dumps(line["answer"])))
        elif line["type"] == "evaluation":
            result.append(("evaluation", line["kernel"], line["order"], line["fidelity"],
                           json.dumps(line["measurement"])))
    return result


def best(report):
    return [(kernel["name"], kernel["outcome"],
             kernel["tuning"] and kernel["tuning"]["best"],
             kernel["tuning"] and kernel["tuning"]["attempts"],
             kernel["tuning"] and kernel["tuning"]["evaluations"])
            for kernel in json.loads(report.read_text())["kernels"]]


def fail(message):
    sys.exit("FAILED: " + message)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="swizzle-kill-"))
    report = folder / "report.json"

    def start(journal):
        return subprocess.Popen(
            arguments.command + ["--journal=%s" % journal, "--resume",
                                 "--report=%s" % report],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(process):
        error = process.communicate()[1]
        if process.returncode != 0:
            fail("exit status %d: %s" % (process.returncode, error))

    journal = folder / "reference.jsonl"
    began = time.monotonic()
    finish(start(journal))
    duration = time.monotonic() - began
    expected, reference = work(records(journal)), best(report)
    if len(set(expected)) != len(expected):
        fail("the reference evaluates something twice")

    kills = ended = early = 0
    journal = folder / "killed.jsonl"
    while kills < arguments.kills:
        before = records(journal)
        process = start(journal)
        try:
            process.wait(timeout=dice.uniform(0, duration))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
        killed = process.returncode == -signal.SIGKILL
        if not killed:
            finish(process)
        else:
            process.stderr.close()
            kills += 1
        after = records(journal)
        if after[:len(before)] != before:
            fail("a record was lost after kill %d" % kills)
        done = work(after)
        if done != expected[:len(done)]:
            fail("something was asked or evaluated twice, or in vain, at kill %d" % kills)
        early += killed and len(done) < len(expected)
        if not killed:
            ended += 1
            if best(report) != reference or done != expected:
                fail("another result after %d kills" % kills)
            journal.unlink()
    finish(start(journal))
    if best(report) != reference or work(records(journal)) != expected:
        fail("another result in the end")
    print("passed: killed %d times (%d of them before all was done), came to its end "
          "%d times, %d answers and evaluations each"
          % (kills, early, ended + 1, len(expected)))


if __name__ == "__main__":
    main()
