"""Tokens and texts of Hugging Face's tokenizers, for tokenizers of every kind.

usage: tokenizer_json_oracle.py OUTPUT SEED

OUTPUT is the number of tokenizers; for each its name, whether its decoder joins bytes of tokens
<0xNN>, its tokenizer.json, and texts: each with its tokens, its tokens without what is put around
it, its tokens where special tokens are text, and the text of the tokens without and with special
ones. Then lists of tokens with their text.
"""
import json
import os
import random
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RUST_BACKTRACE"] = "0"

import made_tokenizers
import oracle_texts
import step_texts
from made_tokenizers import added, sequence, split
from oracle_texts import ids, number, text
from tokenizers import Tokenizer

NORMALIZERS = [
    None, dict(type="NFC"), dict(type="NFD"), dict(type="NFKC"), dict(type="NFKD"),
    dict(type="Lowercase"), dict(type="StripAccents"), dict(type="Nmt"), dict(type="ByteLevel"),
    dict(type="Strip", strip_left=True, strip_right=False),
    dict(type="Strip", strip_left=True, strip_right=True), dict(type="Prepend", prepend="\u2581"),
    made_tokenizers.SPACES_AWAY, made_tokenizers.spaces_to_one(),
    dict(type="BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=None,
         lowercase=True),
]
METASPACE = dict(type="Metaspace", replacement="\u2581", prepend_scheme="always", split=True)
PRE_TOKENIZERS = [
    None, made_tokenizers.byte_level(), made_tokenizers.byte_level(True),
    made_tokenizers.byte_level(True, False), METASPACE,
    {**METASPACE, "prepend_scheme": "never"}, {**METASPACE, "split": False},
    dict(type="Digits", individual_digits=True), dict(type="Digits", individual_digits=False),
    dict(type="Punctuation", behavior="Isolated"), dict(type="Punctuation", behavior="Removed"),
    dict(type="Whitespace"), dict(type="WhitespaceSplit"), dict(type="BertPreTokenizer"),
    dict(type="UnicodeScripts"), dict(type="CharDelimiterSplit", delimiter="e"),
    dict(type="FixedLength", length=3),
] + [split(r"\w+|[^\w\s]+", behavior, invert)
     for behavior in ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
     for invert in (False, True)]
DECODERS = [
    None, made_tokenizers.byte_level(), METASPACE, made_tokenizers.FUSE,
    dict(type="WordPiece", prefix="##", cleanup=True), dict(type="BPEDecoder", suffix="</w>"),
    dict(type="CTC", pad_token="a", word_delimiter_token="e", cleanup=True),
    dict(type="Strip", content="a", start=1, stop=0), made_tokenizers.SPACES_BACK,
    sequence("decoders", made_tokenizers.SPACES_BACK, made_tokenizers.FUSE,
             made_tokenizers.FIRST_SPACE),
]
LONG = ("gpt2", "llama3", "llama2", "mistral", "gemma")  # compared on long texts
TEMPLATE_TOKENS = ["<s>", "<t>"]


def models():
    """One of each kind, with what it needs to encode any text."""
    byte_level = made_tokenizers.byte_level_bpe()
    yield byte_level
    yield {**byte_level, "ignore_merges": True}
    yield made_tokenizers.sentence_bpe(made_tokenizers.pre_tokenizers.Metaspace())
    yield {**made_tokenizers.sentence_bpe(None, False), "fuse_unk": False}
    yield made_tokenizers.unigram()
    yield made_tokenizers.unigram(True)
    yield made_tokenizers.word_piece()
    yield made_tokenizers.word_level()


def random_added(rng):
    tokens = [added(name) for name in TEMPLATE_TOKENS]
    names = ["the", "The", "ing", " ", "  a", "中", "\u0301", "<x>", "<x>y", "é", "a b", "\n", "123",
             "-", "that", "e"]
    for name in rng.sample(names, rng.randint(0, 8)):
        flags = {flag: rng.random() < 0.4 for flag in
                 ("single_word", "lstrip", "rstrip", "normalized", "special")}
        # A special word that is also the model's own comes out of text in tokenizers, not here.
        flags["special"] &= not name.strip().isalpha() or len(name) == 1
        # A normalizer may make nothing of these, which tokenizers would then look for without end,
        # or the same of two.
        flags["normalized"] &= name not in (" ", "\n", "\u0301", "é", "The")
        tokens.append(added(name, **flags))
    return tokens


