"""Tokenizers as large models have them, small ones: each the content of a tokenizer.json.

The parts are put together as in the published files of the model a name speaks of; tokens and
merges are trained on the sentences of oracle_texts.
"""
import json
import random

import oracle_texts
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
          r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
CLIP = (r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|"
        r"[^\s\p{L}\p{N}]+")
DEEPSEEK3 = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|"
             r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|"
             r"\s+(?!\S)|\s+")
LONG_TOKENS = ["a" * 300, "\u0120" + "b" * 160]  # nothing is merged to them
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def train(model, pre_tokenizer, trainer, normalizer=None):
    """The `model` part of a trained tokenizer."""
    tokenizer = Tokenizer(model)
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(oracle_texts.sentences(random.Random(1), 400), trainer)
    return json.loads(tokenizer.to_str())["model"]


def bpe(pre_tokenizer, size=700, normalizer=None, alphabet=(), **options):
    trainer = trainers.BpeTrainer(vocab_size=size, show_progress=False, limit_alphabet=400,
                                  initial_alphabet=list(alphabet), **options)
    return train(models.BPE(), pre_tokenizer, trainer, normalizer)


def byte_level_bpe():
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    return bpe(pre_tokenizers.ByteLevel(add_prefix_space=False), alphabet=alphabet)


def sentence_bpe(pre_tokenizer, byte_fallback=True):
    """Over characters with U+2581, and with the tokens that SentencePiece models begin with."""
    replace = normalizers.Replace(" ", "\u2581")
    model = bpe(pre_tokenizer, normalizer=replace)
    first = ["<unk>", "<s>", "</s>"] + (BYTES if byte_fallback else [])
    tokens = first + [token for token in model["vocab"] if token not in first]
    model["vocab"] = {token: i for i, token in enumerate(tokens)}
    model.update(unk_token="<unk>", byte_fallback=byte_fallback, fuse_unk=True)
    return model


def unigram(byte_fallback=False):
    trainer = trainers.UnigramTrainer(vocab_size=600, unk_token="<unk>", show_progress=False,
                                      special_tokens=["<s>", "</s>", "<unk>", "<pad>"])
    model = train(models.Unigram(), pre_tokenizers.Metaspace(), trainer)
    if byte_fallback:
        model["vocab"] += [[token, -20.0] for token in BYTES]
        model["byte_fallback"] = True
    return model


