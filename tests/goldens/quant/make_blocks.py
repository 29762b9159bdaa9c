#!/usr/bin/env python3
"""Random blocks of each weight format and what the package `gguf` makes of them.

    make_blocks.py FOLDER [--seed N] [--blocks N]

writes into FOLDER for each format q
    q.decode.bin   u32 count | count blocks               | count * block_size float32
    q.encode.bin   u32 count | count * block_size float32 | count blocks
the latter where gguf can write q; all little-endian. The files beside this script are its output
with the defaults. Needs numpy and gguf (versions in tests/requirements.txt).
"""
import argparse
import pathlib
import struct

import numpy as np
from gguf import quants
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

# Format -> byte offsets of its float16 fields.
SCALES = {
    "F16": [0], "BF16": [], "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
ENCODABLE = ["F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0"]


def finite_halves(rng, count):
    """float16 bits: of usual size, any finite ones, subnormal ones, zeros of both signs."""
    usual = (rng.standard_normal(count) * 0.01).astype(np.float16).view(np.uint16)
    any_finite = rng.integers(0, 0x7C00, count, dtype=np.uint16) | (
        rng.integers(0, 2, count, dtype=np.uint16) << np.uint16(15))
    subnormal = rng.integers(0, 0x0400, count, dtype=np.uint16) | (
        rng.integers(0, 2, count, dtype=np.uint16) << np.uint16(15))
    zero = rng.integers(0, 2, count, dtype=np.uint16) << np.uint16(15)
    kind = rng.choice(4, count, p=[0.4, 0.4, 0.17, 0.03])
    return np.choose(kind, [usual, any_finite, subnormal, zero]).astype("<u2")


def random_blocks(rng, name, count):
    _, size = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    blocks = rng.integers(0, 256, (count, size), dtype=np.uint8)
    if name == "BF16":  # finite: exponent below 255
        bits = blocks.view("<u2")
        bits[(bits & 0x7F80) == 0x7F80] ^= 0x4000
    for offset in SCALES[name]:
        blocks[:, offset:offset + 2] = finite_halves(rng, count).view(np.uint8).reshape(count, 2)
    return blocks


def random_values(rng, name, count):
    """Several distributions at magnitudes from far below to far above float16's range."""
    n, _ = GGML_QUANT_SIZES[GGMLQuantizationType[name]]
    normal = rng.standard_normal((count, n))
    grid = rng.integers(-16, 17, (count, n)) / 2.0  # many ties, many equal extremes
    sparse = normal * (rng.random((count, n)) < 0.1)
    one_sided = np.abs(normal) + 3.0
    constant = np.repeat(normal[:, :1], n, axis=1)
    zero = np.zeros((count, n))
    kind = rng.choice(6, (count, 1), p=[0.4, 0.2, 0.1, 0.15, 0.1, 0.05])
    values = np.choose(kind, [normal, grid, sparse, one_sided, constant, zero])
    exponent = rng.choice([0.0, 1.0], (count, 1), p=[0.4, 0.6]) * rng.uniform(-30, 18, (count, 1))
    values = (values * np.exp2(np.rint(exponent * 4) / 4)).astype("<f4")
    return values + np.float32(0)  # no negative zero: the minimum of -0 and 0 is either


def write(path, count, *parts):
    path.write_bytes(struct.pack("<I", count) + b"".join(part.tobytes() for part in parts))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--seed", type=int, default=20240)
    arguments.add_argument("--blocks", type=int, help="of each format (default: fewer large ones)")
    arguments = arguments.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    np.seterr(over="ignore", invalid="ignore")  # scales beyond float16 become infinity, on purpose
    for name in SCALES:
        kind = GGMLQuantizationType[name]
        block_size, _ = GGML_QUANT_SIZES[kind]
        rng = np.random.default_rng([arguments.seed, int(kind)])
        count = arguments.blocks or {1: 1500, 32: 180, 256: 62}[block_size]
        blocks = random_blocks(rng, name, count)
        values = np.ascontiguousarray(quants.dequantize(blocks, kind), dtype="<f4")
        assert np.isfinite(values).all(), name
        write(arguments.folder / f"{name.lower()}.decode.bin", count, blocks, values)
        if name in ENCODABLE:
            values = random_values(rng, name, count)
            blocks = np.ascontiguousarray(quants.quantize(values, kind)).view(np.uint8)
            write(arguments.folder / f"{name.lower()}.encode.bin", count, values, blocks)


if __name__ == "__main__":
    main()
