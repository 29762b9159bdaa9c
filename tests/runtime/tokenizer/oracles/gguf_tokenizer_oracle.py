"""Tokens of models whose vocabularies a GGUF file may hold as kinds bert and t5.

usage: gguf_tokenizer_oracle.py OUTPUT SEED

OUTPUT is, for BERT in small letters, BERT with capitals and a unigram model of SentencePiece: the
tokens (text, type, score), the charsmap, and texts with their tokens.
"""
import io
import random
import sys

import oracle_texts
import sentencepiece
import step_texts
from oracle_texts import ids, number, score, text
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

NORMAL, CONTROL = 1, 3


def bert(lowercase):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=900, special_tokens=special, show_progress=False)
    sentences = oracle_texts.sentences(random.Random(1), 400) + ["Capital Letters IN Words"] * 20
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    tokens = [(token, CONTROL if token in special else NORMAL, 0.0) for token in vocabulary]
    return tokens, b"", lambda given: tokenizer.encode(given).ids


def unigram():
    model = io.BytesIO()
    sentences = oracle_texts.sentences(random.Random(2), 800)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=model, vocab_size=900, byte_fallback=True,
        pad_id=0, eos_id=1, unk_id=2, bos_id=-1, hard_vocab_limit=False, minloglevel=2,
        character_coverage=0.99)
    read = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    tokens = [(piece.piece, piece.type, piece.score) for piece in read.pieces]
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return (tokens, read.normalizer_spec.precompiled_charsmap,
            lambda given: processor.encode(given) + [1])


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    known = step_texts.characters(rng)
    texts = [step_texts.random_text(rng, known) for _ in range(400)]
    texts += oracle_texts.sentences(rng, 100) + oracle_texts.all_characters()[::20] + ["", " ", "a"]
    with open(output, "wb") as out:
        for tokens, charsmap, encode in (bert(True), bert(False), unigram()):
            out.write(number(len(tokens)))
            for token, kind, its_score in tokens:
                out.write(text(token) + number(kind) + score(its_score))
            kept = [given for given in texts if "\0" not in given]
            out.write(text(charsmap) + number(len(kept)))
            for given in kept:
                out.write(text(given) + ids(encode(given)))


if __name__ == "__main__":
    main()
