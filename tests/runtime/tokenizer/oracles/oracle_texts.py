"""Texts to train tokenizers on and to compare them by, and the form in which scripts give results.

Numbers are 32 bits, scores 64-bit floats, in native byte order; texts and lists are preceded by
their length.
"""
import random
import struct
import unicodedata

WORDS = (
    "the of and to a in is that it was for on are as with his they at be this from have or by one "
    "had not but what all were when we there can an your which their said if do will each about "
    "how up out them then she many some so these would other into has more her two like him see "
    "time could no make than first been its who now people my made over did down only way find use "
    "may water long little very after words called just where most know running runner unhappily "
    "Straße größer München естественно привет мир слова Ελλάδα λόγος naïve café résumé señor "
    "中文 世界 你好 語言 模型 日本語 テスト ひらがな カタカナ 한국어 안녕 ภาษาไทย สวัสดี مرحبا العالم "
    "שלום हिन्दी नमस्ते தமிழ் ქართული Հայերեն ﬁne ｆｕｌｌ Ⅷ ½ ㍿ ﷺ İstanbul ǅ 1234 3.14 2024-01-02 "
    "0x1F def return x=1; if(a==b){ } // <div> foo_bar fooBar #include => != "
    "👍 👍🏽 👨‍👩‍👧 🇩🇪 ❤️ é e\u0301 o\u0302\u0323 "
    "\u00a0 \u3000 \u200d \u00ad \ufeff don't I'm we'll I'LL it'\u017f"
).split(" ")
SPACES = [" ", " ", " ", " ", " ", "  ", "\n", "\t", "", "\n\n", "   ", "\u00a0", "\u3000"]
ASSIGNED = [
    chr(c)
    for c in range(0x110000)
    if unicodedata.category(chr(c)) not in ("Cn", "Cs") and not 0xAC00 < c < 0xD700
    and not 0x3400 < c < 0x9FA0 and not 0x17000 < c < 0x18D00 and not 0x20000 < c < 0x323AF
    and not 0xE000 < c < 0xF8FF and not 0xF0000 < c < 0x10FFFD
]


def sentences(rng, count):
    """Texts of words, most of them frequent ones."""
    def word():
        return WORDS[min(int(rng.expovariate(0.03)), len(WORDS) - 1)]

    return ["".join(word() + rng.choice(SPACES) for _ in range(rng.randint(3, 12)))
            for _ in range(count)]


def random_text(rng):
    """A short text of words, spaces and any characters."""
    text = ""
    for _ in range(rng.randint(0, 10)):
        kind = rng.random()
        part = rng.choice(WORDS if kind < 0.5 else SPACES if kind < 0.75 else ASSIGNED)
        text += part * rng.choice((1, 1, 1, 1, 1, 2, 3, 7))
    return text


def long_runs(size):
    """Texts of about `size` bytes without a boundary, or with nothing but boundaries."""
    return [unit * (size // len(unit.encode())) for unit in
            ("a", " ", "the", "中", "👍", "\n", "\u0301", "ab ", "the the\u00a0")]


def all_characters():
    """Every character of ASSIGNED, forty in a text."""
    return ["".join(ASSIGNED[i:i + 40]) for i in range(0, len(ASSIGNED), 40)]


def number(value):
    return struct.pack("=I", value & 0xFFFFFFFF)


def score(value):
    return struct.pack("=d", value)


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return number(len(data)) + data


def texts(values):
    return number(len(values)) + b"".join(map(text, values))


def ids(values):
    return struct.pack(f"={len(values) + 1}I", len(values), *values)
