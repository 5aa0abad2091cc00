#!/usr/bin/env python3
"""Reading Matrix Market files: nnz beside scipy.io.mmread, taking turns in one run.

    mmread.py --reader target/release/examples/read_file [--threads 1,2] [--rounds 7] [FILE...]

Without files: every .mtx and .mtx.gz of $NNZ_DATA, and a Poisson matrix of 5 million entries written
for the run. Each reader is its own process with the same number of threads; the file is in the page
cache. Prints MB/s of the file (best and median round) and how many times SciPy's speed nnz has; exits 1
where nnz is slower in the best round or reads other entries.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SCIPY = """
import sys, time
import scipy.io._fast_matrix_market as reader
from scipy.io import mmread
reader.PARALLELISM = int(sys.argv[2])
for _ in sys.stdin:
    start = time.perf_counter_ns()
    matrix = mmread(sys.argv[1])
    ns = time.perf_counter_ns() - start
    print('{"ns": %d, "entries": %d, "sum": %r}' % (ns, matrix.nnz, float(matrix.data.sum().real)), flush=True)
"""


class Reader:
    """A process that reads its file once for each line it is sent."""

    def __init__(self, command, threads):
        env = dict(os.environ, RAYON_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def read(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def poisson(folder, n=1000):
    """The 5-point Laplacian of an n x n grid, 83 MB at n = 1000."""
    path = os.path.join(folder, f"poisson2d_{n}.mtx")
    with open(path, "w") as out:
        out.write(f"%%MatrixMarket matrix coordinate real general\n{n * n} {n * n} {5 * n * n - 4 * n}\n")
        for i in range(n):
            lines = []
            for j in range(n):
                row = i * n + j
                near = [(row - n, i > 0), (row - 1, j > 0), (row, True), (row + 1, j + 1 < n), (row + n, i + 1 < n)]
                lines += [f"{row + 1} {col + 1} {4 if col == row else -1}\n" for col, there in near if there]
            out.write("".join(lines))
    return path


def measure(path, reader, threads, rounds):
    ours = Reader([reader, "time", path], threads)
    theirs = Reader([sys.executable, "-c", SCIPY, path, str(threads)], threads)
    samples = {"nnz": [], "scipy": []}
    ours.read(), theirs.read()  # warm
    for _ in range(rounds):
        for name, process in (("nnz", ours), ("scipy", theirs)):
            answer = process.read()
            samples[name].append(answer["ns"])
            samples[name + " facts"] = (answer["entries"], answer["sum"])
    ours.close(), theirs.close()
    return samples


def same(ours, theirs):
    return ours[0] == theirs[0] and abs(ours[1] - theirs[1]) <= 1e-9 * max(1.0, abs(theirs[1]))


def report(path, reader, threads, rounds):
    samples = measure(path, reader, threads, rounds)
    size = os.path.getsize(path) / 1e6
    speed = lambda name, of: size / (of(samples[name]) / 1e9)
    best = {name: speed(name, min) for name in ("nnz", "scipy")}
    median = {name: speed(name, statistics.median) for name in ("nnz", "scipy")}
    right = same(samples["nnz facts"], samples["scipy facts"])
    ratio, ratio_median = best["nnz"] / best["scipy"], median["nnz"] / median["scipy"]
    print(
        f"{os.path.basename(path):34} {size:7.1f} MB  {threads} thr  nnz {best['nnz']:7.1f} ({median['nnz']:7.1f})"
        f"  scipy {best['scipy']:7.1f} ({median['scipy']:7.1f}) MB/s  x{ratio:.2f} (x{ratio_median:.2f})"
        f"{'' if right else '  OTHER ENTRIES: ' + str((samples['nnz facts'], samples['scipy facts']))}",
        flush=True,
    )
    return right and ratio >= 1.0


def files(given, folder):
    if given:
        return given
    data = os.environ.get("NNZ_DATA")
    if not data:
        print("skipped: the files of NNZ_DATA (not set)")
    found = sorted(os.listdir(data)) if data else []
    found = [os.path.join(data, name) for name in found if name.endswith((".mtx", ".mtx.gz"))]
    return found + [poisson(folder)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default="target/release/examples/read_file")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    try:
        import scipy.io  # noqa: F401
    except ImportError:
        print("skipped: SciPy is not installed")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        paths = files(args.files, folder)
        threads = [int(count) for count in args.threads.split(",")]
        results = [report(path, args.reader, count, args.rounds) for path in paths for count in threads]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
