"""Kernels for ARM: cross-compiled with Debian's g++-aarch64-linux-gnu, run by qemu-aarch64.

Runs the tests of all instruction sets on a processor with dot products, where those of NEON are
chosen, and on one without, where the portable ones are and nothing may be an illegal instruction.

usage: check.py
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "cross"
COMPILER = "aarch64-linux-gnu-g++"
EMULATOR = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
FLAGS = (
    "-std=gnu++20 -O2 -DNDEBUG -ffp-contract=off -Wall -Wextra -Wconversion -Werror "
    "-DLAMINA_SOURCE_DIR=\".\" -DLAMINA_BINARY_DIR=\".\" -I. -Itests -Iinclude"
).split()
NEON = ("-O3", "-march=armv8.2-a+dotprod")  # as CMakeLists.txt has them
HEADERS = {"boost": "/usr/include/boost", "Eigen": "/usr/include/eigen3/Eigen"}


class Failed(Exception):
    pass


def run(*command, **environment):
    result = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        env=os.environ | environment,
    )
    if result.returncode:
        raise Failed(f"{' '.join(str(part) for part in command)}\n{result.stdout}{result.stderr}")


def sources():
    yield from (ROOT / "tests" / "runtime" / "instances" / "isa").glob("*.cpp")
    yield ROOT / "runtime" / "instances" / "shared" / "kernels.cpp"
    yield ROOT / "runtime" / "instances" / "isa" / "isa_neon.cpp"
    yield HERE / "neon.cpp"


def compile_unit(source):
    target = WORK / f"{source.stem}.o"
    more = NEON if source.stem == "isa_neon" else ()
    run(COMPILER, *FLAGS, *more, "-isystem", WORK / "include", "-c", source, "-o", target)
    return target


def build():
    """Headers that hold for any processor are taken from the host's folders."""
    (WORK / "include").mkdir(parents=True, exist_ok=True)
    for name, folder in HEADERS.items():
        link = WORK / "include" / name
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        objects = list(threads.map(compile_unit, sources()))
    run(COMPILER, *objects, "-o", WORK / "tests", "-pthread")


def with_dot_products():
    run(*EMULATOR, "-cpu", "max", WORK / "tests", LAMINA_EXPECTED_ISA="neon")


def without_dot_products():
    run(*EMULATOR, "-cpu", "cortex-a53", WORK / "tests", LAMINA_EXPECTED_ISA="portable")


def main():
    for step in (build, with_dot_products, without_dot_products):
        try:
            step()
            print(f"PASSED {step.__name__}", flush=True)
        except (Failed, OSError) as error:
            print(f"FAILED {step.__name__}: {error}", flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
