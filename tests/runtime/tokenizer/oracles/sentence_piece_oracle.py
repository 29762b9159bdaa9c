"""Trains SentencePiece models of every type with many options, and says what they make of texts.

usage: sentence_piece_oracle.py OUTPUT SEED

OUTPUT is the number of models; for each a description, the bytes of the model, the numbers of its
bos, eos and pad pieces, texts, each with its tokens and what these decode to, and lists of random
tokens with what they decode to.
"""
import io
import random
import sys

import oracle_texts
import sentencepiece
from oracle_texts import ids, number, text

PLAIN = {"remove_extra_whitespaces": False, "normalization_rule_name": "identity"}
SYMBOLS = {
    "user_defined_symbols": ["<sep>", "the", "▁▁", "ab", "abc", "中文", "x y", "\n\n", "ﬁ"],
    "control_symbols": ["<ctl>", "[INST]"],
}
OPTIONS = [
    ("unigram", {}),
    ("unigram", {"byte_fallback": True, "add_dummy_prefix": False, **PLAIN}),
    ("unigram", {"normalization_rule_name": "nfkc", "treat_whitespace_as_suffix": True, **SYMBOLS}),
    ("unigram", {"normalization_rule_name": "nmt_nfkc_cf", "byte_fallback": True, **SYMBOLS,
                 "pad_id": 3, "unk_surface": "", "bos_piece": "[B]", "unk_piece": "[U]"}),
    ("unigram", {**PLAIN, "allow_whitespace_only_pieces": True, **SYMBOLS}),
    ("bpe", {}),
    ("bpe", {"byte_fallback": True, "split_digits": True, **PLAIN}),
    ("bpe", {"byte_fallback": True, "normalization_rule_name": "nfkc_cf", **SYMBOLS}),
    ("bpe", {"add_dummy_prefix": False, "allow_whitespace_only_pieces": True, **PLAIN, **SYMBOLS}),
    ("bpe", {"treat_whitespace_as_suffix": True, "unk_surface": "?", "eos_id": -1, "pad_id": 1,
             "bos_id": 2, "unk_id": 0}),
    ("char", {}),
    ("char", {**PLAIN, **SYMBOLS}),
    ("word", {}),
    ("word", {"add_dummy_prefix": False, **PLAIN, **SYMBOLS}),
]


def trained(model_type, options, sentences):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, model_type=model_type,
        vocab_size=900 if options.get("byte_fallback") else 650, hard_vocab_limit=False,
        character_coverage=0.995, minloglevel=2, num_threads=1, seed_sentencepiece_size=5000,
        **options)
    return model.getvalue()


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    sentences = [s for s in oracle_texts.sentences(rng, 800) if s.strip()]
    with open(output, "wb") as out:
        out.write(number(len(OPTIONS)))
        for model_type, options in OPTIONS:
            model = trained(model_type, options, sentences)
            processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            out.write(text(f"{model_type} {options}") + text(model))
            for piece in (processor.bos_id(), processor.eos_id(), processor.pad_id()):
                out.write(number(piece))
            texts = [oracle_texts.random_text(rng) for _ in range(1000)]
            texts += oracle_texts.sentences(rng, 100) + oracle_texts.all_characters()[::5]
            texts += ["", " ", "  ", " a", "a ", "▁", "▁a", "a▁ b", "x  y x y"]
            texts += ["\0", "a\0b", "abcab"]
            texts += [processor.id_to_piece(i) for i in range(0, len(processor), 7)]
            texts += oracle_texts.long_runs(100_000)
            texts = [t for t in texts if "<ctl>" not in t]
            out.write(number(len(texts)))
            for given in texts:
                found = processor.encode(given)
                out.write(text(given) + ids(found) + text(processor.decode(found)))
            out.write(number(300))
            for _ in range(300):
                found = [rng.randrange(len(processor)) for _ in range(rng.randint(0, 8))]
                out.write(ids(found) + text(processor.decode(found)))


if __name__ == "__main__":
    main()
