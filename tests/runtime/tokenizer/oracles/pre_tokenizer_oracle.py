"""Cuts random strings into pieces with the PyPI package `regex`, by the patterns as published.

usage: pre_tokenizer_oracle.py OUTPUT SEED CATEGORIES COUNT

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
# \b after a digit, with the word characters of Oniguruma.
NO_WORD = r"(?![\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\xb2\xb3\xb9\xbc\xbd\xbe])"
IDEOGRAPHS = r"[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
DEEPSEEK3 = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|"""
    r" ?[\p{P}\p{S}]+[\r\n]*|" + SPACES
)
# Letters with case that deepseek-llm lists.
CASED = (
    r"A-Za-z\xb5\xc0-\xd6\xd8-\xf6\xf8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373"
    r"\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5"
    r"\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd"
    r"\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15"
    r"\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d"
    r"\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb"
    r"\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d"
    r"\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e"
    r"\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d"
    r"\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06"
    r"\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    r"\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    r"\U0001e900-\U0001e943"
)
NO_HAN = r"&&[^\p{Han}]]"
KIMI_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}" + NO_HAN
KIMI_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}" + NO_HAN
KIMI_END = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
LEAD = r"[^\r\n\p{L}\p{N}]?"
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
    "deepseek-llm": [
        r"[\r\n]",
        r"\s?[" + CASED + "]+",
        r"\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
        r"\s+$",
        IDEOGRAPHS,
        r"\p{N}+",
    ],
    "deepseek-coder": [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", IDEOGRAPHS, r"\p{N}"],
    "deepseek-v3": [
        r"\p{N}{1,3}",
        r"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        DEEPSEEK3,
    ],
    "afmoe": [
        r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))",
        r"[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f"
        r"\u2f00-\u2fdf\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f"
        r"\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+",
        DEEPSEEK3,
    ],
    "kimi-k2": [
        r"[\p{Han}]+|"
        + f"{LEAD}{KIMI_UPPER}*{KIMI_LOWER}+{KIMI_END}|{LEAD}{KIMI_UPPER}+{KIMI_LOWER}*{KIMI_END}|"
        + r"\p{N}{1,3}|"
        + TAIL
    ],
    "youtu": [
        r"[\uac00-\ud7a3\u3131-\u318e]+|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b"
        r"\uff0c\u3001-\u303f\ufe30-\ufe4f]+|[\u3105-\u312f]+|"
        r"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        cased(CONTRACTION + "?", r"\p{N}"),
    ],
    "seed-coder": [WORDS + r"|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|" + SPACES],
    "bailingmoe": [
        r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}|"
        r" ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
    ],
    "minicpm5": [r"\p{N}{1,3}", WORDS + r"|\p{N}+|" + TAIL],
    "exaone-moe": [
        WORDS.removesuffix(r"\p{L}+") + r"(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
    ],
    "k2-horizon": [
        CONTRACTION + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}|\p{M}|\u200c|\u200d)+|\p{N}{1,3}|" + TAIL
    ],
    "superbpe": [r"\p{N}+", r"(?=(\d{3})+(?!\d))"],
    "chameleon": [
        "<sentinel:[0-9]+>",
        "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
        "([\t\n]|    |  )",
        r"\p{N}",
        r"[\p{P}!-/:-@\[-`{-~]",
        GPT2,
    ],
    "gpt-4o": [O200K],
    "tekken": [cased("", r"\p{N}")],
    "tiny_aya": [r"\d{1,3}(?=(?:\d{3})*" + NO_WORD + ")", O200K],
    "jais-2": [
        WORDS
        + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
        + "".join(rf"|\s{{{n}}}(?!\S)" for n in (512, 256, 128, 64, 32, 16, 8, 4))
        + r"|\s{1,2}(?!\S)|\s{1}"
    ],
    "bloom": [BLOOM],
    "viking": [BLOOM, r"\p{N}"],
}
FREQUENT = [
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u3000",
    "\u180e",
    "\x85",
    "\x1c",
    "\u2028",
    "'s",
    "'T",
    "'re",
    "'VE",
    "'m",
    "'ll",
    "'D",
    "'x",
    "a",
    "Z",
    "ab",
    "Abc",
    "ABC",
    "aB",
    "0",
    "12",
    "345",
    "6789",
    "1234567",
    "/",
    "|",
    "$",
    "`",
    "...",
    "_",
    "(",
    ")",
    "，",
    "中文",
    "世",
    "가",
    "あ",
    "é",
    "e\u0301",
    "\u0301",
    "👍🏽",
    "\u200d",
    "\x1a",
    "\x00",
    "\u2e80",
    "々",
    "\u017f",
    "'\u017f",
    "<sentinel:12>",
    "IMGIMGABCZ",
    "    ",
    "²",
    "½12",
    "Ⓐ",
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
                finer += [part[at : match.start()], match.group()]
                at = match.end()
            finer.append(part[at:])
        parts = [part for part in finer if part]
    return parts


def packed(data):
    return struct.pack("=I", len(data)) + data


def main():
    output, seed, categories, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    rng = random.Random(seed)
    agreed = agreed_code_points(categories)
    compiled = {
        name: [regex.compile(p, regex.V1) for p in passes] for name, passes in PRESETS.items()
    }
    # Every agreed character once, between others of its kind, then random strings.
    texts = ["".join(chars[i : i + 40]) for chars in agreed for i in range(0, len(chars), 97)]
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
