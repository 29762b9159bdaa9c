"""Trains small tokenizers and records, for many texts, the ids that their own libraries give.

Byte-level and character BPE by PyPI `tokenizers`, SentencePiece by PyPI `sentencepiece`; the files
are vocabulary-only GGUF by PyPI `gguf`. Writes NAME.gguf and NAME.json beside this script; the
texts are in texts.json.

usage: make_tokenizers.py
"""
import io
import json
import pathlib

import gguf
import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer
from tokenizers import models, normalizers, pre_tokenizers, trainers

import corpus

HERE = pathlib.Path(__file__).resolve().parent
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6
CONTROLS = ["<|endoftext|>", "<|start|>", "<|end|>"]
ADDED = ["<tool>", "</tool>"]

CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|" + TAIL
QWEN2 = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|" + TAIL


def split_by(pattern):
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), byte_level])


def write_gguf(name, model, pre, tokens, types, keys, merges=None, scores=None):
    writer = gguf.GGUFWriter(HERE / f"{name}.gguf", "llama")
    writer.add_tokenizer_model(model)
    if pre:
        writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    if scores:
        writer.add_token_scores(scores)
    if merges:
        writer.add_token_merges(merges)
    for key, value in keys.items():
        add = writer.add_bool if isinstance(value, bool) else writer.add_uint32
        add(f"tokenizer.ggml.{key}", value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def record(name, plain, parsed, lossless):
    """Expected ids of all texts where special text is text (`plain`), and of the special ones where
    it is tokens (`parsed`; null: not recorded)."""
    expected = {"plain": plain, "parsed": parsed, "lossless": lossless}
    (HERE / f"{name}.json").write_text(json.dumps(expected, separators=(",", ":")) + "\n")


def record_bpe(name, tokenizer, lossless):
    def ids(text):
        return tokenizer.encode(text, add_special_tokens=False).ids
    tokenizer.encode_special_tokens = True  # special text is text
    plain = [ids(text) for text in corpus.recorded_texts() + corpus.SPECIAL]
    tokenizer.encode_special_tokens = False
    record(name, plain, [ids(text) for text in corpus.SPECIAL], lossless)


def bpe_parts(tokenizer):
    """Tokens by id, merges as text."""
    model = json.loads(tokenizer.to_str())["model"]
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    tokens = [text for text, _ in sorted(vocabulary.items(), key=lambda item: item[1])]
    return tokens, [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]


def add_special(tokenizer, tokens):
    """Control and user-defined tokens after the others, and the types of all."""
    def added(texts, special):
        return [AddedToken(text, normalized=False, special=special) for text in texts]
    tokenizer.add_special_tokens(added(CONTROLS, True))
    tokenizer.add_tokens(added(ADDED, False))
    types = [NORMAL] * len(tokens) + [CONTROL] * len(CONTROLS) + [USER_DEFINED] * len(ADDED)
    return tokens + CONTROLS + ADDED, types


def byte_level(name, pre, pre_tokenizer, whole_alphabet=True, whole_words=(), keys=None):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    alphabet = pre_tokenizers.ByteLevel.alphabet() if whole_alphabet else []
    tokenizer.train_from_iterator(corpus.training_lines(), trainers.BpeTrainer(
        vocab_size=900, initial_alphabet=alphabet, show_progress=False))
    tokens, merges = bpe_parts(tokenizer)
    tokens += whole_words  # in the vocabulary, but no merge makes them
    tokenizer.model = models.BPE(vocab={text: i for i, text in enumerate(tokens)},
                                 merges=[tuple(m.split(" ")) for m in merges],
                                 ignore_merges=bool(whole_words))
    tokens, types = add_special(tokenizer, tokens)
    end = tokens.index("<|endoftext|>")
    keys = {"bos_token_id": end, "eos_token_id": end, **(keys or {})}
    write_gguf(name, "gpt2", pre, tokens, types, keys, merges)
    record_bpe(name, tokenizer, lossless=whole_alphabet)


def characters(name):
    """Gemma's way: characters, spaces as U+2581, bytes for what is no token."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[^\n]+|[\n]+"), "isolated")
    lines = "\n".join(corpus.training_lines()).replace("dog", "dog\n\n\n").splitlines(keepends=True)
    tokenizer.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=900, show_progress=False))
    tokens, merges = bpe_parts(tokenizer)
    known = ["<unk>", "<bos>", "<eos>"]
    byte_tokens = [f"<0x{byte:02X}>" for byte in range(256)]
    tokens = known + byte_tokens + tokens
    tokenizer.model = models.BPE(vocab={text: i for i, text in enumerate(tokens)},
                                 merges=[tuple(m.split(" ")) for m in merges], unk_token="<unk>",
                                 byte_fallback=True, fuse_unk=True)
    tokenizer.pre_tokenizer = None  # what it was trained with is no boundary any more
    tokens, types = add_special(tokenizer, tokens)
    types[: len(known) + 256] = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256
    keys = {"bos_token_id": 1, "eos_token_id": 2, "unknown_token_id": 0, "add_bos_token": True}
    write_gguf(name, "gemma4", None, tokens, types, keys, merges)
    record_bpe(name, tokenizer, lossless=True)


def sentence_piece(name, *, byte_fallback=True, space_prefix=True, user_defined=()):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus.training_lines()), model_writer=model, model_type="bpe",
        vocab_size=1000 if byte_fallback else 744, byte_fallback=byte_fallback,
        add_dummy_prefix=space_prefix, normalization_rule_name="identity",
        remove_extra_whitespaces=False, character_coverage=0.99,
        user_defined_symbols=list(user_defined), num_threads=1, minloglevel=2)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    ids = range(processor.vocab_size())

    def type_of(i):
        if processor.is_unknown(i):
            return UNKNOWN
        if processor.is_control(i):
            return CONTROL
        if processor.is_byte(i):
            return BYTE
        return USER_DEFINED if processor.id_to_piece(i) in user_defined else NORMAL
    keys = {"bos_token_id": processor.bos_id(), "eos_token_id": processor.eos_id(),
            "unknown_token_id": processor.unk_id(), "add_bos_token": True,
            "add_space_prefix": space_prefix}
    tokens = [processor.id_to_piece(i) for i in ids]
    scores = [processor.get_score(i) for i in ids]
    write_gguf(name, "llama", None, tokens, [type_of(i) for i in ids], keys, scores=scores)
    texts = corpus.recorded_texts() + corpus.SPECIAL
    record(name, [processor.encode(text) for text in texts], None, lossless=byte_fallback)


def main():
    texts = corpus.recorded_texts() + corpus.SPECIAL
    as_json = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    (HERE / "texts.json").write_text(as_json + "\n")
    gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    byte_level("gpt2", "gpt-2", gpt2)
    byte_level("llama3", "llama-bpe", split_by(LLAMA3),
               whole_words=["Ġresnotice", "Thermometers", "Ġabcabcabc"],
               keys={"add_eos_token": True})
    byte_level("qwen2", "qwen2", split_by(QWEN2))
    digits = pre_tokenizers.Digits(individual_digits=True)
    byte_level("smollm", "smollm", pre_tokenizers.Sequence([digits, gpt2]), whole_alphabet=False)
    characters("gemma4")
    sentence_piece("llama")
    sentence_piece("gemma", space_prefix=False, user_defined=ADDED)
    sentence_piece("unknown", byte_fallback=False)


if __name__ == "__main__":
    main()