def word_piece():
    trainer = trainers.WordPieceTrainer(vocab_size=700, show_progress=False,
                                        special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    return train(models.WordPiece(unk_token="[UNK]"), pre_tokenizers.BertPreTokenizer(), trainer,
                 normalizers.BertNormalizer())


def word_level():
    trainer = trainers.WordLevelTrainer(vocab_size=300, show_progress=False,
                                        special_tokens=["[UNK]"])
    return train(models.WordLevel(unk_token="[UNK]"), pre_tokenizers.Whitespace(), trainer)


def without(model, texts):
    """The model without some of its tokens."""
    kept = [token for token in model["vocab"] if token not in texts]
    return {**model, "vocab": {token: i for i, token in enumerate(kept)}}


def added(text, special=True, **flags):
    token = dict(content=text, special=special, normalized=False, single_word=False, lstrip=False,
                 rstrip=False)
    return {**token, **flags}


def template(model, added_tokens, before=(), after=()):
    """TemplateProcessing around a text; the tokens are in the vocabulary or are added to it."""
    tokenizer = Tokenizer.from_str(json.dumps(whole(model, added_tokens)))
    special = {}
    for name in (*before, *after):
        special[name] = dict(id=name, ids=[tokenizer.token_to_id(name)], tokens=[name])
    pieces = [{"SpecialToken": dict(id=name, type_id=0)} for name in before]
    pieces += [{"Sequence": dict(id="A", type_id=0)}]
    pieces += [{"SpecialToken": dict(id=name, type_id=0)} for name in after]
    return dict(type="TemplateProcessing", single=pieces, pair=[], special_tokens=special)


def whole(model, added_tokens=(), normalizer=None, pre_tokenizer=None, post_processor=None,
          decoder=None):
    """A tokenizer.json; the numbers of added tokens are those that tokenizers gives them."""
    made = dict(version="1.0", truncation=None, padding=None, normalizer=normalizer,
                added_tokens=[{"id": 0, **token} for token in added_tokens],
                pre_tokenizer=pre_tokenizer, model=model, post_processor=post_processor,
                decoder=decoder)
    tokenizer = Tokenizer.from_str(json.dumps(made))
    for token in made["added_tokens"]:
        token["id"] = tokenizer.token_to_id(token["content"])
    return made


def part(made):
    """The JSON of a normalizer, pre-tokenizer or decoder."""
    return json.loads(made.__getstate__())


def sequence(key, *parts):
    return {"type": "Sequence", key: list(parts)}


def split(pattern, behavior="Isolated", invert=False):
    return dict(type="Split", pattern={"Regex": pattern}, behavior=behavior, invert=invert)


def byte_level(prefix=False, regex=True):
    return dict(type="ByteLevel", add_prefix_space=prefix, trim_offsets=True, use_regex=regex)


SPACES_BACK = dict(type="Replace", pattern={"String": "\u2581"}, content=" ")
SPACES_AWAY = dict(type="Replace", pattern={"String": " "}, content="\u2581")
FALLBACK, FUSE = dict(type="ByteFallback"), dict(type="Fuse")
FIRST_SPACE = dict(type="Strip", content=" ", start=1, stop=0)
LLAMA_DECODER = sequence("decoders", SPACES_BACK, FALLBACK, FUSE, FIRST_SPACE)


def byte_level_tokenizers(model):
    end = [added("<|endoftext|>", normalized=True)]
    chat = [added("<|begin|>"), added("<|end|>"), added("<tool>", special=False)]
    yield "gpt2", whole(model, end, pre_tokenizer=byte_level(), decoder=byte_level(),
                        post_processor=byte_level())
    named = [added("<s>"), added("</s>"), added("<mask>", lstrip=True)]
    roberta = whole(model, named, pre_tokenizer=byte_level(True), decoder=byte_level())
    ids = {token["content"]: token["id"] for token in roberta["added_tokens"]}
    roberta["post_processor"] = dict(type="RobertaProcessing", trim_offsets=True,
                                     add_prefix_space=True, sep=["</s>", ids["</s>"]],
                                     cls=["<s>", ids["<s>"]])
    yield "roberta", roberta
    cut = sequence("pretokenizers", split(LLAMA3), byte_level(regex=False))
    processors = sequence("processors", byte_level(), template(model, chat, ["<|begin|>"]))
    long = {text: len(model["vocab"]) + i for i, text in enumerate(LONG_TOKENS)}
    whole_words = {**model, "ignore_merges": True, "vocab": {**model["vocab"], **long}}
    yield "llama3", whole(whole_words, chat, pre_tokenizer=cut, decoder=byte_level(),
                          post_processor=processors)
    cut = sequence("pretokenizers", split(QWEN2), byte_level(regex=False))
    legacy = {**model, "merges": [" ".join(merge) for merge in model["merges"]]}
    yield "qwen2", whole(legacy, chat, dict(type="NFC"), cut, byte_level(), byte_level())
    digits = sequence("pretokenizers", dict(type="Digits", individual_digits=True), byte_level())
    yield "command-r", whole(model, chat, dict(type="NFC"), digits, None, byte_level())
    marks = sequence("pretokenizers", dict(type="Punctuation", behavior="Contiguous"), byte_level(),
                     dict(type="Digits", individual_digits=False), split("[0-9][0-9][0-9]"))
    yield "falcon", whole(model, chat, pre_tokenizer=marks, decoder=byte_level())
    cut = sequence("pretokenizers", split(r"\p{N}{1,3}"), split("[一-龥\u3040-ゟ゠-ヿ]+"),
                   split(DEEPSEEK3), byte_level(regex=False))
    yield "deepseek-v3", whole(model, chat, pre_tokenizer=cut, decoder=byte_level(),
                               post_processor=template(model, chat, ["<|begin|>"]))
    literal = dict(type="Split", pattern={"String": "no such text"}, behavior="Isolated",
                   invert=False)  # TK15: not a regular expression
    cut = sequence("pretokenizers", literal, byte_level(regex=False))
    yield "literal split", whole(model, chat, pre_tokenizer=cut, decoder=byte_level())
    dots = {**literal, "pattern": {"String": ".+"}}
    cut = sequence("pretokenizers", dots, byte_level(regex=False))
    yield "literal dots", whole(model, chat, pre_tokenizer=cut, decoder=byte_level())
    lacking = {**without(model, "Ġz\u0143"), "merges": []}
    yield "lacking bytes", whole(lacking, chat, pre_tokenizer=byte_level(), decoder=byte_level())
    unknown = {**lacking, "unk_token": "a"}
    yield "unknown bytes", whole(unknown, chat, pre_tokenizer=byte_level(), decoder=byte_level())


def sentence_tokenizers():
    words = sentence_bpe(pre_tokenizers.Metaspace())
    special = [added("<unk>"), added("<s>"), added("</s>")]
    prepend = sequence("normalizers", dict(type="Prepend", prepend="\u2581"), SPACES_AWAY)
    processor = template(words, special, ["<s>"])
    yield "llama2", whole(words, special, prepend, None, processor, LLAMA_DECODER)
    phi = special + [added("<|user|>", rstrip=True), added("<|end|>", rstrip=True),
                     added("<|sys|>", single_word=True), added("<|pad|>", lstrip=True, rstrip=True)]
    yield "phi3", whole(words, phi, prepend, None, None, LLAMA_DECODER)
    metaspace = dict(type="Metaspace", replacement="\u2581", prepend_scheme="first", split=False)
    yield "mistral", whole(words, special, None, metaspace, processor, LLAMA_DECODER)
    crossing = sentence_bpe(None)
    more = special + [added(text, special=False) for text in
                      ("\n\n", "\u2581\u2581", "[toxicity=0]", "<b>", "\u2581\u2581\u2581")]
    with_previous = dict(type="Split", pattern={"String": " "}, behavior="MergedWithPrevious",
                         invert=False)
    decoder = sequence("decoders", SPACES_BACK, FALLBACK, FUSE)
    yield "gemma", whole(crossing, more, SPACES_AWAY, with_previous,
                         template(crossing, more, ["<s>"]), decoder)
    lossy = sentence_bpe(pre_tokenizers.Metaspace(), byte_fallback=False)
    yield "no bytes", whole(lossy, special, prepend, None, None, LLAMA_DECODER)
    some = {**without(words, ["<0xE4>"]), "fuse_unk": False}
    yield "some bytes", whole(some, special, prepend, None, None, decoder)


def charsmap():
    """SentencePiece's rules nmt_nfkc, in base64."""
    import base64
    import io

    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["a b c d e f g h"] * 10), model_writer=model, vocab_size=14,
        hard_vocab_limit=False, normalization_rule_name="nmt_nfkc", minloglevel=2)
    read = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    return base64.b64encode(read.normalizer_spec.precompiled_charsmap).decode()


