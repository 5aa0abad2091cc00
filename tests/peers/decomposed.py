#!/usr/bin/env python3
"""Kernels over tensors in several formats, compared with NumPy.

    tests/peers/decomposed.py [--draws 200] [--seed 1]

Takes the command from $NNZ, else builds it. Skipped where NumPy is not installed.
"""

import argparse
import json
import random
import subprocess

from setting import program, skipped

try:
    import numpy as np
except ImportError as missing:
    skipped(f"{missing} (pip install numpy)")

PARTS = [
    "BSR(2, 2), CSR",
    "BSR(4, 4), BSR(2, 2), CSR",
    "ELL, COO",
    "DIA, CSR",
    "CROW, BSR(1, 2), ELL, CSC",
    "BSC(3, 2), DCSR",
    "NM(2, 4), CSR",
    "BSR(3, 5)",
]


def session(draw, choose):
    """A session, and what each of its names holds."""
    n, m, k = draw.integers(1, 14, 3)
    a = draw.integers(-4, 5, (n, m)) * (draw.random((n, m)) < choose.choice([0.1, 0.4, 0.8]))
    b, p = draw.integers(-4, 5, (m, k)), draw.integers(-3, 4, (n, k))
    x = draw.integers(-3, 4, m)
    given = {"A : CSR": a, "B": b, "P": p, "x": x}
    lines = [f"{name} = {value.tolist()}" for name, value in given.items()]
    lines.append(f"D = decompose(A, [{choose.choice(PARTS)}], filled = {choose.choice([0.1, 0.5, 1])})")
    kernels = {
        "Y(i, k) = D(i, j) * B(j, k)": a @ b,
        "y(i) = D(i, j) * x(j) - 2": a @ x - 2,
        "S(i, j) = D(i, j) * P(i, k) * B(j, k)": a * (p @ b.T),
        "M(i) = max(j, D(i, j))": a.max(1),
        "W : dense = D": a,
        "T(j) = D(i, j) * D(i, j)": (a * a).sum(0),
        "G(i, j) = select(D(i, j) > 1, D(i, j), 7)": np.where(a > 1, a, 7),
    }
    names = [kernel.split()[0].split("(")[0] for kernel in kernels]
    return "\n".join([*lines, *kernels, *names]) + "\n", dict(zip(names, kernels.values()))


def differences(nnz, seed):
    text, expected = session(np.random.default_rng(seed), random.Random(seed))
    ran = subprocess.run([nnz, "--json", "-"], input=text, capture_output=True, text=True)
    if ran.returncode:
        return [f"seed {seed}: {ran.stdout[-800:]}{ran.stderr}\n{text}"]
    found = [one for one in map(json.loads, ran.stdout.splitlines()) if one.get("kind") == "tensor"]
    found = {one["name"]: np.array(one["values"], float) for one in found}
    wrong = [name for name, value in expected.items() if not np.array_equal(found[name], value.ravel())]
    return [f"seed {seed}: {', '.join(wrong)}\n{text}"] if wrong else []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    nnz = program("NNZ", "-p", "nnz")
    seeds = range(options.seed, options.seed + options.draws)
    wrong = [told for seed in seeds for told in differences(nnz, seed)]
    print("\n".join(wrong[:3]) if wrong else f"{options.draws} sessions agree with NumPy")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
