"""Projects that use lamina from outside: installed, as a subfolder, and the examples.

Each is configured, built and run with g++ in build/consumer.

usage: check.py
"""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "consumer"
PREFIX = WORK / "prefix"


class Failed(Exception):
    pass


def run(*command):
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if result.returncode:
        raise Failed(f"{' '.join(str(part) for part in command)}\n{result.stdout}{result.stderr}")


def configure(source, name, *options):
    run(
        "cmake",
        "-S",
        source,
        "-B",
        WORK / name,
        "-G",
        "Ninja",
        "-DCMAKE_CXX_COMPILER=g++",
        "-DCMAKE_BUILD_TYPE=Release",
        *options,
    )


def install():
    """The headers alone, as a distribution would package them."""
    configure(
        ROOT,
        "lamina",
        "-DLAMINA_RUNTIME=OFF",
        "-DLAMINA_DEVELOPER=OFF",
    )
    run("cmake", "--install", WORK / "lamina", "--prefix", PREFIX)


def find_package():
    configure(HERE / "find_package", "find_package", f"-DCMAKE_PREFIX_PATH={PREFIX}")
    run("cmake", "--build", WORK / "find_package")
    run(WORK / "find_package" / "consumer")


def find_missing_component():
    """A component that was not installed is refused by name."""
    source = WORK / "missing_source"
    source.mkdir(parents=True, exist_ok=True)
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(missing LANGUAGES CXX)\n"
        "find_package(lamina REQUIRED COMPONENTS runtime)\n"
    )
    try:
        configure(source, "missing", f"-DCMAKE_PREFIX_PATH={PREFIX}")
    except Failed as error:
        if "has no component" in str(error):
            return
        raise
    raise Failed("find_package(lamina COMPONENTS runtime) succeeds where no runtime is installed")


def add_subdirectory():
    configure(HERE / "add_subdirectory", "add_subdirectory", f"-DLAMINA_SOURCE={ROOT}")
    run("cmake", "--build", WORK / "add_subdirectory")
    run(WORK / "add_subdirectory" / "consumer")


def examples():
    """Each example is one file that builds against the installed headers alone, and runs."""
    configure(ROOT / "examples", "examples", f"-DCMAKE_PREFIX_PATH={PREFIX}")
    run("cmake", "--build", WORK / "examples")
    sources = sorted((ROOT / "examples").glob("*.cpp"))
    if not sources:
        raise Failed("there is no example")
    for source in sources:
        run(WORK / "examples" / source.stem)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    failures = 0
    for step in (install, find_package, find_missing_component, add_subdirectory, examples):
        try:
            step()
            print(f"PASSED {step.__name__}", flush=True)
        except Failed as error:
            failures += 1
            print(f"FAILED {step.__name__}: {error}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
