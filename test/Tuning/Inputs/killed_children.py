#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills the tuner (SIGKILL) while a program answers, and shows that neither that program
nor what it started goes on.

  killed_children.py FOLDER -- swizzle-tune FILE OPTIONS...
"""
import os
import pathlib
import signal
import subprocess
import sys
import time

LIMIT = 60  # seconds; a busy machine


def running(process):
    """True unless the process is gone or waits to be reaped."""
    try:
        state = pathlib.Path("/proc/%d/stat" % process).read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_for(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit("FAILED: " + what)
        time.sleep(0.01)


def main():
    folder = pathlib.Path(sys.argv[1])
    told = folder / "numbers"
    told.unlink(missing_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    ask = "sleep 1000 & echo $$ $! > %s.new && mv %s.new %s; wait" % (told, told, told)
    tuner = subprocess.Popen(sys.argv[3:] + ["--agent=command", "--command=" + ask],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(told.exists, "the program was never asked")
    numbers = [int(word) for word in told.read_text().split()]
    if not all(running(number) for number in numbers):
        sys.exit("FAILED: the program ended by itself")
    os.kill(tuner.pid, signal.SIGKILL)
    tuner.wait()
    wait_for(lambda: not any(running(number) for number in numbers), "a child goes on")
    print("passed")


if __name__ == "__main__":
    main()
