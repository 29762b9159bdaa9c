"""The pieces into which the pre-tokenizers of Hugging Face's tokenizers cut texts.

usage: pre_tokenizer_steps_oracle.py OUTPUT SEED

OUTPUT is the number of pre-tokenizers and their names; then the number of texts; for each the text
and, for each pre-tokenizer, the number of pieces and the pieces.
"""
import random
import sys

import oracle_texts
import step_texts
from oracle_texts import number, text
from tokenizers import Regex
from tokenizers import pre_tokenizers as steps

BEHAVIORS = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CASES = {
    "words": steps.Sequence([
        steps.Split(Regex(WORDS), "isolated"), steps.ByteLevel(False, use_regex=False)
    ]),
    "byte level": steps.ByteLevel(True),
    "byte level plain": steps.ByteLevel(False),
    "byte level whole": steps.ByteLevel(True, use_regex=False),
    "metaspace": steps.Metaspace(),
    "metaspace first": steps.Metaspace(prepend_scheme="first"),
    "metaspace never": steps.Metaspace(prepend_scheme="never"),
    "metaspace whole": steps.Metaspace(split=False),
    "metaspace underscore": steps.Metaspace("_", "always", True),
    "metaspace words": steps.Sequence([steps.WhitespaceSplit(), steps.Metaspace()]),
    "metaspace first word": steps.Sequence([
        steps.WhitespaceSplit(), steps.Metaspace(prepend_scheme="first")
    ]),
    "metaspace first part": steps.Sequence([
        steps.Split("a", "merged_with_next"), steps.Metaspace(prepend_scheme="first")
    ]),
    "digits": steps.Digits(),
    "single digits": steps.Digits(True),
    "whitespace": steps.Whitespace(),
    "whitespace split": steps.WhitespaceSplit(),
    "bert": steps.BertPreTokenizer(),
    "scripts": steps.UnicodeScripts(),
    "delimiter": steps.CharDelimiterSplit("é"),
    "length": steps.FixedLength(3),
    "long": steps.FixedLength(100),
    "scripts of words": steps.Sequence([steps.WhitespaceSplit(), steps.UnicodeScripts()]),
    "digits and more": steps.Sequence([
        steps.Digits(True), steps.Punctuation("contiguous"), steps.Split(Regex(r"\s"), "removed"),
        steps.ByteLevel(True),
    ]),
}
for _behavior in BEHAVIORS:
    CASES["punctuation " + _behavior] = steps.Punctuation(_behavior)
    CASES["space " + _behavior] = steps.Split(" ", _behavior)
    CASES["not letters " + _behavior] = steps.Split(Regex(r"\p{L}"), _behavior, invert=True)
    CASES["empty " + _behavior] = steps.Split(Regex("(?=a)|b*"), _behavior)
    CASES["not empty " + _behavior] = steps.Split(Regex("(?=a)|b*"), _behavior, invert=True)
    CASES["nothing " + _behavior] = steps.Split("", _behavior)
    CASES["runs " + _behavior] = steps.Split(Regex(r"[\s!]+"), _behavior)


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    with open(output, "wb") as out:
        out.write(oracle_texts.texts(CASES))
        texts = step_texts.texts(rng, 300, between_letters=False)
        out.write(number(len(texts)))
        for each in texts:
            out.write(text(each))
            for step in CASES.values():
                pieces = [piece for piece, _ in step.pre_tokenize_str(each)]
                out.write(number(len(pieces)) + b"".join(map(text, pieces)))


if __name__ == "__main__":
    main()
