"""Files of tiktoken, of tokens trained here, and the tokens of texts by each published pattern.

usage: tiktoken_oracle.py OUTPUT SEED

OUTPUT is the number of files; for each its content; the special tokens (text and number); the
number of patterns, each with a name (empty where only the pattern is given), the pattern, then
texts, each with its tokens. For the last pattern of a file, which makes one piece of everything,
texts are any bytes.
"""
import base64
import random
import sys

import oracle_texts
import tiktoken
import tokenizers
from oracle_texts import ids, number, text
from tiktoken_ext import openai_public
from tokenizers import models, pre_tokenizers, trainers

openai_public.load_tiktoken_bpe = lambda *_, **__: {}
openai_public.data_gym_to_mergeable_bpe_ranks = lambda *_, **__: {}
LONG = [b"a" * 300, b" " + b"b" * 160]  # tokens that nothing is merged to
CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|"
UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
LEAD = r"[^\r\n\p{L}\p{N}]?"
PATTERNS = [
    ("cl100k", openai_public.cl100k_base()["pat_str"]),
    ("o200k", openai_public.o200k_base()["pat_str"]),
    ("p50k", openai_public.p50k_base()["pat_str"]),
    ("gpt2", openai_public.gpt2()["pat_str"]),
    ("llama3", WORDS + r"\p{N}{1,3}" + TAIL),
    ("qwen", WORDS + r"\p{N}" + TAIL),
    ("kimi", rf"[\p{{Han}}]+|{LEAD}{UPPER}*{LOWER}+{CONTRACTIONS}?|"
             rf"{LEAD}{UPPER}+{LOWER}*{CONTRACTIONS}?|\p{{N}}{{1,3}}" + TAIL),
    ("", r"[a-z]+|[^a-z]+"),
    ("", r"[\s\S]+"),
]


def trained(rng):
    """The bytes of tokens, in the order in which they were made."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=2500, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(oracle_texts.sentences(rng, 3000), trainer)
    printable = [b for b in range(256) if chr(b).isprintable() and chr(b) != " "]
    others = [b for b in range(256) if b not in printable]
    spelled = {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(others)}
    vocab = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    return [bytes(spelled[c] for c in token) for token, _ in vocab]


def files(rng):
    """Ranks as trained, and shuffled ones with gaps, by which some tokens are never merged."""
    tokens = trained(rng) + LONG
    yield {token: rank for rank, token in enumerate(tokens)}
    numbers = sorted(rng.sample(range(6000), len(tokens)))
    rng.shuffle(tokens)
    yield dict(zip(tokens, numbers))


def random_bytes(rng):
    given = bytearray(oracle_texts.random_text(rng).encode())
    for _ in range(rng.randint(0, 6)):
        given.insert(rng.randint(0, len(given)), rng.randrange(256))
    return bytes(given)


def main():
    output, rng = sys.argv[1], random.Random(int(sys.argv[2]))
    special = {"<|endoftext|>": 7000, "<|x|>": 7001, "<|x|><|y|>": 7100}
    with open(output, "wb") as out:
        out.write(number(2))
        for ranks in files(rng):
            lines = [f"{base64.b64encode(token).decode()} {rank}\n"
                     for token, rank in ranks.items()]
            out.write(text("".join(lines)) + number(len(special)))
            for token, its_number in special.items():
                out.write(text(token) + number(its_number))
            out.write(number(len(PATTERNS)))
            for name, pattern in PATTERNS:
                encoding = tiktoken.Encoding(
                    "test", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
                texts = [oracle_texts.random_text(rng) for _ in range(700)]
                texts += oracle_texts.sentences(rng, 100) + oracle_texts.all_characters()[::7]
                texts += ["", "a<|endoftext|> <|x|>b<|x|><|y|>", "<|x", "a \n  ", " \n\n \n x  "]
                texts += oracle_texts.long_runs(20_000)
                texts += ["a" * size for size in (128, 129, 299, 300, 301, 600)]
                texts += ["a" * 300 + " " + "b" * 160 + "!"]
                out.write(text(name) + text(pattern))
                if pattern == r"[\s\S]+":
                    pieces = [random_bytes(rng) for _ in range(1500)]
                    pieces = [p for p in pieces if p and b"<|" not in p]
                    found = [(p, encoding._encode_single_piece(p)) for p in pieces]
                else:
                    found = [(t, encoding.encode(t, allowed_special="all")) for t in texts]
                out.write(number(len(found)))
                for given, tokens in found:
                    out.write(text(given) + ids(tokens))


if __name__ == "__main__":
    main()