def combined(rng, model):
    """A tokenizer of random parts."""
    tokens = random_added(rng)
    normalizer = rng.choice(NORMALIZERS)
    if rng.random() < 0.3:
        chosen = [part for part in rng.sample(NORMALIZERS, 3) if part]
        normalizer = sequence("normalizers", *chosen)
    pre_tokenizer = rng.choice(PRE_TOKENIZERS)
    if rng.random() < 0.3:
        pre_tokenizer = {**METASPACE, "prepend_scheme": "first"}
    if rng.random() < 0.4:
        chosen = [part for part in rng.sample(PRE_TOKENIZERS, 2) if part]
        pre_tokenizer = sequence("pretokenizers", *chosen)
    processor = None
    if rng.random() < 0.6:
        processor = made_tokenizers.template(model, tokens, TEMPLATE_TOKENS, TEMPLATE_TOKENS[:1])
    if rng.random() < 0.3 and processor:
        processor = sequence("processors", made_tokenizers.byte_level(), processor)
    return made_tokenizers.whole(model, tokens, normalizer, pre_tokenizer, processor,
                                 rng.choice(DECODERS))


def texts_for(rng, made, count, known):
    texts = [step_texts.random_text(rng, known) for _ in range(count)]
    texts += oracle_texts.sentences(rng, count // 4)
    names = [token["content"] for token in made["added_tokens"]] or [" "]
    for _ in range(count):
        parts = [rng.choice(names if rng.random() < 0.5 else oracle_texts.WORDS + [" ", "  "])
                 for _ in range(rng.randint(1, 8))]
        texts.append("".join(parts))
    texts += ["a" * 300 + " " + "b" * 160, "a" * 299, "a" * 301]
    return texts + ["", " ", "\0", "a\0b"] + [name + "G" for name in names]


def text_case(tokenizer, given):
    """A text and what tokenizers makes of it; nothing where it panics, as it does of some texts
    with added tokens that a normalizer changes."""
    try:
        whole = tokenizer.encode(given).ids
        case = text(given) + ids(whole)
        case += ids(tokenizer.encode(given, add_special_tokens=False).ids)
        tokenizer.encode_special_tokens = True
        case += ids(tokenizer.encode(given, add_special_tokens=False).ids)
        tokenizer.encode_special_tokens = False
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        tokenizer.encode_special_tokens = False
        return b""
    case += text(tokenizer.decode(whole, skip_special_tokens=True))
    return case + text(tokenizer.decode(whole, skip_special_tokens=False))


def write_case(out, rng, name, made, texts):
    tokenizer = Tokenizer.from_str(json.dumps(made))
    joins_bytes = "ByteFallback" in json.dumps(made["decoder"])
    cases = [case for case in (text_case(tokenizer, given) for given in texts) if case]
    out.write(text(name) + number(joins_bytes) + text(json.dumps(made)) + number(len(cases)))
    out.write(b"".join(cases))
    size = tokenizer.get_vocab_size()
    lists = [[rng.randrange(size) for _ in range(rng.randint(0, 12))] for _ in range(20)]
    out.write(number(len(lists)))
    for tokens in lists:
        out.write(ids(tokens) + text(tokenizer.decode(tokens, skip_special_tokens=True)))


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    known = step_texts.characters(rng)
    named = list(made_tokenizers.tokenizers())
    kinds = list(models())
    random_ones = [(f"random {i}", combined(rng, kinds[i % len(kinds)])) for i in range(96)]
    with open(output, "wb") as out:
        out.write(number(len(named) + len(random_ones)))
        for name, made in named:
            texts = texts_for(rng, made, 60, known) + oracle_texts.all_characters()[::9]
            # tokenizers takes time in the square of the text to cut it into many pieces.
            long = oracle_texts.long_runs(100_000 if name in LONG else 2_000)
            write_case(out, rng, name, made, texts + rng.sample(long, 2))
        for name, made in random_ones:
            write_case(out, rng, name, made, texts_for(rng, made, 16, known))


if __name__ == "__main__":
    main()
