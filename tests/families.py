"""A model family is named in its own file of include/lamina/arch, in one list and in one instance
only.

So that any family can be removed, and a new one added, without touching anything else. Comments and
string literals do not count: files and tokenizers spell family names of their own.

usage: families.py [ROOT]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if ROOT.is_dir() else ROOT.parent.parent
LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def code(path):
    """The file without comments, literals and includes."""
    return re.sub(r"^\s*#\s*include.*$", "", LITERALS.sub(" ", path.read_text()), flags=re.M)


def families():
    """Name of each architecture with the header that defines it: a struct with a `name`."""
    for path in sorted((ROOT / "include/lamina/arch").glob("*.h")):
        for match in re.finditer(r"^struct (\w+)[^;]*?\bname = \"", path.read_text(), re.M):
            yield match.group(1), path


def main():
    sources = {
        path: code(path)
        for folder in ("include", "runtime")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".h", ".cpp", ".cuh", ".cu"}
    }
    failures = 0
    for name, home in families():
        users = [p for p, text in sources.items() if p != home and re.search(rf"\b{name}\b", text)]
        instances = [p for p in users if p.parent.name == "instances"]
        lists = [p for p in users if p.parent.name != "instances"]
        if len(instances) <= 1 and len(lists) <= 1:
            print(f"PASSED family {name}")
            continue
        failures += 1
        where = ", ".join(str(p.relative_to(ROOT)) for p in users)
        print(f"FAILED family {name}: named in {where}; one list and one instance are allowed")
    if not list(families()):
        print("SKIPPED families: include/lamina/arch defines no architecture")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
