"""A check that cannot fail is none: plants a fault in a copy of the tree and expects the check to
name it.

usage: check.py
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "include/lamina/quant/f32.h"
UNDONE = "TO" + "DO"


def append(path, text):
    def plant(tree):
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text((target.read_text() if target.exists() else "") + text)

    return plant


def replace(path, old, new):
    def plant(tree):
        text = (tree / path).read_text()
        if old not in text:
            raise RuntimeError(f"{path} does not contain: {old}")
        (tree / path).write_text(text.replace(old, new))

    return plant


LONG_FUNCTION = "inline int f(int x) {\n" + "  x += 1;\n" * 60 + "  return x;\n}\n"
NEW_HEADER = "// A header.\n#pragma once\n"
PATCH = """# test: test_quant/f32*
# why: nothing
--- a/{0}
+++ b/{0}
@@ -1 +1 @@
-// nothing
+// else
"""
LAYERING = ["cmake", "-P", "tests/layering.cmake"]
STYLE = ["python3", "tests/style.py"]
MIRROR = ["python3", "tests/mirror.py"]
FAMILIES = ["python3", "tests/families.py"]
HEADERS = ["python3", "tests/headers/check.py", "quant/f32.h"]
PAIRS = ["python3", "tests/must_not_compile/check.py"]
MUTANTS = ["python3", "tests/mutants/run.py", "--check"]
CONSUMER = ["python3", "tests/consumer/check.py"]
BUDGET = ["python3", "bench/compile_time/table.py", "quant/f32.h"]
COMPILER = ["python3", "tests/compiler/check.py"]

# What is planted; the check; words of its complaint.
FAULTS = [
    (append(HEADER, '#include "lamina/model/batch.h"\n'), LAYERING, "quant may include only"),
    (append(HEADER, '#include "lamina/gguf/metadata.h"\n'), LAYERING, "quant may include only"),
    (append(HEADER, "#include <Eigen/Core>\n"), LAYERING, "Eigen belongs to"),
    (append(HEADER, "#include <fmt/format.h>\n"), LAYERING, "need the standard library alone"),
    (
        append("include/lamina/backend/cpu/x.h", '#include "lamina/backend/reference/backend.h"\n'),
        LAYERING,
        "backend/cpu may include only",
    ),
    (
        append("include/lamina/backend/x.h", '#include "lamina/backend/cuda/x.cuh"\n'),
        LAYERING,
        "only .cuh and .cu files may",
    ),
    (append(HEADER, '#include "format.h"\n'), LAYERING, "name their own library"),
    (append("include/lamina/new/x.h", NEW_HEADER), LAYERING, "does not know"),
    (append(HEADER, "// " + "x" * 98 + "\n"), STYLE, "101 columns"),
    (append(HEADER, LONG_FUNCTION), STYLE, "a function of 63 lines"),
    (append(HEADER, "//\n" * 400), STYLE, "at most 400"),
    (append("include/lamina/arch/x.h", NEW_HEADER + "//\n" * 39), STYLE, "41 lines; at most 40"),
    (append(HEADER, "#define X 1\n"), STYLE, "a macro outside"),
    (replace(HEADER, "#pragma once\n", ""), STYLE, "needs #pragma once"),
    (append(HEADER, f"// {UNDONE}: more\n"), STYLE, "work left undone"),
    (append("include/lamina/utils/x.h", NEW_HEADER), STYLE, "a folder named utils"),
    (append("include/lamina/core/x.h", "#pragma once\n"), STYLE, "the first line is a comment"),
    (append("include/lamina/core/x.h", NEW_HEADER), MIRROR, "lamina/core/x.h has no test"),
    (append("runtime/x.h", NEW_HEADER), MIRROR, "runtime/x.h has no test"),
    (append("include/lamina/new/x.h", NEW_HEADER), MIRROR, "does not draw include/lamina/new/"),
    (
        append(
            "include/lamina/arch/one.h",
            'struct Unique {\n  static constexpr std::string_view name = "u";\n};\n'
            "using A = Unique;\n",
        ),
        lambda tree: append("runtime/a.cpp", "Unique a;\n")(tree)
        or append("runtime/b.cpp", "Unique b;\n")(tree)
        or FAMILIES,
        "family Unique: named in",
    ),
    (
        append(HEADER, "inline std::vector<int> x() { return {}; }\n"),
        HEADERS,
        "does not compile alone",
    ),
    (
        append(HEADER, "inline int narrow(long x) { return x; }\n"),
        HEADERS,
        "does not compile alone",
    ),
    (
        replace("tests/must_not_compile/fast_math.cpp", "// expect: must", "// expect: may"),
        PAIRS,
        "does not say",
    ),
    (
        replace("include/lamina/core/config.h", "#if defined(__FAST_MATH__)", "#if 0"),
        PAIRS,
        "the wrong use compiles",
    ),
    (append("tests/mutants/planted.patch", PATCH.format(HEADER)), MUTANTS, "does not apply"),
    (append("include/lamina/ops/x.h", NEW_HEADER), MUTANTS, "ops/x.h: has no mutant"),
    (
        append("CMakeLists.txt", "target_compile_options(lamina INTERFACE -Wall)\n"),
        CONSUMER,
        "imposes on its consumers",
    ),
    (replace("tests/consumer/consumer.cpp", "== 3.0f", "== 4.0f"), CONSUMER, "FAILED find_package"),
    (
        append(
            HEADER,
            "#include <regex>\n#include <random>\n#include <filesystem>\n#include <future>\n"
            "#include <algorithm>\n#include <functional>\n#include <iostream>\n#include <map>\n"
            "template <int N> struct Deep : Deep<N - 1> { int x[N]; };\n"
            "template <> struct Deep<0> {};\ninline Deep<800> deep;\n",
        ),
        BUDGET,
        "the budget is 4x",
    ),
    (
        replace("include/lamina/attention/causal.h", "LAMINA_HD bool visible", "bool visible"),
        COMPILER,
        "device_hooks.cu with nvcc: does not compile",
    ),
    (
        append("include/lamina/attention/x.h", "static_assert(AttentionVariant<Other<>>);\n"),
        COMPILER,
        "no kernel with Other",
    ),
]


def copy(tree):
    names = ["include", "runtime", "tests", "examples", "bench", "cmake", "docs", "CMakeLists.txt"]
    for name in names:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.gguf", "*.npy")
            )
        else:
            shutil.copy(source, tree / name)


def complaint(plant, command):
    """What the check prints about the tree with the fault in it."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        copy(tree)
        plant(tree)
        result = subprocess.run(
            command(tree) if callable(command) else command,
            cwd=tree,
            capture_output=True,
            text=True,
        )
        return result.returncode, result.stdout + result.stderr


def main():
    failures = 0
    for number, (plant, command, words) in enumerate(FAULTS, 1):
        if command is COMPILER and "nvcc" in words and not shutil.which("nvcc"):
            print(f"SKIPPED fault {number} ({words}): no nvcc here")
            continue
        status, output = complaint(plant, command)
        noticed = status != 0 and words in output
        failures += not noticed
        print(
            (
                f"PASSED fault {number} is named ({words})"
                if noticed
                else f"{output[-2000:]}\nFAILED fault {number}: nobody says '{words}'"
            ),
            flush=True,
        )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
