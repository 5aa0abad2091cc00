#!/usr/bin/env python3
"""Compiled SpMV beside the same loop in Rust and beside SciPy, taking turns in one run.

    spmv.py --bench target/release/deps/spmv-HASH [--rounds 12]

The binary is what `cargo bench -p nnz-core --bench spmv --no-run` names. Each kernel is its own process
that speaks the serve protocol; all use one thread. Prints, for each matrix, the least and the median
milliseconds of a call by the clock and of processor time (which a busy machine disturbs less); exits 1
where the compiled loop takes more than 1.1 times the least processor time of SciPy.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy.sparse

KERNELS = ["rust", "strict", "relaxed"]


def grid(side):
    """The five-point Laplacian's pattern, as the bench makes it."""
    at = np.arange(side * side)
    row, column = at // side, at % side
    columns = np.stack(
        [
            np.where(row > 0, at - side, -1),
            np.where(column > 0, at - 1, -1),
            at,
            np.where(column + 1 < side, at + 1, -1),
            np.where(row + 1 < side, at + side, -1),
        ],
        axis=1,
    )
    kept = columns >= 0
    return np.concatenate([[0], np.cumsum(kept.sum(axis=1))]), columns[kept]


def scattered(rows, degree):
    row, k = np.arange(rows, dtype=np.uint64)[:, None], np.arange(degree, dtype=np.uint64)[None, :]
    columns = (row * np.uint64(2654435761) + k * np.uint64(40503 * 65537)) % np.uint64(rows)
    return np.arange(rows + 1) * degree, np.sort(columns, axis=1).ravel()


def banded(rows):
    columns = np.minimum(np.arange(rows), rows - 32)[:, None] + np.arange(32)[None, :]
    return np.arange(rows + 1) * 32, columns.ravel()


MATRICES = {"grid": grid(775), "scattered": scattered(200_000, 15), "banded": banded(100_000)}


class Served:
    """A kernel of the bench in a process of its own."""

    def __init__(self, binary, kernel, matrix):
        command = [binary, "serve", kernel, matrix]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert json.loads(self.process.stdout.readline())["ok"]

    def block(self, samples, inner):
        print(f"block {samples} {inner}", file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        return answer["w"], answer["c"]

    def quit(self):
        print("quit", file=self.process.stdin, flush=True)
        self.process.wait()


class SciPy:
    """`A @ x`, in this process."""

    def __init__(self, pointers, columns):
        rows = len(pointers) - 1
        values = np.arange(len(columns)) % 1000 / 1000 - 0.5
        parts = values, columns.astype(np.int32), pointers.astype(np.int32)
        self.matrix = scipy.sparse.csr_matrix(parts, shape=(rows, rows))
        self.x = np.arange(rows) * 7 % 1000 / 1000 - 0.5

    def block(self, samples, inner):
        wall, cpu = [], []
        for _ in range(samples):
            before, start = time.process_time_ns(), time.perf_counter_ns()
            for _ in range(inner):
                self.matrix @ self.x
            wall.append((time.perf_counter_ns() - start) / inner)
            cpu.append((time.process_time_ns() - before) / inner)
        return wall, cpu

    def quit(self):
        pass


def compare(binary, name, rounds):
    """The samples of each program, taken in turns: name -> (wall, processor)."""
    programs = {kernel: Served(binary, kernel, name) for kernel in KERNELS}
    programs["scipy"] = SciPy(*MATRICES[name])
    samples = {program: ([], []) for program in programs}
    for _ in range(rounds):
        for program, served in programs.items():
            for kept, new in zip(samples[program], served.block(5, 2)):
                kept.extend(new)
    for served in programs.values():
        served.quit()
    return samples


def report(matrix, program, wall, cpu):
    least = f"{min(wall) / 1e6:8.3f} {min(cpu) / 1e6:8.3f}"
    median = f"{statistics.median(wall) / 1e6:8.3f} {statistics.median(cpu) / 1e6:8.3f}"
    print(f"{matrix:10} {program:8} least {least}   median {median}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bench", required=True, help="the bench's binary")
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    compiling = Served(options.bench, "compile", "grid")
    print("milliseconds by the clock, and of processor time")
    report("", "compile", *compiling.block(40, 1))
    compiling.quit()
    slow = []
    for matrix in MATRICES:
        samples = compare(options.bench, matrix, options.rounds)
        for program, (wall, cpu) in samples.items():
            report(matrix, program, wall, cpu)
        if min(samples["strict"][1]) > 1.1 * min(samples["scipy"][1]):
            slow.append(matrix)
    if slow:
        sys.exit(f"slower than SciPy on {', '.join(slow)}")


if __name__ == "__main__":
    main()
