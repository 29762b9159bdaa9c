"""Where Hugging Face's tokenizers, which use Oniguruma, find patterns: real ones and random ones.

usage: oniguruma_pattern_oracle.py OUTPUT SEED

OUTPUT is the number of patterns; for each the pattern, whether it has to be supported, and the
number of texts; for each text it and what becomes of it where matches are replaced by "<>" ("" and
no texts where tokenizers refuses the pattern, too).
"""
import random
import sys
import unicodedata

import step_texts
from oracle_texts import number, text
from tokenizers import Regex, normalizers

LETTERS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
TAIL = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
WORD = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{ENDING}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{ENDING}"
)
HAN = r"&&[^\p{Han}]]"
# As in the tokenizer.json files of the models that are named.
REAL = [
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",  # GPT-2
    LETTERS + r"\p{N}{1,3}" + TAIL,  # Llama 3
    LETTERS + r"\p{N}" + TAIL,  # Qwen2
    WORD + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",  # gpt-oss
    r"[^\r\n\p{L}\p{N}]?" + UPPER + "*" + LOWER + r"+|\p{N}" + TAIL,  # Mistral Nemo
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",  # DeepSeek V3
    r"[一-龥぀-ゟ゠-ヿ]+",
    r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕ]+",
    r"\s?[!-/:-~！-／：-～‘-‟　-。]+", r"\s+$", r"[\r\n]",  # DeepSeek LLM
    r" ?[^(\s|[.,!?…。，、।۔،])]+",  # Bloom
    r"[0-9][0-9][0-9]", r"\d{3}", r"\d", r"\p{Nd}+", r"\p{N}{1,3}+",
    r"\d{1,3}(?=(?:\d{3})*\b)",  # Cohere
    rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?[\p{{Lu}}\p{{Lt}}\p{{Lm}}\p{{Lo}}\p{{M}}{HAN}*"
    rf"[\p{{Ll}}\p{{Lm}}\p{{Lo}}\p{{M}}{HAN}+{ENDING}|\p{{N}}{{1,3}}" + TAIL,  # Kimi
    r"(?<=\p{L})(?=\p{Lu})", r"(?<!\n)\n(?!\n)", r"\s{2,}", r" {2,}", r"[^\n]+|[\n]+",
    r"<\|[^|]*\|>", r"(?=[A-Z])", r"^ ", r"\A ", r"\z", r"\Z", r"$", r"\b", r"\B", r"\R", r"\h+",
    r"(?m).+", r".+", r"(?i)don|x(?-i)A|b", r"(?:(?i)a|b)!", r"a(?i)b|c", r"(?i:[a-k!])+",
    r"[[:alpha:]]+", r"[[:^space:]]+", r"[[:punct:]]", r"[[:alnum:]_]+", r"[[:upper:]]", r"\w+",
    r"\W+", r"[\w]+", r"[^\w\s]", r"[\W\d]+", r"[^\W\d]+", r"[\D]", r"[\H]", r"\S+", r"\D+", r"\H",
    r"\p{^L}+", r"\P{L}+", r"\P{^L}+", r"\p{letter}",
    r"\p{Uppercase_Letter}", r"\p{Alphabetic}+", r"\p{Emoji}", r"(?>a+)b?", r"(?#none)a", r"a{,2}",
    r"a{2}?", r"a{1,2}?", r"a{2,}", r"a{", r"{a}", r"a{,}", r"\x41|\x{4e2d}|\u4e16", r"\t|\n|\e",
    r"[a-]+", r"[-a]", r"[]a]+", r"[^]a]+", r"[a-c&&b-z]+", r"[^a-c&&b-z]+", r"[a[bc]]+", r"",
    r"[a[^b]]", r"[^a[^b]]", r"[\]\[\\\-]", r"(?<n>a)b?", r"\O", r"\N", r"a*", r"a*+a", r"é+",
    r"(|a)b", r"(a|ab)(c|bcd)?", r"\.\-\_\ \'", r"x?+|y", r"(?=a)", r"(?!a)", r"\s+(?!\S)",
]
MODELS = 19  # so many of them are tried on every character
# Supported or not: where it is, it has to mean the same.
DOUBTFUL = [
    r"(?i:ss)", r"(?i:st)", r"(?i)\p{L}+", r"(?i)é", r"(a)\1", r"\pL", r"\G", r"a\Kb", r"\X",
    r"a**", r"a+*", r"(?x: a b )", r"(?~ab)", r"\Qa\E", r"[z-a]", r"[\d-z]", r"[a-\d]", r"(?s:.)",
    r"(?P<n>a)", r"\p{Script=Han}", r"\p{Nope}", r"\p{L", r"[a", r"(a", r"a)", r"*a", r"[]",
    r"[a&&]", r"\xe4", r"(?<=a*)b", r"\012", r"\0", r"\cA", r"[[:foo:]]", r"(?i)[k]", r"(?i)[^k]",
    r"(?i:'s)|ſ", r"\y", r"\u{41}", r"\x{110000}", r"\ud800", r"(?<=a|bc)d", r"(?<!a|bc)d",
    r"a{3,1}", r"[a-c-e]", r"\8", r"[\b]", r"[\R]", r"(*FAIL)", r"(?(1)a|b)", r"(?i)a+",
    r"(?i)don't", r"\p{Any}", r"\p{Lowercase}", r"\p{Punct}", r"\p{Space}",
    r"[\p{L}&&\p{Lu}&&[A-F]]+",
]
# Only tried on characters that Unicode 14 has: PCRE2 may not know which script others are of.
SCRIPTS = [
    rf"\p{{{name}}}+" for name in
    ("Latin Greek Cyrillic Arabic Hebrew Thai Devanagari Hangul Hiragana Katakana Han Common "
     "Inherited Bengali Tamil Telugu Myanmar Khmer Lao Tibetan Georgian Armenian Ethiopic"
     ).split(" ")
]
ATOMS = [
    "a", "b", "A", "'", " ", r"\s", r"\S", r"\d", r"\w", r"\W", r"\p{L}", r"\p{Lu}", r"\p{N}",
    r"\P{L}", r"\p{Han}", r"\p{M}", r"[^\s\p{L}\p{N}]", "[a-z]", "[^a-z]", r"[\r\n]",
    r"[\p{L}\p{M}]", ".", "中", r"[\p{L}&&[^a-c]]", r"[^\w&&[^!]]", "é", r"\n", "(?i:don)",
    r"[[:digit:]]", r"\h", r"\.", "x", r"[\w[!?]]", r"\R", r"[\S&&\D]",
]
QUANTIFIERS = ["", "", "", "?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{2}", "{1,3}",
               "{,2}", "{2,}", "{1,2}?", "{1,2}+", "{2}?"]
