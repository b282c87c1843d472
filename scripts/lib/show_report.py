# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the first kernel of a report for people, for scripts/demo, and leaves its
formula where swizzle-formula can read it: FOLDER/formula.swz (empty if the kernel
was not remapped), FOLDER/grid, FOLDER/settings (one --set=NAME=VALUE a line).
"""
import json
import pathlib
import sys

RATES = [("l1_hit_rate", "first-level cache hits"), ("l2_hit_rate", "L2 hits"),
         ("llc_hit_rate", "last-level cache hits")]
SIZES = [("l2_bytes", "asked of L2"), ("dram_read_bytes", "read from DRAM"),
         ("dram_write_bytes", "written to DRAM")]


def show(kernel):
    print(f"== kernel {kernel['name']}: {kernel['outcome']}")
    if kernel.get("reason"):
        print(kernel["reason"])
    if kernel.get("formula"):
        print("== formula")
        print(kernel["formula"].strip())
        for name, value in sorted((kernel.get("params") or {}).items()):
            print(f"# with {name} = {value}")
    proof = kernel.get("proof") or {}
    if proof:
        ids = f" ({proof['ids']} workgroups)" if proof.get("ids") else ""
        print(f"== proof: {proof.get('kind')}{ids}")
    simulated = kernel.get("simulated") or {}
    before, after = simulated.get("before"), simulated.get("after")
    if not before or not after:
        return
    print(f"== simulated on {kernel.get('chip')}, before -> after")
    for key, name in RATES:
        if before.get(key) is not None:
            print(f"{name:24} {before[key]:10.1%} -> {after[key]:.1%}")
    for key, name in SIZES:
        if before.get(key) is not None:
            print(f"{name:24} {before[key] / 1e9:8.3f} GB -> {after[key] / 1e9:.3f} GB")
    if before.get("time_us") is not None:
        print(f"{'time':24} {before['time_us']:8.0f} us -> {after['time_us']:.0f} us")


def main():
    report, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    kernels = json.loads(report.read_text())["kernels"]
    if not kernels:
        sys.exit(f"error: {report} has no kernel")
    kernel = kernels[0]
    show(kernel)
    remapped = kernel["outcome"] == "remapped"
    (folder / "formula.swz").write_text(kernel["formula"] + "\n" if remapped else "")
    grid = kernel["grid"]
    (folder / "grid").write_text(grid if isinstance(grid, str) else "x".join(map(str, grid)))
    params = kernel.get("params") or {}
    (folder / "settings").write_text("".join(f"--set={k}={v}\n" for k, v in sorted(params.items())))


if __name__ == "__main__":
    main()
