"""Runs the tests that CMake registered and counts them one by one: cases of Boost.Test executables
by their report, lines `PASSED name`, `FAILED name: why`, `SKIPPED name: why` of script checks. Ends
with the counts.

usage: run.py BUILD_DIR [--label LABEL] [NAME ... | list]
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

TIMEOUT = 1800  # seconds for one executable or check


def registered(build):
    """Name, command, folder and labels of every test of the build tree."""
    listing = subprocess.run(
        ["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True
    )
    for test in json.loads(listing.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        command = test.get("command")  # none where the executable was not built
        folder, labels = properties.get("WORKING_DIRECTORY"), properties.get("LABELS", [])
        yield test["name"], command, folder, labels


def execute(command, folder):
    """Exit status (None: out of time) and everything printed."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            status = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait() and None
        log.seek(0)
        return status, log.read().decode("utf-8", "replace")


def boost_cases(report):
    """Path and outcome of each case of a Boost.Test report in XML."""

    def walk(node, path):
        for child in node:
            name = f"{path}{child.get('name')}"
            if child.tag == "TestSuite":
                yield from walk(child, name + "/")
            elif child.tag == "TestCase":
                yield name, child

    for suite in ElementTree.fromstring(report).iter("TestResult"):
        for name, case in walk(suite[0], ""):
            if case.get("result") == "skipped":
                yield name, "skipped", "disabled"
            elif case.get("result") != "passed":
                yield name, "failed", case.get("result")
            elif case.get("assertions_passed") == "0":
                yield name, "failed", "checked nothing"
            else:
                yield name, "passed", ""


def run_boost(command, folder):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch, "report.xml")
        status, output = execute(
            command + ["--report_level=detailed", "--report_format=XML", f"--report_sink={report}"],
            folder,
        )
        text = report.read_text() if report.exists() else ""
    why_skipped = dict(re.findall(r"^SKIPPED (\S+): (.*)$", output, re.M))
    outcomes = []
    for name, outcome, why in boost_cases(text) if text else []:
        if outcome == "passed" and name in why_skipped:
            outcome, why = "skipped", why_skipped[name]
        outcomes.append((name, outcome, why))
    if status != 0 and not any(outcome == "failed" for _, outcome, _ in outcomes):
        how = "out of time" if status is None else f"ended with status {status}"
        outcomes.append(("(the executable)", "failed", how))
    elif not outcomes:
        outcomes.append(("(the executable)", "failed", "ran no test"))
    return outcomes, output


def run_check(command, folder):
    status, output = execute(command, folder)
    outcomes = [
        (name, kind.lower(), why)
        for kind, name, why in re.findall(
            r"^(PASSED|FAILED|SKIPPED) ([^:\n]+)(?:: (.*))?$", output, re.M
        )
    ]
    if status != 0 and not any(outcome == "failed" for _, outcome, _ in outcomes):
        outcomes.append(
            ("(the check)", "failed", "out of time" if status is None else f"status {status}")
        )
    elif not outcomes:
        outcomes.append(("(the check)", "failed", "checked nothing"))
    return outcomes, output


def run_all(tests):
    """Runs the tests, printing a line each; returns the list of all outcomes."""
    everything = []
    for name, command, folder, labels in tests:
        start = time.monotonic()
        if command is None:
            outcomes, output = [("(the executable)", "failed", "is not built")], ""
        else:
            outcomes, output = (run_boost if "boost" in labels else run_check)(command, folder)
        count = {
            kind: sum(o == kind for _, o, _ in outcomes) for kind in ("passed", "failed", "skipped")
        }
        if count["failed"]:
            print(output if len(output) < 20000 else "...\n" + output[-20000:])
        counts = ", ".join(f"{n} {kind}" for kind, n in count.items() if n)
        print(f"{name:24} {time.monotonic() - start:6.1f} s  {counts}", flush=True)
        everything += [(f"{name}: {case}", outcome, why) for case, outcome, why in outcomes]
    return everything


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("--label")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    tests = [
        t for t in registered(arguments.build) if arguments.label is None or arguments.label in t[3]
    ]
    if arguments.names == ["list"]:
        print("\n".join(name for name, *_ in tests))
        return 0
    unknown = set(arguments.names) - {name for name, *_ in tests}
    if unknown:
        sys.exit(
            f"no such test: {' '.join(sorted(unknown))}; known: {' '.join(t[0] for t in tests)}"
        )
    outcomes = run_all([t for t in tests if not arguments.names or t[0] in arguments.names])
    for kind in ("skipped", "failed"):
        for name, outcome, why in outcomes:
            if outcome == kind:
                print(f"{kind}: {name}: {why}")
    passed, failed, skipped = (
        sum(o == kind for _, o, _ in outcomes) for kind in ("passed", "failed", "skipped")
    )
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
