"""Picks fruit, for any Python: the same program under versions 2 and 3.

    python orchard.py FILE
"""
import cProfile
import sys


class Tree(object):
    def __init__(self, depth):
        self.branches = [Tree(depth - 1) for _ in range(3)] if depth else []
        self.fruit = [chr(97 + number % 26) for number in range(depth * 7)]

    def pick(self):
        # Calls itself, once a branch.
        return self.fruit + sum((branch.pick() for branch in self.branches), [])


def sort(fruit):
    return sorted(fruit, key=lambda name: (len(name), name))


def main():
    for _ in range(4):
        sort(Tree(4).pick())


profiler = cProfile.Profile()
profiler.runcall(main)
profiler.dump_stats(sys.argv[1])
