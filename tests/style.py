"""Sizes and habits that every file keeps: lengths, columns, first lines, macros, folders, words.

usage: style.py [ROOT]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if ROOT.is_dir() else ROOT.parent.parent

FOLDERS = ["include", "runtime", "tests", "examples", "bench", "cmake", "docs", ".ci"]
CODE = {".h", ".cuh", ".cpp", ".cu"}
SCRIPTS = {".py", ".sh", ".cmake", ""}
LINES, FUNCTION_LINES, COLUMNS, ARCH_LINES = 400, 60, 100, 40
FORBIDDEN_FOLDERS = {"utils", "util", "common", "helpers", "helper", "detail", "misc"}
# Words that have no place in a finished file; written so that this file does not match itself.
FORBIDDEN_WORDS = {
    r"\bTO[D]O\b|\bFIXM[E]\b|\bXX[X]\b": "work left undone is done, or written down in docs/",
    r"(?<![\w.])/(wor[k]|roo[t]|hom[e]|op[t])/": "a path of one machine",
    r"\b(pyp[i]\.org|pythonhoste[d]|deb\.debia[n])": "a registry's address: tools know it",
}
NOT_A_FUNCTION = re.compile(
    r"^(?:if|for|while|switch|catch|do|else|try|namespace|class|struct|enum|union|extern|concept)\b"
    r"|\boperator\b\s*$"
)

NOT_OF_THE_HEAD = re.compile(
    r"^\s*(?:(?:public|private|protected)\s*:|#[^\n]*\n|template\s*<[^{};]*>\s*(?=\w))*\s*"
)
LITERALS = re.compile(
    r"//[^\n]*|/\*.*?\*/" r'|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"' r"|(?<!\w)'(?:\\.|[^'\\\n])+'",
    re.S,
)


def strip(text):
    """The code with comments, literals, directives and Boost.Test's suites blanked, line breaks
    kept."""
    code = LITERALS.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    code = re.sub(r"^[ \t]*#[^\n]*$", ";", code, flags=re.M)
    return re.sub(r"^BOOST_\w*SUITE\w*\([^\n]*\)$", ";", code, flags=re.M)


def matching_brace(code, start):
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] == "{") - (code[i] == "}")
        if depth == 0:
            return i
    return len(code)


def functions(code):
    """First and last line of each function with its signature; a lambda belongs to its function."""
    boundary = i = 0
    while i < len(code):
        if code[i] == "{":
            head = NOT_OF_THE_HEAD.sub("", code[boundary:i])
            end = matching_brace(code, i)
            if re.search(
                r"\)\s*(?:noexcept\s*)?:[^:;][^;]*[\w>]\s*$", head
            ) and not head.rstrip().endswith("const"):
                i = end + 1  # a member initialiser: a_{x}
                continue
            if (
                "(" in head
                and not NOT_A_FUNCTION.search(head.strip())
                and "=" not in head.split("(")[0]
            ):
                start = boundary + len(code[boundary:i]) - len(code[boundary:i].lstrip())
                yield code.count("\n", 0, start) + 1, code.count("\n", 0, end) + 1
                i = end
            boundary = i + 1
        elif code[i] in ";}":
            boundary = i + 1
        i += 1


def check_code(path, text, lines):
    comment = "// "
    if not lines or not lines[0].startswith(comment):
        yield 1, "the first line is a comment: one sentence that says what the file is"
    if path.suffix in {".h", ".cuh"} and "#pragma once" not in lines:
        yield 1, "a header needs #pragma once"
    for first, last in functions(strip(text)):
        if last - first >= FUNCTION_LINES:
            yield first, f"a function of {last - first + 1} lines; at most {FUNCTION_LINES}"
    if path.parts[0] == "include" and path.name != "config.h":
        for i, line in enumerate(lines, 1):
            if re.match(r"\s*#\s*define\b", line):
                yield i, "a macro outside core/config.h"


def check(path):
    """Line and complaint, for everything wrong with the file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.splitlines()
    limit = ARCH_LINES if path.parts[:3] == ("include", "lamina", "arch") else LINES
    if len(lines) > limit:
        yield limit, f"{len(lines)} lines; at most {limit}"
    for folder in FORBIDDEN_FOLDERS.intersection(path.parts[:-1]):
        yield 1, f"a folder named {folder} says nothing of what is in it"
    for i, line in enumerate(lines, 1):
        if len(line) > COLUMNS and path.suffix in CODE | SCRIPTS:
            yield i, f"{len(line)} columns; at most {COLUMNS}"
        for pattern, why in FORBIDDEN_WORDS.items():
            if re.search(pattern, line):
                yield i, f"{why}: {line.strip()}"
    if path.suffix in CODE:
        yield from check_code(path, text, lines)


def files():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if (
                path.is_file()
                and "__pycache__" not in path.parts
                and path.suffix in CODE | SCRIPTS | {".md", ".txt", ".json"}
            ):
                yield path.relative_to(ROOT)
    for name in [
        "CMakeLists.txt",
        "CMakePresets.json",
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "dev",
    ]:
        if (ROOT / name).exists():
            yield pathlib.Path(name)


def main():
    count, failures = 0, 0
    for path in files():
        if path.parts[:2] == ("tests", "goldens") and path.suffix == ".json":
            continue  # data
        count += 1
        for line, why in check(path):
            failures += 1
            print(f"FAILED style {path}, line {line}: {why}")
    if failures == 0 and count:
        print(f"PASSED style of {count} files")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
