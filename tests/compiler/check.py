"""The idioms the library relies on compile: *.cpp with g++ and clang++, *.cu with nvcc, where they
are.

device_hooks.cu must also name every attention variant there is.

usage: check.py
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ["-I", str(ROOT / "include"), "-I", str(HERE)]


def compilers(suffix):
    """Name and command of each compiler for files of this kind; no command where it is absent."""
    if suffix == ".cu":
        nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
        flags = ["-std=c++20", "-arch=sm_80", "-Werror", "all-warnings", "-c", "-o", os.devnull]
        return [("nvcc", [nvcc, *flags] if nvcc else None)]
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsyntax-only"]
    return [
        (name, [shutil.which(name), *flags] if shutil.which(name) else None)
        for name in ("g++", "clang++")
    ]


def variants_not_in_a_kernel():
    unit = (HERE / "device_hooks.cu").read_text()
    for path in sorted((ROOT / "include/lamina/attention").glob("*.h")):
        for name in re.findall(
            r"^static_assert\((?:Attention|Sink)Variant<(\w+)", path.read_text(), re.M
        ):
            if not re.search(rf"launch_modify<[^;]*\b{name}\b", unit):
                yield f"device_hooks.cu has no kernel with {name} of attention/{path.name}"


def main():
    failures = 0
    for path in sorted([*HERE.glob("*.cpp"), *HERE.glob("*.cu")]):
        for name, command in compilers(path.suffix):
            if command is None:
                print(f"SKIPPED {path.name} with {name}: no {name} here")
                continue
            result = subprocess.run([*command, *INCLUDE, str(path)], capture_output=True, text=True)
            failures += result.returncode != 0
            print(
                (
                    f"{result.stderr}FAILED {path.name} with {name}: does not compile"
                    if result.returncode
                    else f"PASSED {path.name} with {name}"
                ),
                flush=True,
            )
    missing = sorted(set(variants_not_in_a_kernel()))
    for why in missing:
        print(f"FAILED device hooks: {why}")
    if not missing:
        print("PASSED device hooks name every variant")
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
