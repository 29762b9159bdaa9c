"""Cuts random strings into pieces with the PyPI package `regex`, by the patterns as published.

usage: pre_tokenizer_oracle.py CATEGORIES OUTPUT SEED COUNT

CATEGORIES has one byte for each code point: the index of its general category in NAMES as the
caller knows it. Only code points of which `regex` says the same are used: the two know different
versions of Unicode. OUTPUT is, in native byte order: the number of presets; for each its name; the
number of strings; for each its text and, for each preset, the sizes of its pieces. Texts and lists
are preceded by their length as 32 bits, sizes are 32 bits.
"""
import random
import struct
import sys

import regex

NAMES = (
    "Cc Cf Co Ll Lm Lo Lt Lu Mc Me Mn Nd Nl No Pc Pd Pe Pf Pi Po Ps Sc Sk Sm So Zl Zp Zs"
).split()

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)"
# In tokenizer.json (?i:...), which also takes U+017F for an s; the convention is the letters alone.
CONTRACTION = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+"
TAIL = r" ?[^\s\p{L}\p{N}]+[\r\n]*|" + SPACES
LLAMA3 = WORDS + r"|\p{N}{1,3}|" + TAIL
QWEN2 = WORDS + r"|\p{N}|" + TAIL
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"


def cased(end, number):
    start = r"[^\r\n\p{L}\p{N}]?"
    words = f"{start}{UPPER}*{LOWER}+{end}|{start}{UPPER}+{LOWER}*{end}"
    return words + "|" + number + r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + SPACES


O200K = cased(CONTRACTION + "?", r"\p{N}{1,3}")
THREE_DIGITS = "[0-9][0-9][0-9]"
BLOOM = r" ?[^(\s|.,!?…。，、।۔،)]+"
# \b after a digit, where letters, marks, digits and connectors make words (as for Oniguruma).
NO_WORD = r"(?![\p{L}\p{M}\p{Nd}\p{Pc}])"
PRESETS = {
    "default": [r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", THREE_DIGITS],
    "llama-bpe": [LLAMA3],
    "dbrx": [LLAMA3],
    "qwen2": [QWEN2],
    "qwen35": [
        CONTRACTION + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|"
        r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|" + SPACES
    ],
    "laguna": [r"[^\n]+|[\n]+", QWEN2],
    "gpt-2": [GPT2],
    "smollm": [r"\p{N}", GPT2],
    "falcon": [r"[\p{P}\$\+<=>\^~\|`]+", GPT2, THREE_DIGITS],
    "deepseek-coder": [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-퟿]+", r"\p{N}"],
    "deepseek-v3": [
        r"\p{N}{1,3}",
        "[一-龥぀-ゟ゠-ヿ]+",
        r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|"""
        r" ?[\p{P}\p{S}]+[\r\n]*|" + SPACES,
    ],
    "gpt-4o": [O200K],
    "tekken": [cased("", r"\p{N}")],
    "tiny_aya": [r"\d{1,3}(?=(?:\d{3})*" + NO_WORD + ")", O200K],
    "jais-2": [
        WORDS + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
        + "".join(rf"|\s{{{n}}}(?!\S)" for n in (512, 256, 128, 64, 32, 16, 8, 4))
        + r"|\s{1,2}(?!\S)|\s{1}"
    ],
    "bloom": [BLOOM],
    "viking": [BLOOM, r"\p{N}"],
}
FREQUENT = [
    " ", " ", "  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u180e", "\x85", "\x1c",
    "\u2028", "'s", "'T", "'re", "'VE", "'m", "'ll", "'D", "'x", "a", "Z", "ab", "Abc", "ABC",
    "aB", "0", "12", "345", "6789", "1234567", "/", "|", "$", "`", "...", "_", "(", ")",
    "，", "中文", "世", "가", "あ", "é", "e\u0301", "\u0301", "👍🏽", "\u200d", "\x1a", "\x00",
]


def agreed_code_points(path):
    """Lists of characters by category, of those that this regex puts into the same category."""
    known = open(path, "rb").read()
    everything = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    agreed, dropped = [], 0
    for index, name in enumerate(NAMES):
        here = set(regex.findall(rf"\p{{{name}}}", everything))
        both = [c for c in sorted(here) if known[ord(c)] == index]
        dropped += len(here) - len(both)
        agreed.append(both)
    print(f"{sum(map(len, agreed))} code points, {dropped} left out: another category or none yet")
    return agreed


def random_text(rng, agreed):
    text = ""
    for _ in range(rng.randint(1, 14)):
        part = rng.choice(FREQUENT) if rng.random() < 0.6 else rng.choice(rng.choice(agreed))
        text += part * rng.choice((1, 1, 1, 1, 2, 3, 9))
    return text


def pieces(text, passes):
    parts = [text]
    for pattern in passes:
        finer = []
        for part in parts:
            at = 0
            for match in pattern.finditer(part):
                finer += [part[at:match.start()], match.group()]
                at = match.end()
            finer.append(part[at:])
        parts = [part for part in finer if part]
    return parts


def packed(data):
    return struct.pack("=I", len(data)) + data


def main():
    categories, output, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    agreed = agreed_code_points(categories)
    compiled = {name: [regex.compile(p) for p in passes] for name, passes in PRESETS.items()}
    # Every agreed character once, between others of its kind, then random strings.
    texts = ["".join(chars[i:i + 40]) for chars in agreed for i in range(0, len(chars), 97)]
    texts += [random_text(rng, agreed) for _ in range(count)]
    with open(output, "wb") as out:
        out.write(struct.pack("=I", len(compiled)))
        for name in compiled:
            out.write(packed(name.encode()))
        out.write(struct.pack("=I", len(texts)))
        for text in texts:
            out.write(packed(text.encode()))
            for passes in compiled.values():
                sizes = [len(piece.encode()) for piece in pieces(text, passes)]
                out.write(struct.pack(f"={len(sizes) + 1}I", len(sizes), *sizes))


if __name__ == "__main__":
    main()
