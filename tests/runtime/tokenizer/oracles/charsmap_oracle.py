"""What SentencePiece's rules make of texts, by itself and by Hugging Face's tokenizers.

usage: charsmap_oracle.py OUTPUT SEED

OUTPUT is the number of charsmaps and each of them; then the number of texts; for each the text and,
for each charsmap, what SentencePiece makes of it (its options for spaces switched off), then what
tokenizers does.
"""
import io
import random
import sys

import oracle_texts
import sentencepiece
import step_texts
from oracle_texts import number, text
from tokenizers import normalizers

RULES = ("nfkc", "nmt_nfkc", "nfkc_cf", "nmt_nfkc_cf")


def fields(message):
    """The fields of a protobuf message: numbers, and texts for those that have a length."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        size = {0: 0, 1: 8, 2: -1, 5: 4}[key & 7]
        if size == 0:
            varint()
            continue
        size = varint() if size < 0 else size
        yield key >> 3, message[at:at + size]
        at += size


def trained(rng, rule):
    """A charsmap and a processor without rules for spaces."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(oracle_texts.sentences(rng, 300)), model_writer=model,
        vocab_size=400, hard_vocab_limit=False, normalization_rule_name=rule, minloglevel=2,
        add_dummy_prefix=False, remove_extra_whitespaces=False, character_coverage=0.98,
    )
    normalizer = dict(fields(model.getvalue()))[3]
    charsmap = dict(fields(normalizer))[2]
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return charsmap, processor


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    cases = [trained(rng, rule) for rule in RULES]
    precompiled = [normalizers.Precompiled(charsmap) for charsmap, _ in cases]
    with open(output, "wb") as out:
        out.write(number(len(cases)))
        for charsmap, _ in cases:
            out.write(text(charsmap))
        texts = step_texts.texts(rng, 2500)
        # A letter that has a rule goes with what belongs to its grapheme cluster.
        every = texts[2500:]
        texts += ["A" + each.replace("a", "A") for each in every]
        texts += ["".join(c + "A\u0301" for c in each) for each in every[::2]]
        out.write(number(len(texts)))
        for each in texts:
            out.write(text(each))
            for (_, processor), theirs in zip(cases, precompiled):
                out.write(text(processor.normalize(each).replace("\u2581", " ")))
                out.write(text(theirs.normalize_str(each)))


if __name__ == "__main__":
    main()
