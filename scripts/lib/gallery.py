# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the gallery of the catalogue: FOLDER/gallery.md, and FOLDER/gallery/NAME.svg
for each family, drawn by swizzle-formula on a small grid and a small chip.

gallery.py BIN FOLDER        BIN holds swizzle-formula; docs/ is the folder of the tree

test/Reference/gallery.test compares what this writes with what is committed.
"""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

#: A made-up chip that is small enough to be seen: four dies with four compute units.
CHIP = ["--hw=num_xcds=4", "--hw=cus_per_xcd=4", "--hw=num_cus=16", "--hw=l2_bytes=1048576"]
#: Families that deal out the third axis as well.
DEEP = "8x4x4"
FLAT = "16x8"

HEAD = """# Gallery of the catalogue

<!-- Generated: scripts/lib/gallery.py. Do not edit. -->

Every family of the catalogue on a made-up chip of four dies with four compute units each,
which deals out workgroups in turn. Left is the order as the hardware has it, right is the
order under the formula; above, the colour says which die computes a tile, below, when (dark
first). Use a family by its name: `formula=@hilbert` of the pass, `--formula=@hilbert` of
the tools; [the language](formula-language.md) says what the formulas mean, [adding a
family](adding-a-family.md) how to add yours. To draw one on your own grid and chip:

```sh
swizzle-formula --formula=@xcd-balanced --grid=64x64 --chip=mi300x --draw=order.svg
```

"""


def run(tool: pathlib.Path, *arguments: str) -> str:
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout


def grid_of(family: dict[str, str]) -> str:
    """The third axis where the formula uses it for more than to hand it on."""
    return DEEP if family["name"].startswith("split-k") else FLAT


def settings(family: dict[str, str]) -> list[str]:
    """A value for each parameter: 4 where that is one, else the smallest above 1."""
    chosen = []
    for name, values in re.findall(r"^param (\w+) in \{(.*)\}$", family["formula"], re.MULTILINE):
        numbers = sorted(int(value) for value in values.split(","))
        larger = [number for number in numbers if number > 1] or numbers
        chosen.append(f"--set={name}={4 if 4 in numbers else larger[0]}")
    return chosen


def main(binaries: str, target: str) -> None:
    tool, folder = pathlib.Path(binaries) / "swizzle-formula", pathlib.Path(target)
    (folder / "gallery").mkdir(parents=True, exist_ok=True)
    page = HEAD
    for family in json.loads(run(tool, "--list", "--json"))["families"]:
        name = family["name"]
        chosen = settings(family)
        run(tool, f"--formula=@{name}", f"--grid={grid_of(family)}", *CHIP, *chosen,
            f"--draw={folder / 'gallery' / name}.svg")
        page += f"## @{name}\n\n{family['summary']}"
        if family["legal_when"] != "1":
            page += f" Legal when `{family['legal_when']}`."
        shown = ", ".join(one.removeprefix("--set=").replace("=", " = ") for one in chosen)
        page += f"\n\n```\n{family['formula'].strip()}\n```\n\n"
        page += f"![{name} on a grid of {grid_of(family)}{', ' + shown if shown else ''}]" \
                f"(gallery/{name}.svg)\n\n"
    (folder / "gallery.md").write_text(page.rstrip() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
