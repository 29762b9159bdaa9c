"""Texts for the steps of tokenizers: any characters of Unicode, alone and in company."""
import oracle_texts

# Blocks in which one character is like the next: a few of each will do.
UNIFORM = [
    (0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0x13000, 0x14600), (0x17000, 0x18D00),
    (0x1B000, 0x1B2FF), (0x1D800, 0x1DA70), (0x20000, 0x2F7FF), (0x2FA20, 0xDFFFF),
    (0xE0200, 0x10FFFF),
]
FREQUENT = (
    "a b Z ab don't 's 'T I'LL 12 345 6789 ! ?! ... , . $ + _ - -- ( ) [x] <s> ## x=1; naïve É é "
    "e\u0301 \u0301 o\u0302\u0323 \u0323\u0302 ﬁ ｆ ㍿ ﷺ Ⅷ ½ ² ³ İ ẞ Σ ς ǅ Å Ω ſ K 中文 世界 日本 カタ ひら ー "
    "한국 ᄒ ᅡ ᆫ 각 가\u11a8 ภาษา ำ ا ل لا هه אב हिन्दी क् क़ ி தமி \u0b47\u0b3e ქ 👍 👍🏽 🇩🇪 👨\u200d👩 "
    "❤\ufe0f "
    "\u200b \u200c \u200d \u2028 \ufeff \ufffd \u00ad \u180e \u2581 \u2581a Ġ Ċ Ā </w> | \0 \x01 "
    "\x1a \x7f \x85 \u0345 \u0334 \u1abf \u0898 \u0c3c \U0001e030 \U00010d50 \U00016ea0 \ua7cb "
    "\ua7dc "
    "\U00011938 \U00011935\U00011930 \U000105d2\u0307 \U0001f16c \u32ff \U00031350 \U0002ebf0 "
    "\U0001fbf0 \u0600 \u06dd \u0600a \U000110bd \r \r\n"
).split(" ") + ["\n", "\r\n", "\t", " ", " ", " ", "  ", "\u3000", "\xa0", "\x0b", "\u2003"]


def characters(rng):
    """Every code point outside of uniform blocks, and some of those in them."""
    def kept(code):
        if 0xD800 <= code < 0xE000:
            return False
        return rng.random() < 0.003 or not any(a <= code <= b for a, b in UNIFORM)

    return [chr(code) for code in range(0x110000) if kept(code)]


def random_text(rng, known):
    text = ""
    for _ in range(rng.randint(0, 10)):
        kind = rng.random()
        part = rng.choice(FREQUENT if kind < 0.6 else oracle_texts.WORDS if kind < 0.8 else known)
        text += part * rng.choice((1, 1, 1, 1, 1, 2, 3, 7))
    return text


def texts(rng, count, between_letters=True):
    """Random texts, then every character: side by side, and also between letters."""
    known = characters(rng)
    found = [random_text(rng, known) for _ in range(count)]
    for first in range(0, len(known), 200):
        part = known[first:first + 200]
        found.append("".join(part))
        if between_letters:
            found.append("a" + "a".join(part) + "a")
    return found