REPEATED = ["", "", "", "+", "+?", "++", "{2}", "{1,3}"]
ASSERTIONS = ["^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z", r"(?!\S)", r"(?=\p{L})", "(?<=a)",
              r"(?<!\s)", "(?=[a-z])"]


def random_pattern(rng):
    """A group is repeated only where no part of it can be empty or is repeated: otherwise the two
    may differ, or take for ever."""
    def atom(quantifiers):
        return rng.choice(ATOMS) + rng.choice(quantifiers)

    def group():
        quantifier = rng.choice(QUANTIFIERS)
        inner = "|".join(
            "".join(atom(REPEATED if quantifier == "" else [""]) for _ in range(rng.randint(1, 2)))
            for _ in range(rng.randint(1, 2))
        )
        return rng.choice(("(", "(?:", "(?>")) + inner + ")" + quantifier

    def item():
        kind = rng.random()
        return (rng.choice(ASSERTIONS) if kind < 0.1 else group() if kind < 0.25 else
                atom(QUANTIFIERS))

    def sequence():
        return "".join(item() for _ in range(rng.randint(1, 4)))

    return "|".join(sequence() for _ in range(rng.randint(1, 3)))


def found(pattern, texts):
    """Nothing where the pattern is refused, or its search takes too long."""
    try:
        replace = normalizers.Replace(Regex(pattern), "<>")
        return [(each, replace.normalize_str(each)) for each in texts]
    except BaseException as error:  # pylint: disable=broad-except
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    known = step_texts.characters(rng)
    texts = step_texts.texts(rng, 200)
    few = [step_texts.random_text(rng, known) for _ in range(100)] + texts[-40:]
    cases = [(pattern, True, found(pattern, texts)) for pattern in REAL[:MODELS]]
    cases += [(pattern, True, found(pattern, few)) for pattern in REAL[MODELS:]]
    cases += [(pattern, False, found(pattern, few)) for pattern in DOUBTFUL]
    old = ["".join(c for c in each if unicodedata.category(c) != "Cn") for each in texts[-200:]]
    cases += [(pattern, True, found(pattern, old)) for pattern in SCRIPTS]
    for _ in range(500):
        pattern = random_pattern(rng)
        short = [step_texts.random_text(rng, known)[:40] for _ in range(12)]
        results = found(pattern, short)
        if results is not None:
            cases.append((pattern, True, results))
    with open(output, "wb") as out:
        out.write(number(len(cases)))
        for pattern, supported, results in cases:
            assert results is not None or not supported, pattern
            out.write(text(pattern) + number(supported) + number(results is not None))
            out.write(number(len(results or [])))
            for each, result in results or []:
                out.write(text(each) + text(result))


if __name__ == "__main__":
    main()
