"""Tokens of Hugging Face's Unigram, WordPiece and WordLevel, of vocabularies made at random.

usage: models_oracle.py OUTPUT SEED

OUTPUT is the number of cases; for each the model's name, the unknown token, the byte fallback, the
longest word and the tokens (text and score), then texts, each with its tokens (none where the model
refuses it).
"""
import random
import sys

import oracle_texts
from oracle_texts import ids, number, score, text
from tokenizers import models


def substrings(rng, count):
    """Different parts of sentences, and the characters of some."""
    source = "".join(oracle_texts.sentences(rng, 200))
    found = {c for c in source if rng.random() < 0.9}
    while len(found) < count:
        at = rng.randrange(len(source))
        found.add(source[at:at + rng.choice((1, 2, 2, 3, 3, 4, 5, 8, 20))])
    return sorted(found, key=lambda _: rng.random())


def unigram(rng, byte_fallback, tied):
    tokens = ["<unk>"] + substrings(rng, 900)
    if byte_fallback:
        tokens += [f"<0x{byte:02X}>" for byte in range(256 if rng.random() < 0.7 else 200)]

    def random_score():
        return -float(rng.randint(3, 6)) if tied else rng.uniform(-14, -4)

    vocab = [(token, random_score()) for token in tokens]
    model = models.Unigram(vocab, 0, byte_fallback)
    return "unigram", model, 0, byte_fallback, 0, vocab


def word_piece(rng, limit):
    found = substrings(rng, 800)
    tokens = ["[UNK]"] + found[:500] + ["##" + token for token in found[200:]]
    vocab = {token: i for i, token in enumerate(tokens)}
    model = models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=limit)
    return "word_piece", model, 0, False, limit, [(token, 0.0) for token in vocab]


def word_level(rng):
    tokens = substrings(rng, 500) + ["<unk>"]
    vocab = {token: i for i, token in enumerate(tokens)}
    model = models.WordLevel(vocab, unk_token="<unk>")
    return "word_level", model, len(tokens) - 1, False, 0, [(token, 0.0) for token in vocab]


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    cases = [unigram(rng, fallback, tied) for fallback in (False, True) for tied in (False, True)]
    cases += [unigram(rng, True, False), word_piece(rng, 100), word_piece(rng, 12), word_level(rng)]
    with open(output, "wb") as out:
        out.write(number(len(cases)))
        for name, model, unknown, byte_fallback, limit, vocab in cases:
            out.write(text(name) + number(unknown) + number(byte_fallback) + number(limit))
            out.write(number(len(vocab)))
            for token, its_score in vocab:
                out.write(text(token) + score(its_score))
            texts = [oracle_texts.random_text(rng) for _ in range(700)]
            texts += oracle_texts.sentences(rng, 100) + oracle_texts.all_characters()[::7]
            texts += [word for word in oracle_texts.WORDS if word]
            texts += [token for token, _ in vocab[:200]] + ["x<unk>\u3001<unk>", "<0x41>"]
            texts += oracle_texts.long_runs(2000 if name == "word_piece" else 100_000)
            texts = [given for given in texts if given]
            out.write(number(len(texts)))
            for given in texts:
                out.write(text(given) + ids([token.id for token in model.tokenize(given)]))


if __name__ == "__main__":
    main()
