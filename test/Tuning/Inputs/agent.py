#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A test agent: proposes by script, to drive the tuner into each of its corners.

  agent.py MODE   MODE is rounds, mixed, garbage, crash, empty or key, which repeats
                  $OPENAI_API_KEY wherever it may say something
"""
import base64
import json
import os
import sys

ROUNDS = [
    ["param G in {1, 2, 3, 4, 8, 16}\nw = G * gx\ni = y * gx + x\ng = i // w\n"
     "h = min(gy - g * G, G)\nk = i % w\nreturn k // h, g * G + k % h"],
    ["n = gx * gy\ni = y * gx + x\nq, r = n // num_xcds, n % num_xcds\n"
     "d, j = i % num_xcds, i // num_xcds\nk = d * q + min(d, r) + j\n"
     "return k % gx, k // gx"],
    ["return gx - 1 - x, y", "return x, gy - 1 - y"],
    ["i = y * gx + x\nreturn i // gy, i % gy"],
]
MIXED = [
    ["return x // 2, y", "return x +", "return x, y"],
    ["return gx - 1 - x, y", "k = x + 1\nreturn gx - k, y",
     "param G in {2}\nrequire G > 5\nreturn x, y"],
]


def tell_key(turn):
    """An answer, an answer that cannot be used, and a failure."""
    key = os.environ["OPENAI_API_KEY"]
    print(key[:-3], file=sys.stderr)
    if turn == 3:
        return 1
    if turn == 2:
        print(f"I would rather not say {key}.")
        return 0
    hidden = base64.b64encode(key.encode()).decode()
    text = json.dumps({"critique": key, "finished": "", "proposals": [
        {"limits": hidden, "change": f"with {key}", "expect": key, "params": [],
         "formula": f"# {key}\n{ROUNDS[0][0]}"},
        {"limits": "", "change": "", "expect": "", "params": [], "formula": f"return {key}"}]})
    text = text.replace('"return s', '"return \\u0073')
    print(text.replace("/0", "\\/0"))  # as some servers write a slash
    return 0


def main():
    mode = sys.argv[1]
    context = json.load(sys.stdin)["context"]
    if mode == "key":
        return tell_key(context["round"])
    if mode == "garbage":
        print("I would rather not say.")
        return 0
    if mode == "crash":
        print("out of ideas", file=sys.stderr)
        return 3
    script = {"rounds": ROUNDS, "mixed": MIXED, "empty": []}[mode]
    at = context["round"] - 1
    formulas = script[at] if at < len(script) else []
    json.dump({
        "critique": "", "finished": "" if formulas else "the script ends",
        "proposals": [{"limits": "traffic", "change": "another order",
                       "expect": "less traffic", "formula": formula, "params": []}
                      for formula in formulas]}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
