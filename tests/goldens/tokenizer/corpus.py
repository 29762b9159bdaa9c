"""The text the small tokenizers are trained on, and the texts their ids are recorded for.

Both are made from what stands here and the Unicode database alone: the same everywhere.
"""
import random
import unicodedata

SENTENCES = """\
The quick brown fox jumps over the lazy dog, and the dog didn't even notice;
it's asleep, isn't it?
Once upon a time there was a little house in the middle of a forest.
Nobody had lived there for years.
I'll say we've seen 1234 ships, 56 boats and 7 islands before 3.14 o'clock -
they're late, he'd said, I'M SURE.
Weather is what you get, climate is what you expect; the thermometer on the wall reads 21 degrees.
Der schnelle braune Fuchs springt über den faulen Hund. Größe, Maß und Überfluß sind schöne Wörter.
Le cœur a ses raisons que la raison ne connaît point; où étiez-vous, mon frère, cet été-là?
El niño comió una piña mañana por la mañana. ¿Dónde está el baño? ¡Qué lástima!
Съешь же ещё этих мягких французских булок, да выпей чаю. Привет, мир! Как дела?
Η γρήγορη αλεπού πηδάει πάνω από τον τεμπέλη σκύλο. Καλημέρα, κόσμε!
敏捷的棕色狐狸跳过懒狗。你好，世界！今天天气很好，我们去公园散步吧。
いろはにほへと ちりぬるを。こんにちは、世界。東京タワーはとても高いです。
안녕하세요 세계! 빠른 갈색 여우가 게으른 개를 뛰어넘습니다.
สวัสดีชาวโลก สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ
مرحبا بالعالم، الثعلب البني السريع يقفز فوق الكلب الكسول.
שלום עולם! השועל החום המהיר קופץ מעל הכלב העצלן.
नमस्ते दुनिया! तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है।
Cửa Việt là một thị trấn ven biển; người dân ở đây rất thân thiện.
for (int i = 0; i < n; ++i) { sum += values[i] * weights[i]; }  // a dot product
def encode(self, text: str) -> list[int]:
    return [self.ids[word] for word in text.split() if word in self.ids]
#include <vector>
template <class T> T max(const T& a, const T& b) { return a < b ? b : a; }
SELECT name, COUNT(*) FROM users WHERE id >= 1000 AND city != 'Paris' GROUP BY name;
<div class="page"><p>Hello &amp; welcome</p><br/></div>
https://example.org/path/to/page?query=value&other=42#fragment
{"name": "value", "list": [1, 2, 3], "nested": {"key": null, "flag": true}}
The fox and the dog: 🦊 🐶 🚀 ✅ and a 👍🏽 for everybody!
"""


def training_lines():
    """Some thousand lines: the sentences, and sentences of their words, so that words recur."""
    rng = random.Random(20240501)
    lines = SENTENCES.splitlines()
    out = list(lines)
    for _ in range(1500):
        words = [rng.choice(rng.choice(lines).split(" ")) for _ in range(rng.randint(3, 12))]
        out.append(" ".join(words))
    return out


def stable_code_points():
    """By category: what had the same one in Unicode 3.2, so that no version in use disagrees."""
    old, categories = unicodedata.ucd_3_2_0, {}
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if category not in ("Cn", "Cs") and old.category(chr(code)) == category:
            categories.setdefault(category, []).append(chr(code))
    return categories


def by_category(rng, categories):
    for category in sorted(categories):
        a, b, c = (rng.choice(categories[category]) for _ in range(3))
        yield f"{a}{b}{c}"
        yield f"one{a} {b}two 1{c}2 {a}{a}\n{b} {c}"


def mixtures(rng, categories, count):
    parts = "'s 't 're 've 'm 'll 'd 'S 'LL Hello WORLD camelCase don't 12 345 6789".split(" ")
    parts += ["...", "--", "::", "(", ")", "==", "\t", "\n", "\r\n", "\n\n", "  ", "   "]
    parts += ["\u00a0", "\u3000", "\u2028", "世界", "мир", "é", "👍🏽"]
    for _ in range(count):
        text = ""
        for _ in range(rng.randint(1, 12)):
            kind = rng.random()
            if kind < 0.45:
                text += rng.choice(parts)
            elif kind < 0.75:
                text += rng.choice(categories[rng.choice(sorted(categories))])
            else:
                text += " "
        yield text


FIXED = [
    "", " ", "  ", "   ", "\n", "\n\n", "\t", " \n", "\n ", "\r\n", " \t\n ",
    "a", " a", "a ", "  a  ",
    "Hello", " Hello", "Hello world", "hello  world", "3", "33", "333", "3333", "333333333",
    "1.5e-10", "x=3", "I'll we've it's THEY'RE 'twas",
    "naïve café, nai\u0308ve cafe\u0301",  # composed and decomposed
    # Variation selectors, joiners, flags, keycaps, skin tones; stacked and lonely marks.
    "❤️ 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 1️⃣ 👍🏽", "a\u0301\u0302\u0303\u0304 \u0301 x\u20d7",
    "กำลัง เก็บ ก็", "نَصٌّ بِالتَّشْكِيلِ ١٢٣", "हिन्दी में ५६७", "ﬁ ﬀ Ⅷ ② ½ ㎏ ㊙", "İıſß ΣΆΣ ǅ",
    "\u200bzero\u200dwidth\ufeff", "\u202eright to left\u202c",
    "\x00\x01\x02\x7f\x80\x85\x9f", "tab\tand\x0bvertical\x0cfeed",
    "a" * 300, " " * 200, "\n" * 100, "ab" * 150, "世" * 100, "1" * 100, "!" * 100, "é" * 60,
    "\u0301" * 50, "🚀" * 30, " a" * 60, "a\n" * 40, " \n" * 40, "Aa" * 60, "'s" * 40,
    "\u3000" * 40, "the the the " * 20, "Thermometers resnotice abcabcabc", "xThermometers",
]
SPECIAL = [
    "<|endoftext|>", "a<|endoftext|>b", "<|start|>user\nHello<|end|>\n<|start|>assistant\n",
    " <|end|> <|end|>  x", "<|end", "<|end|><|end|>", "<tool>", "call <tool>now</tool> please",
    "<tool><tool>", "x<tool", "<|start|><tool>\n<|end|>",
]


def recorded_texts():
    rng = random.Random(7)
    categories = stable_code_points()
    lines = SENTENCES.splitlines()
    return [*FIXED, *lines, *by_category(rng, categories), *mixtures(rng, categories, 80)]
