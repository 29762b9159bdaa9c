"""What Python's str methods say of each character, for unicode.cpp.

usage: python_characters_oracle.py OUTPUT.json
"""

import json
import sys
import unicodedata

ASKED = ["isspace", "isalpha", "isdecimal", "isdigit", "isnumeric", "isprintable", "isupper",
         "islower"]


def main():
    flags, cases = [], []
    for code in range(0x110000):
        char = chr(code)
        if unicodedata.category(char) in ("Cn", "Cs"):
            flags.append(-1)
            continue
        bits = sum(getattr(char, name)() << i for i, name in enumerate(ASKED))
        bits |= (char.splitlines() == [""]) << len(ASKED)
        flags.append(bits)
        changed = [char.upper(), char.lower(), char.title(), char.casefold()]
        if any(each != char for each in changed):
            cases.append([code, *changed])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({"flags": flags, "cases": cases, "version": unicodedata.unidata_version}, file)


if __name__ == "__main__":
    main()
