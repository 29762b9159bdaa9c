"""Writes code_point_runs.cpp: sets of code points as the PyPI package `tokenizers` has them.

usage: code_point_runs.py > code_point_runs.cpp

Its steps were built with several versions of Unicode; which, is not asked: each set is what a step
does with each code point.
"""

import sys
import textwrap
import unicodedata

import tokenizers
from tokenizers import normalizers, pre_tokenizers

CODES = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
HEAD = """\
// Sets of code points, and their scripts, as runs in order.
//
// Of a set: how many code points lie before a run and how many are in it, in hexadecimal. Of
// scripts: how many code points have it, and its number; 0 is that of code points without one.
// Surrogates count with what lies before them. Written by code_point_runs.py from what the steps of
// the PyPI package tokenizers {version} do.
#include "runtime/unicode/code_point_sets.h"

namespace lamina::code_point_runs {{
"""


def removed_by(normalizer):
    return [c for c in CODES if normalizer.normalize_str(chr(c)) == ""]


def cut_out_by(step):
    """Code points that are a piece by themselves between letters."""
    pieces = set()
    for first in range(0, len(CODES), 4096):
        part = "a" + "a".join(map(chr, CODES[first : first + 4096])) + "a"
        pieces.update(piece for piece, _ in step.pre_tokenize_str(part))
    return [c for c in CODES if chr(c) in pieces and chr(c) != "a"]


def composing():
    """What a normalization form changes, moves, or puts together with what stands before it."""
    nfc, nfd, nfkd = normalizers.NFC(), normalizers.NFD(), normalizers.NFKD()
    seconds = {chr(c) for c in range(0x1161, 0x1176)} | {chr(c) for c in range(0x11A8, 0x11C3)}
    for code in CODES:
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)
            if len(nfc.normalize_str(pair)) == 1:
                seconds.add(pair[1])

    def moves(character):
        return any(
            nfd.normalize_str(text) != text
            for text in ("a\u0345" + character, "a" + character + "\u0334")
        )

    for code in CODES:
        character = chr(code)
        if character in seconds or nfkd.normalize_str(character) != character or moves(character):
            yield code


def scripts():
    """A number for each code point: the same for those between which no cut is made."""
    cut = pre_tokenizers.UnicodeScripts()
    known = ["", "a"]  # of each number, a character

    def apart(one, other):
        return len(cut.pre_tokenize_str(one + other)) == 2

    for code in range(0x110000):
        character = chr(code)
        if 0xD800 <= code < 0xE000:
            yield number
        elif not cut.pre_tokenize_str(character):
            number = 0
            yield number
        else:
            if code > 0 and number > 0 and not apart(known[number], character):
                yield number
                continue
            number = next(
                (n for n, one in enumerate(known) if n and not apart(one, character)), len(known)
            )
            if number == len(known):
                known.append(character)
            yield number


def set_runs(codes):
    runs, before = [], 0
    for code in codes:
        if runs and code == before:
            runs[-1][1] += 1
        else:
            runs.append([code - before, 1])
        before = code + 1
    return " ".join(f"{gap:x} {length:x}" for gap, length in runs)


def script_runs(numbers):
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number:
            runs[-1][0] += 1
        else:
            runs.append([1, number])
    return " ".join(f"{length:x} {number:x}" for length, number in runs)


def main():
    bert = normalizers.BertNormalizer
    clean = bert(True, False, False, False)
    tables = {
        "combining_marks": set_runs(removed_by(normalizers.StripAccents())),
        "nonspacing_marks": set_runs(removed_by(bert(False, False, True, False))),
        "controls": set_runs(removed_by(clean)),
        "punctuation": set_runs(cut_out_by(pre_tokenizers.Punctuation())),
        "numbers": set_runs(cut_out_by(pre_tokenizers.Digits(True))),
        "composing": set_runs(composing()),
        "scripts": script_runs(scripts()),
    }
    print(HEAD.format(version=tokenizers.__version__))
    for name, runs in tables.items():
        wrapped = textwrap.fill(runs, 100)
        print(f'const std::string_view {name} = R"(\n{wrapped})";\n')
    print("}  // namespace lamina::code_point_runs")


if __name__ == "__main__":
    sys.exit(main())
