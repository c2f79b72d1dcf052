"""Counts a kernel trace, independently of Heddle: blocks, warps, lines, active lanes, memory lines, addresses.

Python's standard library only. Reads plain text, gzip and xz; for version 3 of the format and later.
usage: count_trace.py FILE... prints a line of numbers for each file.
"""
import gzip
import lzma
import sys


def opened(path):
    with open(path, "rb") as file:
        magic = file.read(6)
    if magic[:2] == b"\x1f\x8b":
        return gzip.open(path, "rt")
    if magic == b"\xfd7zXZ\x00":
        return lzma.open(path, "rt")
    return open(path, "rt")


def addresses(fields, lanes):
    """The lanes' addresses by the fields from their format's number on."""
    if fields[0] == "0":
        return [int(field, 16) for field in fields[1 : 1 + len(lanes)]]
    base, distances = int(fields[1], 16), [int(field) for field in fields[2:]]
    if fields[0] == "1":
        return [base + i * distances[0] for i in range(len(lanes))]
    result = [base] if lanes else []
    for distance in distances[: max(len(lanes) - 1, 0)]:
        result.append(result[-1] + distance)
    return result


def count(path):
    blocks = warps = lines = active = memory = total = 0
    with opened(path) as file:
        for text in file:
            if text.startswith("#BEGIN_TB"):
                blocks += 1
            elif text.startswith("warp = "):
                warps += 1
            elif blocks and text[0] in "0123456789abcdef":
                fields = text.split()
                lines += 1
                mask = int(fields[1], 16)
                lanes = [lane for lane in range(32) if mask >> lane & 1]
                active += len(lanes)
                at = 3 + int(fields[2])  # the opcode
                at += 2 + int(fields[at + 1])  # the width
                if fields[at] != "0":
                    memory += 1
                    total += sum((lane + 1) * address for lane, address in zip(lanes, addresses(fields[at + 1 :], lanes)))
    return blocks, warps, lines, active, memory, total % 2**64


for name in sys.argv[1:]:
    print(*count(name))
