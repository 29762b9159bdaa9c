"""bench/compare_llama_cpp.py run on engines that print known rates.

usage: compare_llama_cpp.py
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "bench" / "compare_llama_cpp.py"

# Prints an array as llama-bench does; the n-th call takes the n-th of its rates.
ENGINE = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
log = pathlib.Path({log!r})
with log.open("a") as out:
    out.write({name!r} + " " + " ".join(words) + chr(10))
calls = sum(line.startswith({name!r} + " ") for line in log.read_text().splitlines())
def value(flag):
    return [int(n) for n in words[words.index(flag) + 1].split(",")] if flag in words else [0]
def test(prompt, generated, depth, rate):
    return dict(n_prompt=prompt, n_gen=generated, n_depth=depth, avg_ts=rate, model_type="x")
rate = {rates}[calls - 1]
tests = [test(p, 0, d, 10 * rate) for d in value("-d") for p in value("-p")]
tests += [test(0, n, d, rate) for d in value("-d") for n in value("-n")]
print(json.dumps([t for t in tests if t["n_prompt"] + t["n_gen"]]))
"""


def engine(folder, name, rates, text=ENGINE):
    path = folder / name
    log = str(folder / "log")
    path.write_text(text.format(python=sys.executable, log=log, name=name, rates=rates))
    path.chmod(0o755)
    return path


def run(*words):
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


def ratios_of_rounds(folder):
    ours = engine(folder, "ours", [30, 20, 40])
    slow, fast = engine(folder, "slow", [10, 10, 10]), engine(folder, "fast", [60, 10, 20])
    made = run(
        *[ours, "m.gguf", "-p", "7,9", "-n", "5", "-d", "0,3", "-t", "2", "--rounds", "3"],
        *["--llama-bench", slow, "--llama-bench", f"quick={fast}", "--output", "json"],
    )
    rows = json.loads(made.stdout)
    assert [row["test"] for row in rows] == [
        "pp7", "pp9", "pp7 @ d3", "pp9 @ d3", "tg5", "tg5 @ d3"
    ], rows  # fmt: skip
    row = rows[4]
    assert row["tokens_per_second"] == {"lamina": 30, str(slow): 10, "quick": 20}, row
    assert row["ratio"][str(slow)] == {"median": 3, "least": 2, "greatest": 4}, row
    # By round: 30/60, 20/10, 40/20. The ratio of the medians would be 1.5.
    assert row["ratio"]["quick"] == {"median": 2, "least": 0.5, "greatest": 2}, row
    lines = (folder / "log").read_text().splitlines()
    assert [line.split()[0] for line in lines] == [
        "ours", "slow", "fast", "slow", "fast", "ours", "fast", "ours", "slow"
    ], lines  # fmt: skip
    assert lines[0] == "ours bench m.gguf -p 7,9 -n 5 -t 2 -r 1 -o json -d 0,3 --no-limits", lines
    assert lines[1] == "slow -m m.gguf -p 7,9 -n 5 -t 2 -r 1 -o json -d 0,3 -fa 1", lines


def a_table(folder):
    ours, other = engine(folder, "ours", [30, 30]), engine(folder, "other", [20, 10])
    made = run(ours, "m.gguf", "-p", "0", "-t", 1, "--rounds", 2, "--llama-bench", f"x={other}")
    assert "| tg128 | 30.0 | 15.0 | 2.25x (1.50 to 3.00) |" in made.stdout, made
    assert " -d " not in (folder / "log").read_text()


def mistakes_are_said(folder):
    ours = engine(folder, "ours", [30] * 9)
    silent = engine(folder, "silent", [], "#!/bin/sh\necho '[{{}}]'\n")
    failing = engine(folder, "failing", [], "#!/bin/sh\necho 'no such flag' >&2; exit 3\n")
    for words, said in [
        ([], "nothing to compare with: llama-cpp-python is not installed"),
        (["--llama-bench", "nowhere"], "nowhere is no program that can be run"),
        (["--llama-bench", silent], "printed no array of tests"),
        (["--llama-bench", failing], "no such flag"),
        (["-p", "a", "--llama-bench", silent], "-p 'a': expected numbers"),
        (["-p", "0", "-n", "0", "--llama-bench", silent], "nothing is left to measure"),
        (["-t", "1,2", "--llama-bench", silent], "expected one number"),
    ]:
        if not words:  # whether the package is installed or not
            made = subprocess.run(
                [sys.executable, "-S", "-I", str(SCRIPT), str(ours), "m.gguf"],
                capture_output=True,
                text=True,
            )
        else:
            made = run(ours, "m.gguf", "-t", "1", "--rounds", "1", *words)
        assert made.returncode == 1 and said in made.stderr, (said, made)
        assert "Traceback" not in made.stderr, made


def main():
    failures = 0
    for check in (ratios_of_rounds, a_table, mistakes_are_said):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(pathlib.Path(folder))
                print(f"PASSED compare_llama_cpp: {check.__name__}")
            except AssertionError as error:
                failures += 1
                print(f"FAILED compare_llama_cpp: {check.__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
