"""Writes the files that fuzzing of tokenizer.json and tokenizer.model starts from: small ones that
use every part of their format once.

usage: make_seeds.py   (needs tokenizers and sentencepiece; writes into its own folder)
"""

import io
import os
import pathlib
import random

import sentencepiece
from tokenizers import (
    AddedToken,
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

HERE = pathlib.Path(__file__).resolve().parent
CHARACTERS = list("abcdeé你 ▁") + ["##a", "##b", "ab", "abc", "▁a", "[UNK]", "[CLS]", "[SEP]", "Ġ"]
VOCABULARY = {text: i for i, text in enumerate(CHARACTERS)}
BYTES = {f"<0x{byte:02X}>": len(CHARACTERS) + byte for byte in range(256)}


def tokenizer_files():
    split = pre_tokenizers.Split
    bpe = models.BPE(
        vocab=VOCABULARY | BYTES,
        merges=[("a", "b"), ("ab", "c")],
        unk_token="[UNK]",
        fuse_unk=True,
        byte_fallback=True,
    )
    yield "bpe", Tokenizer(bpe), dict(
        normalizer=normalizers.Sequence(
            [normalizers.NFC(), normalizers.Replace(Regex(" +"), " "), normalizers.Prepend("▁")]
        ),
        pre_tokenizer=pre_tokenizers.Sequence(
            [split(Regex(r"\p{N}{1,3}|\s+(?!\S)"), "isolated"), split("\n", "removed", True)]
        ),
        decoder=decoders.Sequence(
            [
                decoders.Replace("▁", " "),
                decoders.ByteFallback(),
                decoders.Fuse(),
                decoders.Strip(" ", 1, 0),
            ]
        ),
        post_processor=processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 14), ("[SEP]", 15)]
        ),
    )
    yield "byte_level", Tokenizer(
        models.BPE(vocab=VOCABULARY, merges=[("a", "b")], ignore_merges=True)
    ), dict(
        normalizer=normalizers.NFKD(),
        pre_tokenizer=pre_tokenizers.Sequence(
            [
                pre_tokenizers.Digits(True),
                pre_tokenizers.Punctuation("contiguous"),
                pre_tokenizers.ByteLevel(add_prefix_space=True),
            ]
        ),
        decoder=decoders.ByteLevel(),
        post_processor=processors.ByteLevel(trim_offsets=False),
    )
    unigram = models.Unigram([(text, -1.5 * i) for text, i in VOCABULARY.items()], 13, False)
    yield "unigram", Tokenizer(unigram), dict(
        normalizer=normalizers.Sequence(
            [normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(), normalizers.Lowercase()]
        ),
        pre_tokenizer=pre_tokenizers.Metaspace(prepend_scheme="first"),
        decoder=decoders.Metaspace(),
        post_processor=processors.RobertaProcessing(("[SEP]", 15), ("[CLS]", 14)),
    )
    yield "word_piece", Tokenizer(models.WordPiece(vocab=VOCABULARY, unk_token="[UNK]")), dict(
        normalizer=normalizers.BertNormalizer(),
        pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
        decoder=decoders.WordPiece(),
        post_processor=processors.BertProcessing(("[SEP]", 15), ("[CLS]", 14)),
    )
    yield "word_level", Tokenizer(models.WordLevel(vocab=VOCABULARY, unk_token="[UNK]")), dict(
        normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
        pre_tokenizer=pre_tokenizers.Sequence(
            [
                pre_tokenizers.UnicodeScripts(),
                pre_tokenizers.WhitespaceSplit(),
                pre_tokenizers.CharDelimiterSplit("-"),
            ]
        ),
        decoder=decoders.CTC(),
    )


def write_tokenizer_files():
    (HERE / "tokenizer_json").mkdir(exist_ok=True)
    for name, tokenizer, parts in tokenizer_files():
        for part, value in parts.items():
            setattr(tokenizer, part, value)
        tokenizer.add_special_tokens([AddedToken("<s>", lstrip=True, rstrip=True)])
        tokenizer.add_tokens([AddedToken("ÉC", normalized=True, single_word=True)])
        (HERE / "tokenizer_json" / f"{name}.json").write_text(tokenizer.to_str(), "utf-8")


def write_models():
    (HERE / "tokenizer_model").mkdir(exist_ok=True)
    random.seed(1)
    words = ["".join(random.choices("abcé你", k=random.randint(1, 5))) for _ in range(200)]
    lines = [" ".join(random.choices(words, k=6)) for _ in range(200)]
    os.chdir(HERE)  # models hold the rules' path as it is given
    rules = pathlib.Path("rules.tsv")
    rules.write_text("41\t61\nFB01\t66 69\n65 301\tE9\n")
    for kind, size in [("bpe", 300), ("unigram", 300), ("char", 12), ("word", 40)]:
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            model_type=kind,
            vocab_size=size,
            byte_fallback=kind in ("bpe", "unigram"),
            normalization_rule_tsv=str(rules),
            user_defined_symbols=["<u>"],
            hard_vocab_limit=False,
            minloglevel=2,
        )
        (HERE / "tokenizer_model" / f"{kind}.model").write_bytes(model.getvalue())
    rules.unlink()


if __name__ == "__main__":
    write_tokenizer_files()
    write_models()