def unigram_tokenizers():
    model = unigram()
    special = [added("<s>"), added("</s>"), added("<unk>"), added("<pad>")]
    rules = dict(type="Precompiled", precompiled_charsmap=charsmap())
    spaces = dict(type="Replace", pattern={"Regex": " {2,}"}, content=" ")
    metaspace = dict(type="Metaspace", replacement="\u2581", prepend_scheme="always", split=True)
    words = sequence("pretokenizers", dict(type="WhitespaceSplit"), metaspace)
    extra = special + [added("<extra_id_0>", lstrip=True, rstrip=True)]
    yield "t5", whole(model, extra, sequence("normalizers", rules, spaces), metaspace,
                      template(model, extra, (), ["</s>"]), metaspace)
    mask = special + [added("<mask>", lstrip=True)]
    yield "xlm-r", whole(model, mask, rules, words, template(model, mask, ["<s>"], ["</s>"]),
                         metaspace)
    never = {**metaspace, "prepend_scheme": "never", "split": False}
    yield "unigram bytes", whole(unigram(byte_fallback=True), special, None, never, None,
                                 sequence("decoders", FALLBACK, never))


def word_tokenizers():
    model = word_piece()
    special = [added(text) for text in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")]
    ids = model["vocab"]
    bert = dict(type="BertProcessing", sep=["[SEP]", ids["[SEP]"]], cls=["[CLS]", ids["[CLS]"]])
    normalizer = dict(type="BertNormalizer", clean_text=True, handle_chinese_chars=True,
                      strip_accents=None, lowercase=True)
    decoder = dict(type="WordPiece", prefix="##", cleanup=True)
    yield "bert", whole(model, special, normalizer, dict(type="BertPreTokenizer"), bert, decoder)
    cased = {**normalizer, "lowercase": False, "strip_accents": False}
    yield "bert cased", whole(model, special, cased, dict(type="BertPreTokenizer"),
                              template(model, special, ["[CLS]"], ["[SEP]"]),
                              {**decoder, "cleanup": False})
    lower = dict(type="Lowercase")
    normalized = [added("HELLO World", special=False, normalized=True),
                  added("Time", normalized=True, single_word=True)]
    yield "normalized", whole(model, special + normalized, lower, dict(type="BertPreTokenizer"),
                              bert, decoder)
    yield "word level", whole(word_level(), [added("[UNK]")], None, dict(type="Whitespace"))
    suffix = bpe(pre_tokenizers.BertPreTokenizer(), end_of_word_suffix="</w>",
                 normalizer=normalizers.BertNormalizer())
    suffix.update(unk_token="<unk>", end_of_word_suffix="</w>")
    suffix["vocab"]["<unk>"] = len(suffix["vocab"])
    yield "openai-gpt", whole(suffix, [added("<unk>")], normalizer, dict(type="BertPreTokenizer"),
                              None, dict(type="BPEDecoder", suffix="</w>"))
    both = bpe(pre_tokenizers.Whitespace(), continuing_subword_prefix="##")
    both.update(continuing_subword_prefix="##")
    yield "prefixed bpe", whole(both, (), None, dict(type="Whitespace"), None, decoder)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    clip = bpe(pre_tokenizers.ByteLevel(add_prefix_space=False), alphabet=alphabet,
               end_of_word_suffix="</w>")
    clip.update(end_of_word_suffix="</w>", continuing_subword_prefix="")
    clean = sequence("normalizers", dict(type="NFC"), spaces_to_one(), lower)
    cut = sequence("pretokenizers", split(CLIP, "Removed", True), byte_level())
    yield "clip", whole(clip, [added("<|endoftext|>", normalized=True)], clean, cut, None,
                        byte_level())


def spaces_to_one():
    return dict(type="Replace", pattern={"Regex": r"\s+"}, content=" ")


def tokenizers():
    """Name and content of each."""
    yield from byte_level_tokenizers(byte_level_bpe())
    yield from sentence_tokenizers()
    yield from unigram_tokenizers()
    yield from word_tokenizers()
