#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program against the server that misbehaves, one fault after the other.

    run_faults.py --keep FILE --folder FOLDER --config FILE -- PROGRAM ARGUMENTS...

`{url}`, `{folder}`, `{idle}` and `{total}` (milliseconds: few where a time-out is
what is tested) in the arguments are replaced, and in the text of --config, which is
written to a file of its own whose path is `{config}`. For each fault: the program
ends with status 0; what it prints is the text of --keep byte for byte, or, for the
answers that may be used, carries a remap whose formula `swizzle-formula` proves;
its standard error names the cause; and a sentinel in place of the key is neither
in its output, nor in a file below FOLDER, nor in the command line of any process.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
import fault_server  # noqa: E402

KEY = "sk-sentinel-4fae21c0-do-not-show"
DECLINED = "declined|content filter"

# What standard error must say, for each fault that leaves the kernel alone.
FAULTS = {
    "refused": "onnect", "silent": "idle-timeout-ms", "reset": "agent 'openai' at",
    "early-reset": "agent 'openai' at", "reset-mid-body": "agent 'openai' at",
    "short-body": "agent 'openai' at", "silence": "idle-timeout-ms",
    "silence-mid-body": "idle-timeout-ms", "drip": "idle-timeout-ms",
    "stream-for-ever": "total-timeout-ms", "huge": "max-body-bytes",
    "truncated-json": "cut off", "html": "HTML", "text": "text/plain", "empty": "empty",
    "400": "frobnicate", "400-context": "context", "401": "does not accept the key",
    "402": "spent", "403": "does not accept", "404": "no such model", "408": "HTTP 408",
    "409": "HTTP 409", "413": "HTTP 413", "422": "field required", "429": "limits the rate",
    "429-after": "limits the rate", "429-after-ms": "limits the rate",
    "429-after-date": "limits the rate", "429-after-long": "limits the rate",
    "429-quota": "spent", "500": "HTTP 500", "502": "HTTP 502", "503": "HTTP 503",
    "529": "HTTP 529", "200-error": "upstream", "empty-choices": "empty list",
    "tool-call": "called a tool", "finish-length": "answer-tokens",
    "finish-filter": DECLINED, "finish-refusal": DECLINED,
    "redirect-host": "redirects", "certificate": "ertificate",
    "schema-ignored": "cannot be used", "schema-wrong": "cannot be used",
    "deep-json": "cannot be used", "chatter-only": "cannot be used",
    "formula-illegal": "both map|permutation|duplicate", "formula-out-of-language": "",
    "formula-long": "", "formula-deep": "", "formula-injection": "",
}
# Answers that may be applied.
ANSWERS = ["ok", "fenced", "wrong-content-type", "content-parts", "no-usage",
           "formula-unicode", "429-after-ms,ok"]


class Watch(threading.Thread):
    """Looks for the key in every process's command line."""

    def __init__(self):
        super().__init__(daemon=True)
        self.done = threading.Event()
        self.found = None

    def run(self):
        while not self.done.wait(0.02):
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open("/proc/%s/cmdline" % name, "rb") as file:
                        if KEY.encode() in file.read():
                            self.found = name
                except OSError:
                    pass


def urls(folder):
    server = fault_server.Server()
    port = server.start()
    refused, silent = fault_server.idle_endpoints()
    context = fault_server.make_certificate(folder, "wrong")
    tls = fault_server.Server(None, context).start()
    special = {"refused": "http://127.0.0.1:%d/v1" % refused.getsockname()[1],
               "silent": "http://127.0.0.1:%d/v1" % silent.getsockname()[1],
               "certificate": "https://127.0.0.1:%d/ok" % tls}
    keep = (server, refused, silent)
    return lambda fault: special.get(fault, "http://127.0.0.1:%d/%s" % (port, fault)), keep


def legal(text):
    """True if `text` carries a remap, and each one's formula is proved again."""
    applied = re.findall(r'swizzle\.applied = #swizzle\.formula<"((?:[^"\\]|\\.)*)"', text)
    grids = re.findall(r"known_grid_size = array<i32: ([0-9, ]+)>", text)
    for formula, grid in zip(applied, grids):
        formula = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), formula)
        check = subprocess.run(["swizzle-formula", "--grid=" + grid.replace(", ", "x"),
                                "--chip=mi300x", "--formula=" + formula],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if check.returncode:
            print(check.stdout)
            return False
    return bool(applied)


def files_with_key(folder):
    for base, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(base, name), "rb") as file:
                if KEY.encode() in file.read():
                    yield name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--config", required=True)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    with open(arguments.keep, "rb") as file:
        keep = file.read()
    with open(arguments.config, encoding="utf-8") as file:
        config = file.read()
    url, alive = urls(arguments.folder)
    environment = {name: value for name, value in os.environ.items()
                   if not name.lower().endswith("_proxy")}
    environment["OPENAI_API_KEY"] = KEY
    watch = Watch()
    watch.start()

    def judge(fault):
        expected = FAULTS.get(fault, "")
        values = {"url": url(fault), "folder": arguments.folder,
                  "idle": "150" if "idle" in expected else "300000",
                  "total": "500" if "total" in expected else "300000"}

        def fill(text):
            return re.sub(r"\{(url|folder|idle|total|config)\}",
                          lambda m: values[m.group(1)], text)

        values["config"] = os.path.join(arguments.folder, fault + ".config.json")
        with open(values["config"], "w", encoding="utf-8") as file:
            file.write(fill(config))
        command = [fill(word) for word in arguments.command]
        run = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        error = run.stderr.decode("utf-8", "replace")
        wrong = []
        if run.returncode:
            wrong.append("exit status %d" % run.returncode)
        if fault in FAULTS:
            if run.stdout != keep:
                wrong.append("the kernel was changed")
            if not re.search(expected, error):
                wrong.append("standard error does not match '%s'" % expected)
        elif run.stdout != keep and not legal(run.stdout.decode()):
            wrong.append("neither kept nor legally rewritten")
        if KEY.encode() in run.stdout + run.stderr:
            wrong.append("the key is in the output")
        wrong += ["the key is in " + name for name in files_with_key(arguments.folder)]
        return fault, "; ".join(wrong), error

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for fault, wrong, error in pool.map(judge, list(FAULTS) + ANSWERS):
            if wrong:
                failures += 1
                print("%s: %s\n%s" % (fault, wrong, error))
    watch.done.set()
    watch.join()
    if watch.found:
        failures += 1
        print("the key is in the command line of process", watch.found)
    print("%d faults, %d answers, %d failures" % (len(FAULTS), len(ANSWERS), failures))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
