"""Wrong uses must be refused, in words the user can act on.

Each file beside this one is compiled twice: as it is, which must succeed, and with -DBAD, which
must fail with a message that contains the sentence of its `// expect: ...` line (several: all of
them). A line `// flags: ...` adds compiler flags to the second."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def compile(path, *flags):
    compiler = os.environ.get("CXX", "g++")
    return subprocess.run(
        [
            compiler,
            "-std=c++20",
            "-Wall",
            "-Wextra",
            "-fsyntax-only",
            "-I",
            str(ROOT / "include"),
            *flags,
            str(path),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
    )


def check(path):
    """What is wrong with the pair; empty if nothing is."""
    expected = re.findall(r"^// expect: (.*)$", path.read_text(), re.M)
    if not expected or not re.search(r"^(#ifdef BAD|// flags: )", path.read_text(), re.M):
        return "needs a line `// expect: sentence` and a part under `#ifdef BAD`"
    flags = " ".join(re.findall(r"^// flags: (.*)$", path.read_text(), re.M)).split()
    good, bad = compile(path), compile(path, "-DBAD", *flags)
    if good.returncode:
        return f"the right use does not compile:\n{good.stderr}"
    if not bad.returncode:
        return "the wrong use compiles"
    missing = [sentence for sentence in expected if sentence not in bad.stderr]
    return f"the message does not say: {missing[0]}\n{bad.stderr}" if missing else ""


def main():
    paths = sorted(HERE.glob("*.cpp"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, paths))
    for path, why in zip(paths, results):
        print(f"FAILED {path.stem}: {why}" if why else f"PASSED {path.stem}")
    return 1 if any(results) or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
