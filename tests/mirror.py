"""Each header has its test, and the tree is as drawn.

- include/lamina/a/b.h has tests/a/b.cpp, which includes it; runtime/a/b.h tests/runtime/a/b.cpp.
  A header too small for a file of its own is named in the test that covers it, on a line
  `// Covers lamina/a/b.h.`
- The folders drawn in docs/tour.md are the folders there are.

usage: mirror.py [ROOT]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if ROOT.is_dir() else ROOT.parent.parent
# Headers of macros and declarations only: there is nothing to run in them.
NOTHING_TO_TEST = {"lamina/core/config.h", "lamina/core/types.h", "lamina/model/batch.h"}


def headers():
    """Each header with the name that includes it and the test that mirrors it."""
    for folder, base, tests in [("include", "include", "tests"), ("runtime", ".", "tests")]:
        for suffix in ("h", "cuh"):
            for path in sorted((ROOT / folder).rglob(f"*.{suffix}")):
                name = path.relative_to(ROOT / base).as_posix()
                inner = name.removeprefix("lamina/")
                yield name, ROOT / tests / pathlib.Path(inner).with_suffix(".cpp")


def untested():
    covered = set()
    for test in (ROOT / "tests").rglob("*.cpp"):
        for line in re.findall(r"^// Covers (.*)$", test.read_text(), re.M):
            covered.update(re.findall(r"[\w/]+\.c?u?h\b", line))
    for name, test in headers():
        if name in NOTHING_TO_TEST or name in covered:
            continue
        if not test.exists():
            yield (
                f"{name} has no test: write {test.relative_to(ROOT)}, "
                f"or say `// Covers {name}.` in another"
            )
        elif f'#include "{name}"' not in test.read_text():
            yield f"{test.relative_to(ROOT)} does not include {name}, which it should test"


def folders(top):
    """The folders below `top` that hold a file, as paths relative to the root."""
    found = set()
    for path in (ROOT / top).rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            found.update(
                p.relative_to(ROOT).as_posix()
                for p in path.parents
                if p != ROOT and ROOT in p.parents
            )
    return found


def drawn(tour):
    """The folders of the first ```tree block: one a line, ending in a slash, two blanks a level."""
    block = re.search(r"^```tree\n(.*?)^```", tour, re.S | re.M)
    result, stack = set(), []
    for line in block.group(1).splitlines() if block else []:
        match = re.match(r"( *)([\w./-]+)/(?:\s|$)", line)
        if match:
            stack = stack[: len(match.group(1)) // 2] + [match.group(2)]
            result.add("/".join(stack))
    return result


def wrongly_drawn():
    tour = ROOT / "docs" / "tour.md"
    in_tour = drawn(tour.read_text()) if tour.exists() else set()
    there = (
        folders("include/lamina")
        | folders("runtime")
        | {
            p.name
            for p in ROOT.iterdir()
            if p.is_dir() and p.name[0] != "." and p.name != "build" and folders(p.name)
        }
    )
    there.discard("include")
    yield from (f"docs/tour.md does not draw {folder}/" for folder in sorted(there - in_tour))
    yield from (
        f"docs/tour.md draws {folder}/, which is not there" for folder in sorted(in_tour - there)
    )


def main():
    failures = 0
    for what, complaints in [
        ("tests of headers", untested()),
        ("tree of docs/tour.md", wrongly_drawn()),
    ]:
        wrong = list(complaints)
        failures += len(wrong)
        for why in wrong:
            print(f"FAILED {what}: {why}")
        if not wrong:
            print(f"PASSED {what}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
