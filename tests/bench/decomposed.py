#!/usr/bin/env python3
"""Products over a matrix in several formats beside the same products over it in one: SpMM, SDDMM and SpMV, in one
process, one after the other in turns. Prints the ratio of the times, which is below 1 where the parts are faster.

    tests/bench/decomposed.py [--nnz target/release/nnz] [--rounds 5] [--size 4096] [--columns 32]
"""

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

import numpy as np

# The matrix, and the lists of formats that are tried.
PARTS = {
    "blocks": ["BSR(16, 16), CSR", "BSR(32, 32), BSR(8, 8), CSR"],
    "scattered": ["BSR(8, 8), CSR", "ELL, CSR"],
    "banded": ["DIA, CSR", "ELL, CSR"],
}

KERNELS = {
    "SpMM": "{0}(i, k) = {1}(i, j) * B(j, k)",
    "SDDMM": "{0}(i, j) : CSR = {1}(i, j) * P(i, k) * Q(k, j)",
    "SpMV": "{0}(i) = {1}(i, j) * x(j)",
}


def matrix(kind, n, draw):
    """The coordinates of a matrix with few places filled in the way that its name says."""
    rows, cols = [], []
    if kind == "blocks":
        for _ in range(n // 8):
            i, j = draw.integers(0, n // 32, 2) * 32
            rows.append(np.repeat(np.arange(i, i + 32), 32))
            cols.append(np.tile(np.arange(j, j + 32), 32))
    if kind == "banded":
        for shift in (-64, -1, 0, 1, 64):
            at = np.arange(max(0, -shift), min(n, n - shift))
            rows.append(at)
            cols.append(at + shift)
    rows.append(draw.integers(0, n, 8 * n))
    cols.append(draw.integers(0, n, 8 * n))
    return np.unique(np.concatenate(rows).astype(np.int64) * n + np.concatenate(cols))


def write(path, n, places, draw):
    values = draw.standard_normal(len(places))
    lines = (f"{at // n + 1} {at % n + 1} {value:.17g}" for at, value in zip(places, values))
    head = f"%%MatrixMarket matrix coordinate real general\n{n} {n} {len(places)}\n"
    path.write_text(head + "\n".join(lines) + "\n")


def session(path, n, columns, formats, kernel, rounds):
    lines = [
        f'A : CSR = read "{path}"',
        f"D = decompose(A, [{formats}])",
        f"B : tensor<{n}x{columns}xf64> = random(density = 1.0, seed = 1)",
        f"P : tensor<{n}x{columns}xf64> = random(density = 1.0, seed = 2)",
        f"Q : tensor<{columns}x{n}xf64> = random(density = 1.0, seed = 3)",
        f"x : tensor<{n}xf64> = random(density = 1.0, seed = 4)",
        kernel.format("R1", "A"),
        kernel.format("R2", "D"),
    ]
    return "\n".join(lines + [":time R1\n:time R2"] * rounds) + "\n"


def times(nnz, text):
    """The medians of both kernels in each round."""
    ran = subprocess.run([nnz, "--json", "-"], input=text, capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(ran.stdout[-2000:] + ran.stderr)
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    medians = [one["median_ns"] for one in found if one.get("kind") == "timing"]
    return list(zip(medians[::2], medians[1::2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nnz", default="target/release/nnz")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--size", type=int, default=4096)
    parser.add_argument("--columns", type=int, default=32)
    options = parser.parse_args()
    draw = np.random.default_rng(7)
    print(f"{'matrix':<10} {'parts':<28} {'kernel':<6} {'CSR ms':>9} {'parts ms':>9} {'ratio':>6}  of all rounds")
    with tempfile.TemporaryDirectory() as folder:
        for kind, lists in PARTS.items():
            path = Path(folder) / f"{kind}.mtx"
            write(path, options.size, matrix(kind, options.size, draw), draw)
            for formats in lists:
                for name, kernel in KERNELS.items():
                    text = session(path, options.size, options.columns, formats, kernel, options.rounds)
                    pairs = times(options.nnz, text)
                    ratios = sorted(parts / one for one, parts in pairs)
                    one, parts = (statistics.median(column) / 1e6 for column in zip(*pairs))
                    middle = statistics.median(ratios)
                    print(
                        f"{kind:<10} {formats:<28} {name:<6} {one:>9.3f} {parts:>9.3f} {middle:>6.2f}"
                        f"  {ratios[0]:.2f} to {ratios[-1]:.2f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
