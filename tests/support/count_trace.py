#!/usr/bin/env python3
"""Counts what a kernel trace (.traceg, plain or compressed) holds, with nothing of the simulator.

    count_trace.py FILE...

For each file, a line: warp instructions, set mask bits of all of them, blocks, warps.
"""
import gzip
import lzma
import sys


def open_text(path):
    if path.endswith(".xz"):
        return lzma.open(path, "rt")
    if path.endswith(".gz"):
        return gzip.open(path, "rt")
    return open(path)


def count(path):
    instructions = lanes = blocks = warps = left = version = 0
    has_line_numbers = False
    with open_text(path) as text:
        for line in text:
            words = line.split()
            if not words:
                continue
            if line.startswith("-accelsim tracer version ="):
                version = int(float(words[-1]))
            elif line.startswith("-enable lineinfo ="):
                has_line_numbers = words[-1] == "1"
            elif line.startswith("#BEGIN_TB"):
                blocks += 1
            elif line.startswith("warp ="):
                warps += 1
            elif line.startswith("insts ="):
                left = int(words[-1])
            elif left > 0:
                left -= 1
                first = (4 if version < 3 else 0) + (1 if has_line_numbers else 0)
                instructions += 1
                lanes += bin(int(words[first + 1], 16)).count("1")
    return instructions, lanes, blocks, warps


for name in sys.argv[1:]:
    print(*count(name))
