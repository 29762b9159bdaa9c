"""Writes unicode_runs.cpp: the classes of all code points as the package `tokenizers` has them.

usage: unicode_runs.py > unicode_runs.cpp

That package cuts text with Oniguruma, whose version of Unicode is measured here, code point by
code point. Python's own version tells which code points PCRE2 may not know yet, so it must be an
old one.
"""

import sys
import textwrap
import unicodedata

from tokenizers import Regex, pre_tokenizers

CATEGORIES = (
    "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn"
).split()
WORD = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"}
HEAD = """\
// The classes of all code points, in order, as runs: category, length (1 if left out), marks.
//
// Cw is a Cc that is white space; h: of the script Han; n: another category before Unicode 15;
// w: belongs to \\w although its category does not, or the other way round. Written by
// unicode_runs.py from what Oniguruma says in the PyPI package tokenizers {version}.
#include "runtime/unicode/unicode_classes.h"

namespace lamina {{

const std::string_view unicode_runs = R"({runs})";

}}  // namespace lamina"""


def matched(pattern):
    """The code points that Oniguruma's class `pattern` has; surrogates are in none."""
    everything = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    cut = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    return {ord(c) for piece, _ in cut.pre_tokenize_str(everything) for c in piece}


def classes():
    category = ["Cs"] * 0x110000
    for name in CATEGORIES:
        for code in matched(rf"\p{{{name}}}"):
            category[code] = name
    white, han, word = matched(r"\s"), matched(r"\p{Han}"), matched(r"\w")
    for code, name in enumerate(category):
        shown = "Cw" if name == "Cc" and code in white else name
        assert (code in white) == (shown == "Cw" or name[0] == "Z")
        recent = name != unicodedata.category(chr(code))
        marks = "h" * (code in han) + "n" * recent + "w" * ((code in word) != (name in WORD))
        yield shown, marks


def runs():
    last, length = None, 0
    for each in [*classes(), None]:
        if each == last:
            length += 1
            continue
        if last is not None:
            yield last[0] + str(length if length > 1 else "") + last[1]
        last, length = each, 1


def main():
    if unicodedata.unidata_version != "14.0.0":
        sys.exit(f"this Python knows Unicode {unicodedata.unidata_version}, 14.0.0 is needed")
    import tokenizers

    text = "\n".join(textwrap.wrap(" ".join(runs()), 100))
    print(HEAD.format(version=tokenizers.__version__, runs="\n" + text + "\n"))


if __name__ == "__main__":
    main()
