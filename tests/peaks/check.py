"""The loops that measure what a processor does at most touch no memory.

lamina/backend/cpu/panel/peak.h: with an operand in memory a loop measures loads, and every share of
the limit that `bench` prints is too high. Those loops are in the units runtime/**/isa_*.cpp.

usage: check.py BUILD_DIR     of an optimized build
"""

import pathlib
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")
PEAK = re.compile(r"\b(fma|dot|tiles)_at_peak\b")


def functions(obj):
    """The name and the instructions (address, name, operands) of each function of an object."""
    listing = subprocess.run(
        ["objdump", "-d", "--demangle", "--no-show-raw-insn", str(obj)],
        capture_output=True,
        text=True,
        check=True,
    )
    name, body = None, []
    for line in [*listing.stdout.splitlines(), "0 <>:"]:
        if begin := FUNCTION.match(line):
            if name:
                yield name, body
            name, body = begin[1], []
        elif found := INSTRUCTION.match(line):
            body.append((int(found[1], 16), found[2], found[3]))


def loops(body):
    """The instructions of each loop: from where a jump leads back to, to the jump."""
    for at, name, operands in body:
        target = re.match(r"([0-9a-f]+) ", operands + " ")
        if name.startswith("j") and target and int(target[1], 16) < at:
            yield [one for one in body if int(target[1], 16) <= one[0] <= at]


def touches_memory(loop):
    """Instructions with an operand as 8(%rax); those of lea and nop only look so."""
    return [f"{n} {o}" for _, n, o in loop if "(%" in o and not n.startswith(("lea", "nop"))]


def check(obj):
    """How many peak functions with loops an object has, and what is wrong with them."""
    count, wrong = 0, []
    for name, body in functions(obj):
        if not PEAK.search(name):
            continue
        first = next(loops(body), None)  # a second one adds up what tiles held
        if first is None:
            continue  # dot_at_peak of a set with tiles calls tiles_at_peak
        count += 1
        if found := touches_memory(first):
            wrong.append(f"{name}: {found[0]}; expected registers only")
    return count, wrong


def check_itself():
    """The check sees an operand in memory, and nothing in a loop of registers."""
    source = """
    void {name}_at_peak(float* x, long n) {{
      float sum = *x, y = x[1];
      for (long i = 0; i < n; ++i) {{ asm volatile("" : "+{where}"(y)); sum += y; }}
      *x = sum;
    }}"""
    with tempfile.TemporaryDirectory() as folder:
        unit, obj = pathlib.Path(folder, "loops.cpp"), pathlib.Path(folder, "loops.o")
        # x means a register on the processors that have isa_*.cpp units today.
        unit.write_text(source.format(name="fma", where="m") + source.format(name="dot", where="x"))
        subprocess.run(["g++", "-O2", "-c", str(unit), "-o", str(obj)], check=True)
        count, wrong = check(obj)
        return count == 2 and len(wrong) == 1 and wrong[0].startswith("fma_at_peak")


def main():
    objects = sorted(
        pathlib.Path(sys.argv[1]).glob("CMakeFiles/lamina_runtime.dir/runtime/**/isa_*.cpp.o")
    )
    if not objects:
        print("SKIPPED loops of peak kernels: there is no unit runtime/**/isa_*.cpp")
        return 0
    failures = 0 if check_itself() else 1
    print(
        "FAILED loops: the check does not see what it should"
        if failures
        else "PASSED loops with and without an operand in memory"
    )
    for obj in objects:
        count, wrong = check(obj)
        if count < 2:
            wrong.append(f"{count} loops of peak kernels found; expected 2 or more")
        failures += bool(wrong)
        print(f"FAILED {obj.name}: {'; '.join(wrong)}" if wrong else f"PASSED {obj.name}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
