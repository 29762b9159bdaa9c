"""Compares `lamina bench` with llama.cpp, and with any other engine's llama-bench, on one file.

usage: compare_llama_cpp.py LAMINA MODEL.gguf [-p 512] [-n 128] [-d 0] [-t N] [--rounds 5]
                            [--llama-bench [NAME=]PATH ...] [--output text|json]

LAMINA is the program. Without --llama-bench the peer is the PyPI package llama-cpp-python, where it
is installed; with it, each binary that is named, run as `PATH -m FILE ... -r 1 -o json -fa 1`.
In each round every engine runs every test once, in a process of its own, each round in another
order; engines warm up before they are timed. Shown are medians in tokens a second, and for each
peer the median, least and greatest ratio of lamina's rate to its rate in the same round.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys

PACKAGE = "llama-cpp-python"


class CannotCompare(Exception):
    """What stands in the way, in a sentence."""


def output_of(command):
    """What the command prints; its errors are shown where it fails."""
    command = [str(word) for word in command]
    try:
        made = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CannotCompare(f"{command[0]} cannot be run: {error.strerror}") from error
    if made.returncode != 0:
        last = "\n".join(made.stderr.strip().splitlines()[-5:])
        raise CannotCompare(f"{' '.join(command)} ended with {made.returncode}:\n{last}")
    return made.stdout


def rates(text, source):
    """{(n_prompt, n_gen, n_depth): tokens a second} of an array as llama-bench prints it."""
    try:
        tests = json.loads(text)
        return {
            (test["n_prompt"], test["n_gen"], test.get("n_depth", 0)): float(test["avg_ts"])
            for test in tests
        }
    except (ValueError, KeyError, TypeError) as error:
        raise CannotCompare(
            f"{source} printed no array of tests with n_prompt, n_gen and avg_ts: {error!r}"
        ) from error


def name(test):
    prompt, generated, depth = test
    parts = [f"pp{prompt}"] * (prompt > 0) + [f"tg{generated}"] * (generated > 0)
    return "+".join(parts) + (f" @ d{depth}" if depth else "")


def common_flags(arguments):
    flags = ["-p", arguments.p, "-n", arguments.n, "-t", arguments.t, "-r", 1, "-o", "json"]
    # Engines that know no depth are not asked for one.
    return flags + (["-d", arguments.d] if arguments.d != "0" else [])


def run_lamina(arguments):
    command = [arguments.lamina, "bench", arguments.model, *common_flags(arguments), "--no-limits"]
    return rates(output_of(command), arguments.lamina)


def run_llama_bench(path, arguments):
    command = [path, "-m", arguments.model, *common_flags(arguments), "-fa", 1]
    return rates(output_of(command), path)


def run_package(arguments):
    """This script again, as the process that loads the package."""
    command = [sys.executable, __file__, arguments.lamina, arguments.model, "--as-package"]
    flags = ["-p", arguments.p, "-n", arguments.n, "-d", arguments.d, "-t", arguments.t]
    return rates(output_of(command + flags), PACKAGE)


def numbers(flag, text):
    try:
        found = [int(item) for item in text.split(",")]
    except ValueError:
        found = [-1]
    if min(found) < 0:
        raise CannotCompare(f"{flag} '{text}': expected numbers such as 128,512")
    return found


def tests_of(arguments):
    return [
        test
        for depth in numbers("-d", arguments.d)
        for test in [(count, 0, depth) for count in numbers("-p", arguments.p)]
        + [(0, count, depth) for count in numbers("-n", arguments.n)]
        if test[0] + test[1] > 0
    ]


def time_package(model, tokens, test):
    """Tokens a second of llama_cpp.Llama: the depth is read first, untimed."""
    import time

    prompt, generated, depth = test
    model.reset()
    if depth:
        model.eval(tokens[:depth])
    start = time.perf_counter()
    if prompt:
        model.eval(tokens[:prompt])
    for token in tokens[:generated]:
        model.eval([token])
    return (prompt + generated) / (time.perf_counter() - start)


def package_main(arguments):
    """Prints what llama-bench would, measured with the package."""
    import random

    import llama_cpp

    tests = tests_of(arguments)
    model = llama_cpp.Llama(
        model_path=arguments.model,
        n_ctx=max(sum(test) for test in tests),
        n_batch=2048,
        n_threads=int(arguments.t),
        n_threads_batch=int(arguments.t),
        flash_attn=True,
        verbose=False,
    )
    draw = random.Random(0)
    tokens = [draw.randrange(model.n_vocab()) for _ in range(max(map(max, tests)))]
    results = []
    for test in tests:
        time_package(model, tokens, (test[0], min(test[1], 1), 0))  # warms up
        keys = dict(zip(("n_prompt", "n_gen", "n_depth"), test))
        results.append(keys | {"avg_ts": time_package(model, tokens, test)})
    print(json.dumps(results))


def peers(arguments):
    """{name: function of the arguments}"""
    if not arguments.llama_bench:
        if importlib.util.find_spec("llama_cpp") is None:
            raise CannotCompare(
                f"nothing to compare with: {PACKAGE} is not installed for {sys.executable} "
                f"(python -m pip install {PACKAGE}), and no --llama-bench PATH was given"
            )
        return {PACKAGE: run_package}
    found = {}
    for text in arguments.llama_bench:
        label, equals, path = text.partition("=")
        path = path if equals else text
        if not os.access(path, os.X_OK) or not pathlib.Path(path).is_file():
            raise CannotCompare(f"--llama-bench {text}: {path} is no program that can be run")
        label = label if equals else path
        found[label] = lambda arguments, path=path: run_llama_bench(path, arguments)
    return found


def measure(engines, arguments):
    """{engine: [rates of round 0, of round 1, ...]}"""
    rounds = {engine: [] for engine in engines}
    for number in range(arguments.rounds):
        order = list(engines)
        order = order[number % len(order) :] + order[: number % len(order)]
        for engine in order:
            print(f"round {number + 1} of {arguments.rounds}: {engine}", file=sys.stderr)
            rounds[engine].append(engines[engine](arguments))
    return rounds


def compare(rounds):
    """A row for each test that all engines ran: medians, and for each peer those of the ratios."""
    ours, *others = rounds
    every = [run for runs in rounds.values() for run in runs]
    common = [test for test in rounds[ours][0] if all(test in run for run in every)]
    rows = []
    for test in common:
        row = {"test": name(test)}
        row["tokens_per_second"] = {
            engine: statistics.median(run[test] for run in runs) for engine, runs in rounds.items()
        }
        row["ratio"] = {}
        for peer in others:
            ratios = [a[test] / b[test] for a, b in zip(rounds[ours], rounds[peer])]
            row["ratio"][peer] = {
                "median": statistics.median(ratios),
                "least": min(ratios),
                "greatest": max(ratios),
            }
        rows.append(row)
    return rows


def table(rows):
    engines = list(rows[0]["tokens_per_second"])
    titles = ["test", *(f"{engine}, t/s" for engine in engines)]
    titles += [f"ratio to {peer} (least to greatest)" for peer in rows[0]["ratio"]]
    lines = ["| " + " | ".join(titles) + " |", "|---" + "|---:" * (len(titles) - 1) + "|"]
    for row in rows:
        cells = [row["test"], *(f"{rate:.1f}" for rate in row["tokens_per_second"].values())]
        for ratio in row["ratio"].values():
            cells.append("{median:.2f}x ({least:.2f} to {greatest:.2f})".format(**ratio))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parse(words):
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lamina", help="the program")
    parser.add_argument("model", help="a .gguf file")
    parser.add_argument("-p", default="512", metavar="LIST")
    parser.add_argument("-n", default="128", metavar="LIST")
    parser.add_argument("-d", default="0", metavar="LIST")
    parser.add_argument("-t", default=str(len(os.sched_getaffinity(0))), metavar="N")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--llama-bench", action="append", metavar="[NAME=]PATH")
    parser.add_argument("--output", choices=["text", "json"], default="text")
    parser.add_argument("--as-package", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.rounds < 1:
        parser.error(f"--rounds {arguments.rounds}: expected 1 or more")
    return arguments


def main(words):
    arguments = parse(words)
    if arguments.as_package:
        return package_main(arguments)
    if not tests_of(arguments):
        raise CannotCompare("-p 0 -n 0: nothing is left to measure; expected one above 0")
    if len(numbers("-t", arguments.t)) != 1:
        raise CannotCompare(f"-t '{arguments.t}': expected one number")
    rows = compare(measure({"lamina": run_lamina} | peers(arguments), arguments))
    if not rows:
        raise CannotCompare("there is no test that all engines ran")
    print(json.dumps(rows, indent=2) if arguments.output == "json" else table(rows))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except CannotCompare as error:
        sys.exit(f"error: {error}")
