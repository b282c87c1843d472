# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m swizzle.iree: iree-compile, with kernels in a better order where there is one."""
from __future__ import annotations

import argparse
import sys

from ..remapping import RemapError
from .comparing import compare
from .compiler import IreeError
from .patching import compile


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m swizzle.iree", description=__doc__,
        epilog="What follows -- goes to iree-compile.")
    parser.add_argument("source", help="what iree-compile reads")
    parser.add_argument("-o", dest="output", help="the module (.vmfb)")
    parser.add_argument("--target", required=True, help="gfx942, sm_80")
    parser.add_argument("--chip", help="what is planned for, else the target's usual chip")
    parser.add_argument("--options", default="", help="more for swizzle-llvm: strict;...")
    parser.add_argument("--compare", action="store_true",
                        help="simulate each kernel as it is, as planned and as IREE's own "
                             "conditional_transpose has it (wants --chip)")
    own = sys.argv[1:]
    flags = own[own.index("--") + 1:] if "--" in own else []
    arguments = parser.parse_args(own[:own.index("--")] if "--" in own else own)
    if bool(arguments.output) == arguments.compare:
        parser.error("either -o FILE or --compare")
    if arguments.compare and not arguments.chip:
        parser.error("--compare wants --chip")
    try:
        if arguments.compare:
            print("| kernel | grid | outcome | as it is, us | planned, us | "
                  "conditional_transpose, us (all simulated) |\n"
                  "| --- | --- | --- | --- | --- | --- |")
            for row in compare(arguments.source, target=arguments.target, chip=arguments.chip,
                               options=arguments.options, flags=flags):
                theirs = (f"{row.transposed.time_us:.1f}" + ", no change" * (not row.differs)
                          if row.transposed else row.problem.rpartition("error: ")[2])
                print(f"| `{row.kernel}` | {'x'.join(map(str, row.grid))} | {row.outcome} | "
                      f"{row.own.time_us:.1f} | {row.planned.time_us:.1f} | {theirs} |")
            return 0
        for one in compile(arguments.source, arguments.output, target=arguments.target,
                           chip=arguments.chip, options=arguments.options, flags=flags):
            print(f"{one.kernel}: {one.outcome} ({one.reason_code}): {one.reason}")
    except (IreeError, RemapError, OSError) as problem:
        print(f"swizzle.iree: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
