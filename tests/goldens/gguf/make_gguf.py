#!/usr/bin/env python3
"""A small GGUF file with every type of value, written by the Python package `gguf`.

    make_gguf.py [FOLDER]

writes FOLDER/every_type.gguf and another model in the parts FOLDER/split-0000N-of-00002.gguf
(default: the folder of this script). tests/gguf/golden.cpp states the same content. Needs numpy and
gguf (versions in tests/requirements.txt).
"""
import pathlib
import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Format
from gguf import GGUFValueType as Type

NUMBERS = {
    Type.UINT8: [0, 1, 255],
    Type.INT8: [-128, 0, 127],
    Type.UINT16: [0, 65535],
    Type.INT16: [-32768, 32767],
    Type.UINT32: [0, 2**32 - 1],
    Type.INT32: [-2**31, -1, 2**31 - 1],
    Type.UINT64: [0, 2**64 - 1],
    Type.INT64: [-2**63, 2**63 - 1],
    Type.FLOAT32: [-1.5, 0.1, 3.25],
    Type.FLOAT64: [1e-300, 0.1, 1e300],
    Type.BOOL: [True, False, True],
}
TEXTS = ["a", "", "\u2581the", "\u00e9\n\U00010348", "b\0c"]


def tensors():
    """name, values (row-major, outermost extent first) or blocks, format"""
    yield "token_embd.weight", np.arange(24, dtype=np.float32).reshape(4, 6) / 8, None
    yield "half.weight", (np.arange(10, dtype=np.float16) - 5).reshape(2, 5), None
    yield "cube.weight", np.arange(30, dtype=np.int32).reshape(2, 3, 5), None
    rows = np.linspace(-1, 1, 3 * 64, dtype=np.float32).reshape(3, 64)
    yield "q8.weight", gguf.quants.quantize(rows, Format.Q8_0), Format.Q8_0
    yield "long.doubles", np.array([0.1, -1e300]), None


def every_type(path):
    writer = gguf.GGUFWriter(path, "llama")
    for kind, values in NUMBERS.items():
        name = kind.name.lower()
        writer.add_key_value(f"one.{name}", values[-1], kind)
        writer.add_key_value(f"many.{name}", values, Type.ARRAY, sub_type=kind)
    writer.add_string("one.string", TEXTS[3])
    writer.add_array("many.string", TEXTS)
    writer.add_custom_alignment(64)
    for name, values, kind in tensors():
        writer.add_tensor(name, values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def split(folder):
    writer = gguf.GGUFWriter(folder / "split.gguf", "llama", split_max_tensors=2)
    writer.add_uint32("llama.block_count", 1)
    for i, name in enumerate(["a.weight", "b.weight", "c.weight"]):
        writer.add_tensor(name, np.full((2, 4), i + 1, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    every_type(target / "every_type.gguf")
    split(target)
