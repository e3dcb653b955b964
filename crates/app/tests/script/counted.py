"""Writes a profile with cycles and instructions, some of them 0."""

import random
import sys

import hotframe

draw = random.Random(7)
with hotframe.Profile(sys.argv[1], producer="a test") as profile:
    cycles = profile.metric("cycles", "count")
    instructions = profile.metric("instructions", "count")
    names = ["main", "parse", "read", "hash", "sort"]
    frames = [profile.frame(name, f"{name}.c", 10 * at + 1) for at, name in enumerate(names)]
    stacks = [None]
    for _ in range(60):
        stack = profile.context(draw.choice(stacks[-20:]), draw.choice(frames))
        stacks.append(stack)
        profile.point(stack, {cycles: draw.randrange(0, 5000), instructions: draw.choice([0, draw.randrange(1, 4000)])})
