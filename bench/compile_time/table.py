"""What the headers and the model units cost to compile, as multiples of a unit that includes
<vector> <string> <span> <array>; over budget fails.

Machines differ, so the baseline is compiled in the same run. Figures are CPU seconds (user +
system) of the compiler, the smallest of the runs made: one where that is well inside the budget,
else up to five.

usage: table.py [--markdown] [NAME ...]    NAME: a part of a path; by default everything
"""

import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER_BUDGET, UNIT_BUDGET, KERNEL_BUDGET = 4.0, 12.0, 80.0  # multiples of the baseline
# As CMakeLists.txt has them, for the processors that have such units.
AVX2 = ["-mavx2", "-mfma", "-mf16c"]
AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni"]
ISA_FLAGS_OF = {
    "x86_64": {
        "isa_avx2": AVX2,
        "isa_avxvnni": [*AVX2, "-mavxvnni"],
        "isa_avx512": [*AVX2, *AVX512],
        "isa_amx": [*AVX2, *AVX512, "-mamx-tile", "-mamx-int8"],
    },
    "aarch64": {"isa_neon": ["-march=armv8.2-a+dotprod"]},
}
ISA_FLAGS = ISA_FLAGS_OF.get(platform.machine(), {})
OF_OTHERS = {unit for units in ISA_FLAGS_OF.values() for unit in units} - set(ISA_FLAGS)
EXCEPTIONS = {
    "lamina/backend/cpu/backend.h": 4.5,  # a whole backend: threads, panels, attention
}
RUNS = 5


def flags():
    return ["-std=c++20", "-ffp-contract=off", "-I", str(ROOT / "include"), "-I", str(ROOT)]


def cpu_seconds(unit, options):
    """CPU seconds of one compilation of the file `unit`."""
    with tempfile.NamedTemporaryFile(suffix=".o") as result:
        command = [
            os.environ.get("CXX", "g++"),
            *flags(),
            *options,
            "-c",
            str(unit),
            "-o",
            result.name,
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"FAILED compile time of {unit}: it does not compile\n{complaint}")
    return usage.ru_utime + usage.ru_stime


def smallest(unit, options, comfortable):
    """The smallest of the runs; no more of them than it takes to be below `comfortable`."""
    best = cpu_seconds(unit, options)
    for _ in range(RUNS - 1):
        if best <= comfortable:
            break
        best = min(best, cpu_seconds(unit, options))
    return best


def again_in_turns(unit, options, reference):
    """The multiple once more, both compiled in turns: a busy spell then meets both."""
    pairs = [(cpu_seconds(unit, options), cpu_seconds(reference, ["-O0"])) for _ in range(RUNS)]
    return min(pair[0] for pair in pairs) / min(pair[1] for pair in pairs)


def measured():
    """Name, file, compiler options and budget of everything the table lists."""
    for path in sorted((ROOT / "include").rglob("*.h")):
        name = path.relative_to(ROOT / "include").as_posix()
        yield name, f'#include "{name}"\n', ["-O0"], EXCEPTIONS.get(name, HEADER_BUDGET)
    for path in sorted((ROOT / "runtime/instances").rglob("*.cpp")):
        name = path.relative_to(ROOT).as_posix()
        if path.stem in OF_OTHERS:
            continue
        # As CMakeLists.txt compiles them: graphs with -O1, all else with -O3.
        level = "-O1" if path.parent.name == "instances" else "-O3"
        options = [level, "-DNDEBUG", *ISA_FLAGS.get(path.stem, [])]
        kernels = path.stem in ISA_FLAGS or path.stem == "kernels"  # of every format
        yield name, f'#include "{name}"\n', options, KERNEL_BUDGET if kernels else UNIT_BUDGET


def main():
    markdown = "--markdown" in sys.argv
    wanted = [a for a in sys.argv[1:] if a != "--markdown"]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        unit, reference = pathlib.Path(folder, "unit.cpp"), pathlib.Path(folder, "reference.cpp")
        reference.write_text(
            "".join(f"#include <{name}>\n" for name in ("vector", "string", "span", "array"))
        )
        baseline = smallest(reference, ["-O0"], 0)
        print(f"baseline: {baseline:.3f} s")
        if markdown:
            print("| file | multiple | budget |\n|---|---|---|")
        for name, text, options, budget in measured():
            if wanted and not any(part in name for part in wanted):
                continue
            unit.write_text(text)
            multiple = smallest(unit, options, 0.75 * budget * baseline) / baseline
            if multiple > budget:
                multiple = min(multiple, again_in_turns(unit, options, reference))
            row = f"| `{name}` | {multiple:.1f}x | {budget:.0f}x |"
            failures += multiple > budget
            if markdown:
                print(row, flush=True)
            elif multiple > budget:
                print(
                    f"FAILED compile time of {name}: {multiple:.1f}x; the budget is {budget:.0f}x",
                    flush=True,
                )
            else:
                print(
                    f"PASSED compile time of {name:40} {multiple:5.1f}x of {budget:2.0f}x",
                    flush=True,
                )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
