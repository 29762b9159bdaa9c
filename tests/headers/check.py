"""Each header compiles alone, and twice in one unit, with every warning an error.

usage: check.py [NAME ...]    NAME: a part of a header's path; by default all headers
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]


def include_flags():
    return ["-I", str(ROOT / "include"), "-I", str(ROOT)]


def nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def compile_alone(name):
    """The compiler's complaint about a unit that includes nothing but the header, or nothing."""
    unit = f'#include "{name}"\n#include "{name}"\n'
    if name.endswith(".cuh"):
        command = [nvcc(), "-std=c++20", "-arch=sm_80", "-x", "cu", "-c", "-o", os.devnull]
    else:
        compiler = os.environ.get("CXX", "g++")
        command = [
            compiler,
            "-std=c++20",
            "-ffp-contract=off",
            *WARNINGS,
            "-fsyntax-only",
            "-x",
            "c++",
        ]
    run = subprocess.run(
        command + include_flags() + ["-"], input=unit, capture_output=True, text=True
    )
    return run.stderr if run.returncode else ""


def main():
    headers = [
        p.relative_to(ROOT / base).as_posix()
        for folder, base in [("include", "include"), ("runtime", ".")]
        for suffix in ("h", "cuh")
        for p in sorted((ROOT / folder).rglob(f"*.{suffix}"))
    ]
    if sys.argv[1:]:
        headers = [name for name in headers if any(part in name for part in sys.argv[1:])]
    device = [name for name in headers if name.endswith(".cuh")]
    if device and not nvcc():
        for name in device:
            print(f"SKIPPED {name}: no nvcc here")
        headers = [name for name in headers if name not in device]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, complaint in zip(headers, pool.map(compile_alone, headers)):
            failures += bool(complaint)
            print(
                f"{complaint}FAILED {name}: does not compile alone"
                if complaint
                else f"PASSED {name}"
            )
    return 1 if failures or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
