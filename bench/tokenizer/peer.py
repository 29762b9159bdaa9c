"""The PyPI package `tokenizers` on the vocabulary of a GGUF file."""

import gguf
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
WORD = CONTRACTION + r"|[^\r\n\p{L}\p{N}]?\p{L}+|"
PATTERNS = {
    "llama-bpe": WORD + r"\p{N}{1,3}|" + TAIL,
    "qwen2": WORD + r"\p{N}|" + TAIL,
}


class Vocabulary:
    def __init__(self, path):
        fields = gguf.GGUFReader(path).fields

        def value(key, default=None):
            field = fields.get("tokenizer.ggml." + key)
            return default if field is None else field.contents()

        self.model, self.pre = value("model"), value("pre")
        self.tokens, self.types = value("tokens"), value("token_type")
        self.scores, self.merges = value("scores", []), value("merges", [])
        self.ids = {token: i for i, token in enumerate(self.tokens)}


def byte_level(vocabulary):
    merges = [tuple(merge.split(" ", 1)) for merge in vocabulary.merges]
    whole_words = vocabulary.pre == "llama-bpe"
    tokenizer = Tokenizer(models.BPE(vocabulary.ids, merges, ignore_merges=whole_words))
    if vocabulary.pre == "gpt-2":
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(PATTERNS[vocabulary.pre]), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def sentence_piece(vocabulary):
    """Merges from scores, as transformers converts SentencePiece models."""
    ids, merges = vocabulary.ids, []
    for piece, number in ids.items():
        if vocabulary.types[number] != NORMAL:
            continue
        for i in range(1, len(piece)):
            left, right = piece[:i], piece[i:]
            if left in ids and right in ids:
                merges.append((-vocabulary.scores[number], ids[left], ids[right], left, right))
    merges.sort(key=lambda merge: merge[:3])
    unknown = vocabulary.tokens[vocabulary.types.index(UNKNOWN)]
    tokenizer = Tokenizer(
        models.BPE(
            ids,
            [(left, right) for *_, left, right in merges],
            unk_token=unknown,
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
    )
    return tokenizer


def load(path):
    vocabulary = Vocabulary(path)
    if vocabulary.model == "llama":
        return sentence_piece(vocabulary)
    return byte_level(vocabulary)
