"""Compares classes of characters with those by which the PyPI package `tokenizers` cuts text.

usage: unicode_classes_oracle.py CLASSES

Each line of CLASSES is a code point, its category (Cw: a Cc that is white space), and the words
`Han` and `word` where it is in those classes.
"""

import sys

from tokenizers import Regex, pre_tokenizers

CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn"
).split()


def main():
    claimed = {}
    for line in open(sys.argv[1], encoding="utf-8"):
        code, *classes = line.split()
        claimed[int(code)] = classes
    text = "".join(map(chr, claimed))

    def matched(pattern):
        cut = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        return {ord(c) for piece, _ in cut.pre_tokenize_str(text) for c in piece}

    found = {code: [] for code in claimed}
    white = matched(r"\s")
    for name in CATEGORIES:
        for code in matched(rf"\p{{{name}}}"):
            found[code].append("Cw" if name == "Cc" and code in white else name)
    for name, pattern in [("Han", r"\p{Han}"), ("word", r"\w")]:
        for code in matched(pattern):
            found[code].append(name)
    wrong = [code for code in claimed if claimed[code] != found[code]]
    wrong += [c for c in claimed if (c in white) != (claimed[c][0] in ("Cw", "Zs", "Zl", "Zp"))]
    for code in wrong[:20]:
        print(f"U+{code:04X}: {claimed[code]}, expected {found[code]}")
    print(f"{len(claimed) - len(set(wrong))} code points agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
