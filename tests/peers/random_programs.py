#!/usr/bin/env python3
"""Draws MLIR programs, and holds what nnz prints against an oracle of its own: NumPy over dense arrays, with a model of which
coordinates are stored. MLIR 22 is the second witness of every tenth.

    tests/peers/random_programs.py [--programs N] [--seed S] [--large-every K] [--mlir-every K] [--nnz PATH] [--keep FOLDER]

A program on which nnz disagrees with the oracle, which it refuses, or which does not end within 10 s is a failure: it is made small,
shown, and kept in FOLDER. Where MLIR disagrees is counted by what the program has. Everything follows from the seed.
"""
import argparse
import collections
import os
import shutil
import sys
import tempfile
import time

from setting import program as built
from setting import skipped

try:
    import numpy  # noqa: F401
except ImportError as missing:
    sys.exit(f"numpy is needed: {missing}")

from random_programs.choices import Choices, Redraw
from random_programs.draw_steps import Steps
from random_programs.mlir_classes import class_of
from random_programs.shrink import shrink
from random_programs.witness import difference, run_mlir, run_nnz


def drawn(choices, size):
    """A program and what it prints."""
    program = Steps(choices, **size).draw()
    return program, program.run()


def draw(seed, size):
    """The first program of this seed that has a clear meaning, and its choices."""
    for attempt in range(2000):
        choices = Choices(f"{seed}.{attempt}")
        try:
            return (*drawn(choices, size), choices.made)
        except Redraw:
            continue
    raise SystemExit(f"nothing could be drawn of seed {seed}")


class Trial:
    def __init__(self, options):
        self.options, self.folder = options, options.keep or tempfile.mkdtemp()
        os.makedirs(self.folder, exist_ok=True)
        self.covered, self.failures, self.mlir = collections.Counter(), collections.Counter(), collections.Counter()
        self.mlir_wrong = collections.Counter()
        self.ways = [(), ("--interpret",), ("--compile",), ("--threads", "1")]

    def write(self, program, name="program.mlir"):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(program.text())
        return path

    def verdict(self, program, printed, way, name="program.mlir"):
        """Empty if nnz is right; else a word for the class of the failure, and the whole of it."""
        answer = run_nnz(self.options.nnz, self.write(program, name), *way)
        if answer.failure:
            return answer.failure, answer.errors
        wrong = difference(printed, answer.text)
        return ("wrong", wrong) if wrong else ("", "")

    def with_mlir(self, number):
        return self.options.mlir_every and number % self.options.mlir_every == 0

    def size(self, number):
        """Whether a program is large; and tame, which half of those are that MLIR sees."""
        every = self.options.large_every
        tame = bool(self.with_mlir(number)) and number // self.options.mlir_every % 2 == 0
        return {"large": bool(every) and number % every == every - 1, "tame": tame}

    def one(self, number):
        seed = f"{self.options.seed}.{number}"
        size = self.size(number)
        program, printed, choices = draw(seed, size)
        self.covered.update(program.kinds())
        way = self.ways[number % len(self.ways)] if not size["large"] else ()
        kind, whole = self.verdict(program, printed, way)
        if kind:
            self.failed(number, choices, size, way, kind, whole)
        if self.with_mlir(number):
            self.second(number, program, printed, choices, size)

    def failed(self, number, choices, size, way, kind, whole):
        self.failures[kind] += 1
        self.small(f"failure_{self.options.seed}_{number}", choices, size, lambda program, printed: self.verdict(program, printed, way),
                   kind, self.options.shrink_seconds, " ".join(way))
        print(f"FAIL {number} {kind} {' '.join(way)}: {whole.strip()[:200]}", flush=True)

    def small(self, name, choices, size, verdict, kind, seconds, way):
        """Writes the smallest program found with this verdict, with what is wrong and what is right."""
        def fails(candidate):
            again = Choices(given=candidate)
            try:
                program, printed = drawn(again, size)
            except Redraw:
                return None
            return again.made if verdict(program, printed)[0] == kind else None

        given = shrink(choices, fails, seconds) if seconds else choices
        program, printed = self.narrowed(*drawn(Choices(given=given), size), verdict, kind)
        _, whole = verdict(program, printed)
        path = self.write(program, f"{name}.mlir")
        with open(path, "a") as file:
            file.write("".join(f"// {line}\n" for line in [f"{kind}: {way}", *whole.splitlines()[:12], *map(stated, printed)]))
        print(f"     {path}", flush=True)

    def narrowed(self, program, printed, verdict, kind):
        """The program with one of its statements that print, if the verdict is the same with that alone."""
        for statement in [one for one in program.statements if not hasattr(one, "name")]:
            alone = program.with_one(statement)
            said = alone.run()
            if verdict(alone, said)[0] == kind:
                return alone, said
        return program, printed

    def second(self, number, program, printed, choices, size):
        for library in (True, False):
            mode = "library" if library else "direct IR"
            verdict, whole = self.mlir_verdict(program, printed, library)
            self.mlir[f"{verdict} ({mode})"] += 1
            if verdict == "differs":
                self.mlir_wrong[class_of(program.kinds(), library)] += 1
                self.keep_as(f"mlir_{self.options.seed}_{number}_{mode[0]}", program, whole)
            if verdict == "differs" and self.options.mlir_seconds:
                self.small(f"mlir_{self.options.seed}_{number}_{mode[0]}", choices, size,
                           lambda *one: self.mlir_verdict(*one, library), verdict, self.options.mlir_seconds, f"MLIR 22 ({mode})")

    def keep_as(self, name, program, whole):
        if self.options.keep:
            with open(self.write(program, f"{name}.mlir"), "a") as file:
                file.write(f"// {whole}\n")

    def mlir_verdict(self, program, printed, library):
        answer = run_mlir(self.write(program), library)
        wrong = "" if answer.failure else difference(printed, answer.text)
        return answer.failure or ("differs" if wrong else "agrees"), wrong

    def report(self):
        print("covered, in programs:")
        for kind, count in sorted(self.covered.items()):
            print(f"  {count:6} {kind}")
        if self.mlir:
            print("MLIR 22:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(self.mlir.items())))
            for name, count in self.mlir_wrong.most_common():
                print(f"  {count:6} differ: {name}")
        print(f"{self.options.programs} programs of seed {self.options.seed}, {sum(self.failures.values())} on which nnz fails"
              + "".join(f"; {count} {kind}" for kind, count in self.failures.items()))


def stated(printed):
    return f"right: {printed.kind} {' '.join(map(str, printed.numbers[:100]))}"


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large-every", type=int, default=50)
    parser.add_argument("--mlir-every", type=int, default=10)
    parser.add_argument("--nnz")
    parser.add_argument("--keep")
    parser.add_argument("--shrink-seconds", type=int, default=60, help="to make a program small on which nnz fails")
    parser.add_argument("--mlir-seconds", type=int, default=0, help="to make a program small on which MLIR differs")
    return parser.parse_args()


def main():
    chosen = options()
    chosen.nnz = os.path.abspath(chosen.nnz or built("NNZ", "--bin", "nnz"))
    if chosen.mlir_every and not all(shutil.which(tool) for tool in ("mlir-opt-22", "mlir-runner-22")):
        if os.environ.get("NNZ_CI"):
            skipped("mlir-opt-22 or mlir-runner-22 is absent")
        print("without the second witness: mlir-opt-22 or mlir-runner-22 is absent")
        chosen.mlir_every = 0
    trial = Trial(chosen)
    for number in range(chosen.first, chosen.first + chosen.programs):
        trial.one(number)
    trial.report()
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main())
