# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs materialised remaps on the CPU, after LLVM's O3, against Python.

The formula language is spelled like Python, so Python itself is the oracle. The
formulas divide by numbers that are zero for some workgroups, on the side of a
conditional that those workgroups do not take: code that divides anyway traps
here. Everything that `mlir-runner` returns is one hash of all new ids.
"""
import random
import re
import subprocess
import sys

MASK = (1 << 64) - 1
GRIDS = [(7, 9), (64, 64), (96, 61), (1, 13), (61, 1), (16, 32)]
TEMPLATES = [
    "r = y % {c}; k = (y * {b} + {a}) // r if r else y; "
    "return (x + k) % gx, y",
    "r = y % {c} * (y + {a}); k = y * {b} // r if r else y; "
    "return (x + k) % gx, y",
    "r = (x ^ {a}) % {c}; k = (x + {b}) % r if r else x; "
    "return x, (y + k) % gy",
    "r = y // {c} - {a}; k = (y * {b}) // r if r > 0 else y; "
    "return (x + k) % gx, y",
    "r = x % {c} - 1; s = (x + {b}) // r if r else x; "
    "return x, (y + s) % gy",
    "r = min(gy - y // {c} * {c}, {c}) - 1; k = y // r if r and y else y; "
    "return (x + k) % gx, y",
]


def evaluate(text, grid):
    """Hash of the new ids of all workgroups, by Python."""
    *statements, result = [part.strip() for part in text.split(";")]
    code = compile("\n".join(statements), "formula", "exec")
    value = compile(result.replace("return ", "", 1), "formula", "eval")
    total = 0
    for y in range(grid[1]):
        for x in range(grid[0]):
            names = {"x": x, "y": y, "gx": grid[0], "gy": grid[1],
                     "min": min}
            exec(code, names)
            new_x, new_y = eval(value, names)
            total = (total * 31 + new_y * grid[0] + new_x) & MASK
    return total


def functions(number, text, grid):
    """A remap, and the hash of its new ids."""
    return f"""
func.func @remap{number}(%x: index, %y: index, %z: index) -> (index, index) {{
  %r:3 = swizzle.remap (%x, %y, %z) grid [{grid[0]}, {grid[1]}, 1]
      #swizzle.formula<"{text}", params = {{}}, hardware = {{}}>
  return %r#0, %r#1 : index, index
}}
func.func @hash{number}() -> i64 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : i64
  %gx = arith.constant {grid[0]} : index
  %gy = arith.constant {grid[1]} : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %y = %c0 to %gy step %c1 iter_args(%outer = %zero) -> i64 {{
    %row = scf.for %x = %c0 to %gx step %c1 iter_args(%s = %outer) -> i64 {{
      %n:2 = func.call @remap{number}(%x, %y, %c0) : (index, index, index) -> (index, index)
      %a = arith.muli %n#1, %gx : index
      %b = arith.addi %a, %n#0 : index
      %id = arith.index_cast %b : index to i64
      %t = arith.muli %s, %c31 : i64
      %u = arith.addi %t, %id : i64
      scf.yield %u : i64
    }}
    scf.yield %row : i64
  }}
  return %sum : i64
}}
"""


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with {done.returncode}:\n"
                 f"{done.stderr[-3000:]}\n{text}")
    return done.stdout


def main():
    seeds = random.Random(5)
    text, calls, expected = "", "", 0
    cases = [(template, grid) for template in TEMPLATES for grid in GRIDS]
    for number, (template, grid) in enumerate(cases):
        formula = template.format(a=seeds.randint(1, 3), b=seeds.randint(1, 9),
                                  c=seeds.randint(2, 12))
        text += functions(number, formula, grid)
        expected = (expected * 1000003 + evaluate(formula, grid)) & MASK
        calls += f"""
  %h{number} = func.call @hash{number}() : () -> i64
  %m{number} = arith.muli %t{number}, %factor : i64
  %t{number + 1} = arith.addi %m{number}, %h{number} : i64"""
    text += f"""
func.func @main() -> i64 {{
  %factor = arith.constant 1000003 : i64
  %t0 = arith.constant 0 : i64{calls}
  return %t{len(cases)} : i64
}}
"""
    lowered = run(["swizzle-opt", "--swizzle-materialize",
                   "--convert-scf-to-cf", "--convert-to-llvm",
                   "--reconcile-unrealized-casts"], text)
    lowered = re.sub(r" attributes \{swizzle\.applied.*\} \{$", " {", lowered,
                     flags=re.M)
    printed = int(run(["mlir-runner", "-O3", "-e", "main",
                       "--entry-point-result=i64"], lowered))
    if printed & MASK != expected:
        sys.exit(f"hash {printed & MASK} instead of {expected}")
    print(f"{len(cases)} formulas agree")


main()
