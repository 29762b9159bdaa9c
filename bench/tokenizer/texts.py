"""Documents of natural text from what a Debian system has on its disk: English, Chinese, code.

No line occurs twice, so that nothing is gained by remembering pieces of text longer than words.
"""

import gettext
import gzip
import pathlib
import re

DOCUMENT = 64 << 10  # bytes


def man_pages():
    """The running text of manual pages, without the requests and escapes of roff."""
    for path in sorted(pathlib.Path("/usr/share/man").glob("man[1-8]/*.gz")):
        for line in gzip.open(path, "rt", encoding="utf-8", errors="ignore"):
            if line[0] not in ".'\\":
                yield re.sub(r"\\f\[?\w*\]?|\\&|\\c", "", line).replace("\\-", "-")


def documentation():
    root = pathlib.Path("/usr/share/doc")
    for path in sorted([*root.rglob("*.txt"), *root.rglob("README*"), *root.rglob("NEWS*")]):
        if path.is_file():
            opened = gzip.open if path.suffix == ".gz" else open
            yield from opened(path, "rt", encoding="utf-8", errors="ignore")


def chinese_messages():
    for language in ("zh_CN", "zh_TW"):
        folder = pathlib.Path("/usr/share/locale") / language / "LC_MESSAGES"
        for path in sorted(folder.glob("*.mo")):
            with open(path, "rb") as file:
                for message in gettext.GNUTranslations(file)._catalog.values():
                    yield from message.splitlines(keepends=True)


def python_code():
    for root in sorted(pathlib.Path("/usr/lib").glob("python3*")):
        for path in sorted(root.rglob("*.py")):
            yield from open(path, encoding="utf-8", errors="ignore")


def chinese(line):
    return len(line) > 16 and sum("\u4e00" <= c < "\ua000" for c in line) * 2 > len(line)


def english(line):
    return line.isascii() and len(line) > 40


LANGUAGES = {
    "English": ((man_pages, documentation), english),
    "Chinese": ((chinese_messages,), chinese),
    "code": ((python_code,), lambda line: True),
}


def documents(lines, wanted, count):
    """`count` documents of DOCUMENT bytes each, or as many as there are."""
    seen, made, current = set(), [], ""
    for line in lines:
        if len(made) == count:
            break
        text = line.strip()
        if not wanted(line) or (len(text) > 8 and text in seen):
            continue
        seen.add(text)
        current += line.rstrip("\n") + "\n"
        if len(current) > DOCUMENT or len(current.encode()) > DOCUMENT:
            made.append(current.encode()[:DOCUMENT].decode(errors="ignore"))
            current = ""
    return made


def texts(language, count, files=()):
    sources, wanted = LANGUAGES[language]
    if files:
        lines = (line for name in files for line in open(name, encoding="utf-8"))
        return documents(lines, lambda line: True, count)
    return documents((line for source in sources for line in source()), wanted, count)
