# Lowers, remaps and compiles benchmark kernels, original and remapped, for every
# target that they are written for. One line a kernel and target; any failure ends it.
#
#   compile_all.py SOURCE_DIR WORK_DIR SHARD/SHARDS
import json
import pathlib
import re
import subprocess
import sys

source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
shard, shards = map(int, sys.argv[3].split("/"))
sys.path.insert(0, str(source / "benchmarks/kernels"))
import lower  # noqa: E402

FORMULA = source / "test/Kernels/Inputs/super-group.swz"


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


for variant in lower.variants()[shard::shards]:
    folder = work / variant.name
    original, remapped = folder / "original.mlir", folder / "remapped.mlir"
    lower.lower(variant, original)
    text = original.read_text()
    forms = [original]
    if "known_grid_size" in text:
        # Groups of rows need rows.
        one_row = re.search(r"known_grid_size = array<i32: \d+, 1, 1>", text)
        options = 'formula="return gx - 1 - x"' if one_row else f"formula-file={FORMULA}"
        run("swizzle-opt", original, f"--hw-aware-swizzle={options}", "-o", remapped)
        if "swizzle.applied" not in remapped.read_text():
            sys.exit(f"failed: {variant.name} was not remapped")
        forms.append(remapped)
    for target in variant.targets:
        for form in forms:
            output = folder / f"{form.stem}.{target}"
            about = json.loads(run("swizzle-compile", form, f"--target={target}",
                                   "-o", output, "--json"))
            content = output.read_bytes()
            [kernel] = about["kernels"]
            assert about["size"] == len(content)
            if target.startswith("sm_"):
                assert f".entry {kernel['name']}(".encode() in content
                for word in (b".local", b".extern", b"call"):
                    assert word not in content, (variant.name, form.stem, word)
            else:
                assert content.startswith(b"\x7fELF")
                assert kernel["resources"]["vgpr_spills"] == 0
                assert kernel["resources"]["private_bytes"] == 0
        same = len(forms) == 1 or ((folder / f"original.{target}").read_bytes()
                                   != (folder / f"remapped.{target}").read_bytes())
        print(variant.name, target, len(forms), "ok" if same else "NOT REMAPPED")
