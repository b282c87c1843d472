# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the first kernel of a report for people, for scripts/demo, and leaves its
formula where swizzle-formula can read it: FOLDER/formula.swz (empty if the kernel
was not remapped), FOLDER/grid, FOLDER/settings (one --set=NAME=VALUE a line).
"""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import swizzle  # noqa: E402

TITLES = {"l1": "first-level cache", "l2": "L2", "llc": "last-level cache"}
SIZES = [("l2_bytes", "asked of L2"), ("dram_read_bytes", "read from DRAM"),
         ("dram_write_bytes", "written to DRAM")]


def show(kernel: swizzle.KernelReport) -> None:
    print(f"== kernel {kernel.name}: {kernel.outcome}")
    if kernel.reason:
        print(kernel.reason)
    if kernel.formula:
        print("== formula")
        print(kernel.formula.strip())
        for name, value in sorted(kernel.params.items()):
            print(f"# with {name} = {value}")
    if kernel.proof:
        print(f"== proof: {kernel.proof}, for workgroups of {kernel.grid}")
    before, after = kernel.before, kernel.after
    if not before or not after:
        return
    print(f"== simulated on {kernel.chip}, before -> after")
    for level in before.levels:
        rate = after.hit_rate(level.name)
        if level.hit_rate is not None and rate is not None:
            name = TITLES.get(level.name, level.name) + " hits"
            print(f"{name:24} {level.hit_rate:10.1%} -> {rate:.1%}")
    for key, name in SIZES:
        if getattr(before, key) is not None:
            print(f"{name:24} {getattr(before, key) / 1e9:8.3f} GB -> "
                  f"{getattr(after, key) / 1e9:.3f} GB")
    if before.time_us is not None:
        print(f"{'time':24} {before.time_us:8.0f} us -> {after.time_us:.0f} us")


def main() -> None:
    report, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    kernels = swizzle.read_report(report)
    if not kernels:
        sys.exit(f"error: {report} has no kernel")
    kernel = kernels[0]
    show(kernel)
    remapped = kernel.outcome == "remapped"
    (folder / "formula.swz").write_text(f"{kernel.formula}\n" if remapped else "")
    (folder / "grid").write_text(kernel.grid)
    (folder / "settings").write_text(
        "".join(f"--set={k}={v}\n" for k, v in sorted(kernel.params.items())))


if __name__ == "__main__":
    main()
