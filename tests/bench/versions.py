#!/usr/bin/env python3
"""Times two builds of nnz beside each other: kernels, whole processes, programs and the language server.

    tests/bench/versions.py OLD [NEW] [--rounds 7] [--input poisson2d_301 rmat_14_16 zipf_300k]

OLD and NEW are programs; NEW is the release build unless given. They take turns. Each row has both medians (of kernels the minimum, on one
thread) and their ratio, OLD / NEW: above 1 NEW is faster.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import lsp
import start
from paired import inputs, problems, programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\nx : tensor<2xf64> = [3, 4]\ny(i) = A(i, j) * x(j)\ny"


def row(name, old, new, unit):
    print(f"{name:<44}{old:>12.3f}{new:>12.3f} {unit:<3}{old / new:>8.2f}", flush=True)
    return old / new


def kernels(nnz, options, folder):
    """The ratio of each kernel over each input."""
    ratios = []
    for name in options.input:
        source = inputs.load(name, nnz[1], folder)
        for kernel, (order, make) in problems.KERNELS.items():
            if order == inputs.order_of(name):
                ratios += kernel_row(nnz, options, folder / "kernel.nnz", (kernel, name, make, source))
    return ratios


def kernel_row(nnz, options, path, what):
    kernel, name, make, source = what
    try:
        path.write_text(make(kernel, source).session)
        taking = {build: programs.Served(build, path, 1) for build in nnz}
    except (problems.Unfit, programs.Refused) as reason:
        print(f"{kernel}, {name}: {reason}")
        return []
    samples = programs.take_turns(taking, options.rounds, 60)
    for program in taking.values():
        program.quit()
    old, new = (min(samples[build][1]) / 1e6 for build in nnz)
    return [row(f"{kernel}, {name}", old, new, "ms")]


def fails(build, arguments):
    return subprocess.run([build, *arguments], capture_output=True, check=False).returncode != 0


def processes(nnz, rounds, folder):
    text = folder / "long.mlir"
    text.write_text(lsp.generate(10000))
    commands = {
        "nnz -c ':help'": ["-c", ":help"],
        "nnz --compile -c, an SpMV": ["--compile", "-c", KERNEL],
        "nnz check, 10,000 lines of MLIR": ["check", str(text)],
    }
    for name, arguments in commands.items():
        if any(fails(build, arguments) for build in nnz):
            print(f"{name}: one of the builds fails")
            continue
        pairs = [[start.wall([build, *arguments]) for build in nnz] for _ in range(4 * rounds)]
        row(name, *map(statistics.median, zip(*pairs)), "ms")
    pairs = [[start.to_prompt(build) for build in nnz] for _ in range(4 * rounds)]
    row("start to prompt", *map(statistics.median, zip(*pairs)), "ms")


def ran(build, program):
    """Milliseconds, and what it printed; `None` of a program that fails."""
    begin = time.perf_counter()
    done = subprocess.run([build, "run", str(program)], capture_output=True, check=False)
    return (time.perf_counter() - begin) * 1e3, done.stdout if done.returncode == 0 else None


def run_programs(nnz, rounds):
    """All programs that both run alike."""
    files = sorted((ROOT / "tests" / "programs").glob("*.mlir"))
    alike = [file for file in files if len({ran(build, file)[1] for build in nnz} | {None}) == 2]
    alike = [file for file in alike if all(ran(build, file)[1] for build in nnz)]
    pairs = [[sum(ran(build, file)[0] for file in alike) for build in nnz] for _ in range(rounds)]
    row(f"nnz run, {len(alike)} programs of the tests", *map(statistics.median, zip(*pairs)), "ms")


def server(nnz):
    for lines in (1000, 10000):
        rows = lsp.measure({build: [build, "lsp"] for build in nnz}, lines)
        for key, old in rows[nnz[0]].items():
            if "published" not in key and rows[nnz[1]].get(key):
                row(f"server, {lines} lines: {key[:-3]}", old, rows[nnz[1]][key], key[-2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="target/release/nnz")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--input", nargs="+", default=["poisson2d_301", "rmat_14_16", "zipf_300k"])
    options = parser.parse_args()
    nnz = [os.path.abspath(options.old), os.path.abspath(options.new)]
    print(f"{'':<44}{'old':>12}{'new':>12}{'old/new':>12}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        processes(nnz, options.rounds, folder)
        run_programs(nnz, options.rounds)
        server(nnz)
        ratios = kernels(nnz, options, folder)
    print(f"kernels, old/new: minimum {min(ratios):.2f}, median {statistics.median(ratios):.2f}, maximum {max(ratios):.2f}")


if __name__ == "__main__":
    main()
