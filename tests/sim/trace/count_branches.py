"""Counts the branches (BRA) of a kernel trace, and those at which lanes part, independently of Heddle.

It follows each lane over the whole of its warp: a lane that next executes something behind a branch that it has not
come by before passed it without taking it. For traces without loops over functions: a place names an instruction.
Python's standard library only. Reads plain text and xz; for version 3 of the format and later.
usage: count_branches.py FILE prints both numbers.
"""
import lzma
import sys


def warps(path):
    """Each warp's lines: place, mask, opcode."""
    opened = lzma.open if path.endswith(".xz") else open
    lines = []
    with opened(path, "rt") as file:
        for text in file:
            fields = text.split()
            if text.startswith("warp = "):
                yield lines
                lines = []
            elif len(fields) > 3 and text[0] in "0123456789abcdef":
                lines.append((int(fields[0], 16), int(fields[1], 16), fields[3 + int(fields[2])]))
    yield lines


def passed(lines, lane):
    """The lines of branches that the lane comes by and does not take."""
    own = [i for i, (_, mask, _) in enumerate(lines) if mask >> lane & 1]
    for last, following in zip(own, own[1:]):
        seen = set()
        for i in range(last + 1, following):
            place, _, opcode = lines[i]
            if lines[last][0] < place < lines[following][0] and opcode == "BRA" and place not in seen:
                seen.add(place)
                yield i


def count(lines):
    taken = {i: mask for i, (_, mask, opcode) in enumerate(lines) if opcode == "BRA"}
    parted = {i for lane in range(32) for i in passed(lines, lane) if taken[i] != 0}
    return len(taken), len(parted)


print(*(sum(numbers) for numbers in zip(*(count(lines) for lines in warps(sys.argv[1])))))
