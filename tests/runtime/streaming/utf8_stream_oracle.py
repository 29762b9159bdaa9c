"""Compares texts with what Python makes of the same bytes: bytes.decode(errors="replace").

usage: utf8_stream_oracle.py RECORDS

RECORDS holds, in native byte order, for each case the bytes and the text that was made of them,
each preceded by its length as 32 bits. Prints the cases that differ; ends with 1 if there are any.
"""
import struct
import sys


def main():
    data, at, parts = open(sys.argv[1], "rb").read(), 0, []
    while at < len(data):
        (size,) = struct.unpack_from("=I", data, at)
        parts.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    wrong = [
        (given, text)
        for given, text in zip(parts[::2], parts[1::2], strict=True)
        if given.decode(errors="replace").encode() != text
    ]
    for given, text in wrong[:10]:
        print(f"{given!r}: {text!r}, expected {given.decode(errors='replace').encode()!r}")
    print(f"{len(parts) // 2} cases, {len(wrong)} differ")
    return 1 if wrong or not parts else 0


if __name__ == "__main__":
    sys.exit(main())
