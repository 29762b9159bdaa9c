"""What the decoders of Hugging Face's tokenizers make of the texts of tokens.

usage: decoder_oracle.py OUTPUT SEED

OUTPUT is the number of decoders and their names; then the number of lists; for each the number of
texts, the texts, and what each decoder makes of them: whether it does anything, and the result.
"""
import random
import sys

import oracle_texts
import step_texts
from oracle_texts import number, text
from tokenizers import Regex, decoders

CASES = {
    "byte level": decoders.ByteLevel(),
    "metaspace": decoders.Metaspace(),
    "metaspace never": decoders.Metaspace(prepend_scheme="never"),
    "metaspace first": decoders.Metaspace("_", "first"),
    "word piece": decoders.WordPiece(),
    "word piece plain": decoders.WordPiece("@@", False),
    "byte fallback": decoders.ByteFallback(),
    "fuse": decoders.Fuse(),
    "replace": decoders.Replace("▁", " "),
    "replace pattern": decoders.Replace(Regex(r"\s+|a*"), "-"),
    "strip start": decoders.Strip(" ", 1, 0),
    "strip starts": decoders.Strip("a", 3, 0),
    "strip end": decoders.Strip(" ", 0, 1),
    "bpe": decoders.BPEDecoder(),
    "bpe suffix": decoders.BPEDecoder("a"),
    "ctc": decoders.CTC(),
    "ctc plain": decoders.CTC("a", " ", False),
    "llama": decoders.Sequence([
        decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
        decoders.Strip(" ", 1, 0),
    ]),
    "bytes of words": decoders.Sequence([decoders.WordPiece("##", True), decoders.ByteLevel()]),
}
TOKENS = (
    "▁the ▁a ▁ ▁▁ the a ##ing ## @@x Ġthe Ċ Ġ é Ã © Ã© ä ¸ Ń <pad> <pad>x | || </w> lo</w> _ __x "
    "<s> "
    "<0x0A> <0xE4> <0xB8> <0xAD> <0xFF> <0xC3> <0xa9> <0x41> <0xZZ> <0x+A> <0x1> <0x001> <0xé> . "
    ", ! "
    "? ' n't 'm 's 've 're do not x.y 中 ﷺ 👍 \u0301 aaa aab \0"
).split(" ") + ["", " ", "  ", " a", "a ", " .", " ' ", " n't", " do not", " 's", " aa ", "\n"]
# Tokenizers has a mistake here: it fails on a text that is shorter than what may be removed.
SHORT = {"strip end": 1}


def random_tokens(rng, known):
    def token():
        kind = rng.random()
        source = TOKENS if kind < 0.8 else oracle_texts.WORDS if kind < 0.9 else known
        return rng.choice(source)

    tokens = []
    for _ in range(rng.randint(0, 9)):
        tokens += [token()] * rng.choice((1, 1, 1, 1, 2))
    return tokens


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    known = step_texts.characters(rng)
    with open(output, "wb") as out:
        out.write(oracle_texts.texts(CASES))
        lists = [random_tokens(rng, known) for _ in range(3000)]
        lists += [known[i:i + 200] for i in range(0, len(known), 200)]
        lists += [[c] for c in rng.sample(known, 500)]
        out.write(number(len(lists)))
        for tokens in lists:
            out.write(number(len(tokens)) + b"".join(map(text, tokens)))
            for name, decoder in CASES.items():
                works = all(len(token) >= SHORT.get(name, 0) for token in tokens)
                out.write(number(works) + text(decoder.decode(tokens) if works else ""))


if __name__ == "__main__":
    main()
