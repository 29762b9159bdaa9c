"""Instructions of the CPU's main kernels, counted by callgrind, beside those in counts.txt.

Counts do not depend on the machine's speed or load, so a change of some percent is a change of the
code. They hold for one compiler, Debian 12's g++ 12 with AVX2; with another nothing is compared. A
kernel that needs over 3 % more fails; one that needs less, or is new, is to be written down with
--write, and its reason in CHANGELOG.md.

usage: check.py BUILD_DIR [--write]
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = HERE / "counts.txt"
ALLOWED = 0.03
COMPILER = "12."


def count(program, kernel):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                "--collect-atstart=no",
                "--toggle-collect=measured*",
                str(program),
                kernel,
            ],
            capture_output=True,
            text=True,
        )
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected or int(collected[1]) == 0:
        sys.exit(f"FAILED instructions of {kernel}: nothing was counted\n{run.stderr[-2000:]}")
    return int(collected[1])


def stored():
    lines = (line.split() for line in COUNTS.read_text().splitlines() if not line.startswith("#"))
    return {name: int(number) for name, number in lines}


def why_not(program):
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True).stdout
    if not shutil.which("valgrind"):
        return "valgrind is not installed"
    if not program.exists():
        return f"{program} is not built"
    if not compiler.startswith(COMPILER):
        return f"counts are those of g++ {COMPILER}x, this is {compiler.strip()}"
    if "avx2" not in pathlib.Path("/proc/cpuinfo").read_text():
        return "this machine has no AVX2"
    return None


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    program = pathlib.Path(arguments[0], "bench_instructions")
    reason = why_not(program)
    if reason:
        print(f"SKIPPED instructions: {reason}")
        return 0
    kernels = subprocess.run(
        [str(program), "list"], capture_output=True, text=True, check=True
    ).stdout.split()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(kernels, pool.map(lambda kernel: count(program, kernel), kernels)))
    if "--write" in sys.argv:
        lines = "".join(f"{name} {number}\n" for name, number in sorted(counts.items()))
        COUNTS.write_text(f"# instructions of one call, by check.py\n{lines}")
        return 0
    known, failures = stored(), 0
    for name in sorted(known.keys() | counts.keys()):
        if name not in counts or name not in known:
            failures += 1
            where = "counts.txt" if name in known else "the program"
            print(f"FAILED instructions of {name}: only in {where}")
            continue
        change = counts[name] / known[name] - 1
        failures += change > ALLOWED
        verdict = "FAILED" if change > ALLOWED else "PASSED"
        print(f"{verdict} instructions of {name}: {counts[name]}, {100 * change:+.1f} %")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
