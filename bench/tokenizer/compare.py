"""Prints MB/s of lamina beside the PyPI package `tokenizers`, on the same vocabularies and texts.

usage: compare.py BENCH VOCABULARY.gguf ... [--rounds 5] [--documents 16] [--passes 3]
                  [--english FILE ...] [--chinese FILE ...] [--code FILE ...]

BENCH is the executable bench_tokenizer. Texts are documents of 64 KiB without repeated lines, from
this machine's disk (texts.py) or from the files given. Both run one thread; in each round lamina
and `tokenizers` take turns, each in a new process, and make several passes over all documents.
Shown are medians over the rounds, of the first pass and of all, in processor time, and whether all
tokens are equal.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import peer  # noqa: E402
import texts  # noqa: E402


def records(data, size):
    """The records of a file of lengths and contents."""
    at = 0
    while at < len(data):
        (count,) = struct.unpack_from("=I", data, at)
        yield data[at + 4 : at + 4 + count * size]
        at += 4 + count * size


def run_lamina(bench, vocabulary, documents, passes, folder):
    ids = folder / "ids"
    made = subprocess.run(
        [bench, vocabulary, documents, str(passes), ids], capture_output=True, check=True
    )
    read = [list(memoryview(r).cast("i")) for r in records(ids.read_bytes(), 4)]
    return json.loads(made.stdout)["passes"], read


def run_peer(*arguments):
    """In a process of its own: what others leave in memory slows it down."""
    fresh = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=fresh) as one:
        return one.submit(passes_of_peer, *arguments).result()


def passes_of_peer(vocabulary, documents, passes):
    tokenizer = peer.load(vocabulary)
    size = sum(len(text.encode()) for text in documents)
    speeds = []
    for _ in range(passes):
        start = time.process_time()
        ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in documents]
        speeds.append(size / 1e6 / (time.process_time() - start))
    return speeds, ids


def overall(speeds):
    return len(speeds) / sum(1 / speed for speed in speeds)


def compare(arguments, vocabulary, documents, folder):
    file = folder / "documents"
    with open(file, "wb") as out:
        for text in documents:
            out.write(struct.pack("=I", len(text.encode())) + text.encode())
    measured = {"lamina": [], "tokenizers": []}
    equal = True
    for _ in range(arguments.rounds):
        ours, our_ids = run_lamina(arguments.bench, vocabulary, file, arguments.passes, folder)
        theirs, their_ids = run_peer(vocabulary, documents, arguments.passes)
        measured["lamina"].append(ours)
        measured["tokenizers"].append(theirs)
        equal = equal and our_ids == their_ids
    first, every = (
        {who: statistics.median(map(speed, runs)) for who, runs in measured.items()}
        for speed in (lambda run: run[0], overall)
    )
    return first, every, equal


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("vocabulary", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=16)
    parser.add_argument("--passes", type=int, default=3)
    for language in texts.LANGUAGES:
        parser.add_argument("--" + language.lower(), nargs="+", default=[])
    arguments = parser.parse_args()
    made = {
        language: texts.texts(language, arguments.documents, getattr(arguments, language.lower()))
        for language in texts.LANGUAGES
    }
    titles = "vocabulary|text|first pass|tokenizers|ratio|all|tokenizers|ratio|ids"
    print(f"|{titles}|\n" + "|---" * 9 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for vocabulary in arguments.vocabulary:
            name = pathlib.Path(vocabulary).stem.removeprefix("ggml-vocab-")
            for language, documents in made.items():
                if not documents:
                    print(f"| {name} | {language}: no text here, give files | | | | | | | |")
                    continue
                *speeds, equal = compare(arguments, vocabulary, documents, pathlib.Path(folder))
                cells = []
                for speed in speeds:
                    ours, theirs = speed["lamina"], speed["tokenizers"]
                    cells += [f"{ours:.1f}", f"{theirs:.2f}", f"{ours / theirs:.1f}x"]
                row = [name, language, *cells, "equal" if equal else "DIFFERENT"]
                print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
