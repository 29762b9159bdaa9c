"""Units compiled for an instruction set export no weak symbol outside their own namespace.

An inline function that such a unit emits under a shared name could be the copy the linker keeps for
the whole program, and then the program dies on processors without that instruction set. Those units
are runtime/**/isa_*.cpp. Their code lives in lamina::isa_<name>, or is a template of what lives
there: no other unit has symbols of that name.

usage: check.py BUILD_DIR
"""

import pathlib
import re
import subprocess
import sys
import tempfile

OWN = re.compile(r"\blamina::isa_\w+::")


def shared_symbols(obj):
    """The weak and unique symbols of an object outside the instruction sets' namespaces."""
    listing = subprocess.run(
        ["nm", "--demangle", "--defined-only", str(obj)], capture_output=True, text=True, check=True
    )
    symbols = (
        line.split(maxsplit=2)
        for line in listing.stdout.splitlines()
        if len(line.split(maxsplit=2)) == 3
    )
    for _, kind, name in symbols:
        if kind in "WVu" and not OWN.search(name):
            yield name


def compiled(source, folder, name):
    unit, obj = pathlib.Path(folder, name + ".cpp"), pathlib.Path(folder, name + ".o")
    unit.write_text(source)
    subprocess.run(["g++", "-std=c++20", "-O0", "-c", str(unit), "-o", str(obj)], check=True)
    return obj


def check_itself():
    """The check sees a leaked inline function, and nothing in a clean unit."""
    with tempfile.TemporaryDirectory() as folder:
        leaky = compiled(
            "inline int f(int x) { return x; }\n"
            "namespace lamina::isa_avx2 { int g(int x) { return f(x); } }",
            folder,
            "leaky",
        )
        clean = compiled(
            "namespace lamina::isa_avx2 { template <class T> T f(T x) { return x; }\n"
            "inline int h() { return 1; }  int g(int x) { return f(x) + h(); } struct S {}; }\n"
            "namespace lamina { template <class T> int k(T) { return 2; } }\n"
            "namespace lamina::isa_avx2 { int m() { return k(S{}); } }",
            folder,
            "clean",
        )
        return list(shared_symbols(leaky)) == ["f(int)"] and list(shared_symbols(clean)) == []


def main():
    failures = 0 if check_itself() else 1
    print(
        "FAILED weak symbols: the check does not see what it should"
        if failures
        else "PASSED weak symbols of a leaky and of a clean unit"
    )
    objects = sorted(
        pathlib.Path(sys.argv[1]).glob("CMakeFiles/lamina_runtime.dir/runtime/**/isa_*.cpp.o")
    )
    if not objects:
        print("SKIPPED weak symbols of ISA units: there is no unit runtime/**/isa_*.cpp")
    for obj in objects:
        leaked = list(shared_symbols(obj))
        failures += bool(leaked)
        print(
            f"FAILED {obj.name}: shares {', '.join(leaked[:5])}" if leaked else f"PASSED {obj.name}"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
