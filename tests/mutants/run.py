"""Applies mutants one by one and expects the test each of them names to fail.

A mutant is a patch beside this file that changes one line so that a meaning is broken. It starts:
    # test: test_quant/q4_k*     the executable, and Boost.Test's name pattern for the cases
    # why: one sentence
The work is done in a copy of the tree under build/mutants; the tree itself is not touched.

usage: run.py [--check] [--rotate N] [NAME ...]
    --check     only see that each patch is well formed and applies, and that each unit has one
    --rotate N  N of them, other ones for each commit; by default all, or the named ones
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "mutants"
TREE, BUILD = WORK / "tree", WORK / "build"
PYTHON = ROOT / "build" / "venv" / "bin" / "python"
TIMEOUT = 600  # seconds; a mutant that never ends is caught too
# Every header of these folders has a mutant, save those that only declare a concept or a list.
UNITS = ["quant", "ops", "attention", "kv", "sample"]
DECLARATIONS = {
    "quant/formats.h",
    "sample/sampler.h",
    "kv/store.h",
    "attention/variant.h",
}


def run(command, **options):
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, errors="replace", **options
    )


def header(patch):
    """The executable and the pattern that a patch names."""
    text = patch.read_text()
    match = re.search(r"^# test: (test_\w+)/(\S.*)$", text, re.M)
    if not match or not re.search(r"^# why: \S", text, re.M):
        return None
    return match.group(1), match.group(2).strip()


def changed_lines(patch):
    lines = patch.read_text().splitlines()
    return [sum(line[:1] == sign and line[:3] != sign * 3 for line in lines) for sign in "-+"]


def touched(patches):
    return {
        path
        for patch in patches
        for path in re.findall(r"^\+\+\+ b/(\S+)", patch.read_text(), re.M)
    }


def check(patches):
    """Whether the patches are what they should be, without running any."""
    failures = []
    for patch in patches:
        if not header(patch):
            failures.append(
                (patch.stem, "must begin with `# test: executable/pattern` and `# why: ...`")
            )
        elif changed_lines(patch) not in ([1, 1], [1, 0], [0, 1]):
            failures.append((patch.stem, "changes more than one line"))
        else:
            applied = run(["git", "apply", "--check", patch], cwd=ROOT)
            if applied.returncode:
                failures.append(
                    (patch.stem, "does not apply: " + applied.stderr.strip().replace("\n", "; "))
                )
    there = touched(patches)
    for folder in UNITS:
        for path in sorted((ROOT / "include/lamina" / folder).glob("*.h")):
            name = path.relative_to(ROOT).as_posix()
            if name not in there and f"{folder}/{path.name}" not in DECLARATIONS:
                failures.append((name, "has no mutant"))
    for name, why in failures:
        print(f"FAILED mutant {name}: {why}")
    if not failures:
        print(f"PASSED {len(patches)} mutants are well formed")
    return not failures


def copy_tree():
    """Brings the copy up to date; unchanged files keep their time: little is built again."""
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT).stdout.splitlines()
    wanted = {name for name in listed if (ROOT / name).is_file()}
    for name in wanted:
        source, target = ROOT / name, TREE / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for path in [p for p in TREE.rglob("*") if p.is_file()]:
        if path.relative_to(TREE).as_posix() not in wanted:
            path.unlink()


def build(target):
    """The compiler's complaint; empty if there is none."""
    if not (BUILD / "build.ninja").exists():
        command = [
            "cmake",
            "-S",
            TREE,
            "-B",
            BUILD,
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
            "-DLAMINA_WARNINGS_AS_ERRORS=OFF",  # a mutant may leave a variable unused
        ]
        if shutil.which("ccache"):
            command.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        configured = run(command)
        if configured.returncode:
            return configured.stdout + configured.stderr
    built = run(["cmake", "--build", BUILD, "--target", target])
    return built.stdout + built.stderr if built.returncode else ""


def passes(executable, pattern):
    """Whether the named cases pass; None where the pattern names no case."""
    environment = {"LAMINA_DATA": str(ROOT.parent / "shared" / "data"), **os.environ}
    if PYTHON.exists():  # what ./dev test compares with
        environment.setdefault("LAMINA_PYTHON", str(PYTHON))
    command = [BUILD / "tests" / executable, f"--run_test={pattern}", "--catch_system_errors=no"]
    try:
        result = run(command, timeout=TIMEOUT, env=environment, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    said = result.stdout + result.stderr
    cases = re.search(r"^Running (\d+) test case", said, re.M)
    if not cases or len(re.findall(r"^SKIPPED ", said, re.M)) == int(cases[1]):
        return None
    return result.returncode == 0


def try_mutant(patch):
    """Why the mutant is not caught; empty if it is."""
    executable, pattern = header(patch)
    copy_tree()
    complaint = build(executable)
    if complaint:
        return f"{executable} does not build without it:\n{complaint}"
    before = passes(executable, pattern)
    if before is None:
        return f"{executable} has no test {pattern}, or skips it here"
    if not before:
        return f"{executable} --run_test='{pattern}' fails without it"
    applied = run(["git", "apply", f"--directory={TREE.relative_to(ROOT)}", patch], cwd=ROOT)
    if applied.returncode:
        return "does not apply: " + applied.stderr
    complaint = build(executable)
    if complaint:
        return f"does not compile:\n{complaint}"
    return (
        f"{executable} --run_test='{pattern}' does not notice it"
        if passes(executable, pattern)
        else ""
    )


def rotated(patches, count):
    """`count` patches, starting further on with each commit, so that all have their turn."""
    commits = int(run(["git", "rev-list", "--count", "HEAD"], cwd=ROOT).stdout or 0)
    start = commits * count % max(len(patches), 1)
    return sorted((patches[start:] + patches[:start])[:count])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--rotate", type=int)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    patches = sorted(HERE.glob("*.patch"))
    if arguments.check:
        return 0 if check(patches) else 1
    if arguments.names:
        patches = [HERE / f"{name.removesuffix('.patch')}.patch" for name in arguments.names]
    elif arguments.rotate:
        patches = rotated(patches, arguments.rotate)
    failures = 0
    for patch in patches:
        start = time.monotonic()
        why = try_mutant(patch) if header(patch) else "names no test"
        failures += bool(why)
        took = f"{time.monotonic() - start:.0f} s"
        print(
            (
                f"FAILED mutant {patch.stem}: {why}"
                if why
                else f"PASSED mutant {patch.stem} is caught ({took})"
            ),
            flush=True,
        )
    copy_tree()
    return 1 if failures or not patches else 0


if __name__ == "__main__":
    sys.exit(main())
