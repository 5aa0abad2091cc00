#!/usr/bin/env python3
"""Kernels of nnz beside SciPy, MKL, Numba, Eigen, MLIR's sparsifier and plain C, taking turns in one run.

    tests/bench/kernels.py [--kernel spmv_csr_f64 ...] [--input NAME|FILE ...] [--peer mkl ...] [--threads 1 2]
                           [--rounds 5] [--minutes 18] [--markdown OUT.md] [--json OUT.json]

Inputs are files (also below NNZ_DATA) and made ones, such as `poisson2d_1001`, `rmat_18_24` and `zipf_6500k`, a tensor;
without --input, those of `paired/inputs.py`. One that is not found is an error where it was named or NNZ_CI is set,
and is said otherwise. So is every peer that is not installed.

Every answer is compared with SciPy's or NumPy's first; a wrong one is reported and ends the run with 1. All programs
use 32-bit positions and coordinates. `nnz` adds in the order written, as `C` does; `nnz -r` is `nnz --reassociate`.
Conversions that nnz inserts are part of what is measured; the memory of a result is kept from call to call by nnz
and C, and taken anew by the others. `mkl-inspected` multiplies by a copy in a layout of MKL's own, made
before the clock starts: it is shown, and is not one of the products over the encoding that the kernel names. A figure is the least of all samples: of processor time with one thread, which
a busy machine disturbs less, and by the clock with several. Ratios are peer / nnz: above 1 nnz is faster.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from paired import inputs, problems, programs, report
from paired.peers import every

NAMES = ["scipy", "mkl", "mkl-inspected", "numba", "eigen", "mlir", "C"]
TOLERANCE = {"f64": 1e-9, "f32": 1e-3}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnz", default=os.environ.get("NNZ", built()), help="the program")
    parser.add_argument("--kernel", nargs="+", default=list(problems.KERNELS), choices=list(problems.KERNELS), metavar="KERNEL")
    parser.add_argument("--input", nargs="+", metavar="INPUT")
    parser.add_argument("--peer", nargs="*", default=NAMES, choices=NAMES)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="at most so many turns")
    parser.add_argument("--minutes", type=float, default=18.0, help="for all of it; the last kernels get fewer turns")
    parser.add_argument("--markdown", help="where the tables go as well")
    parser.add_argument("--json", help="where every figure goes")
    parser.add_argument("--folder", help="where inputs are kept, so that the next run finds them; else a new one")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def built():
    root = pathlib.Path(__file__).resolve().parents[2]
    return str(pathlib.Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release/nnz")


def environment(threads):
    """Libraries look once, when they are loaded, so that each number of threads is a process of its own."""
    count = str(threads)
    names = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"]
    # Threads that wait must not take the time of the next program.
    return {**os.environ, **{name: count for name in names}, "KMP_BLOCKTIME": "1", "MKL_DYNAMIC": "FALSE"}


# One number of threads.


def why_absent(peer, threads):
    return peer.absent or ("it has one thread" if threads > 1 and not peer.threads else None)


class Run:
    def __init__(self, options, threads, folder):
        self.options, self.threads, self.folder = options, threads, folder
        self.deadline = time.monotonic() + 60 * options.minutes
        kinds = [kind(folder, threads) for kind in every() if kind.name in options.peer]
        self.peers = [peer for peer in kinds if not why_absent(peer, threads)]

    def rows(self, journal):
        """Writes each row into the journal, and before it that it begins; what is there already is left out."""
        done = {(entry["kernel"], entry["input"]) for entry in journal.read()}
        wanted = [(name, kernel) for name in self.options.input for kernel in self.options.kernel]
        left, source = len(wanted), None
        for name, kernel in wanted:
            order, make = problems.KERNELS[kernel]
            if (kernel, name) not in done and order == inputs.order_of(name):
                if source is None or source[0] != name:
                    source = name, inputs.load(name, self.options.nnz, self.folder)
                journal.add({"kernel": kernel, "input": name, "threads": self.threads})
                row = self.row(kernel, make, source[1], (self.deadline - time.monotonic()) / left)
                journal.add({**row, "input": name})
                print(report.line(row), flush=True)
            left -= 1

    def row(self, kernel, make, source, seconds):
        row = {"kernel": kernel, "input": source.name, "entries": source.entries, "threads": self.threads, "wrong": []}
        if seconds <= 0:
            return {**row, "skipped": "no time is left of --minutes"}
        until, taking = time.monotonic() + seconds, {}
        try:
            self.programs(make(kernel, source), row, taking)
            rest = until - time.monotonic()
            samples = programs.take_turns(taking, self.options.rounds, rest)
            return {**row, "times": programs.summary(samples, self.threads)}
        except (problems.Unfit, programs.Refused) as reason:
            return {**row, "skipped": str(reason)}
        finally:
            for program in taking.values():
                program.quit()

    def programs(self, problem, row, taking):
        """Adds those whose answer is right."""
        nnz, path = self.options.nnz, self.folder / "kernel.nnz"
        found = programs.answer(nnz, problem.session, problem.check, self.threads)
        self.compare("nnz", problem, found, row)
        for peer in self.peers:
            offer = peer.offer(problem)
            if offer is not None:
                offer.call()
                if self.compare(peer.name, problem, problems.weighted(offer.result()), row):
                    taking[peer.name] = programs.Called(offer.call)
        path.write_text(problem.session)
        taking["nnz"] = programs.Served(nnz, path, self.threads)
        if problem.sums:
            taking["nnz -r"] = programs.Served(nnz, path, self.threads, "--reassociate")

    def compare(self, name, problem, found, row):
        near = TOLERANCE[problems.element_of(problem.dtype)] * max(abs(problem.expected), 1.0)
        if abs(found - problem.expected) <= near:
            return True
        row["wrong"].append(f"{name}: {found} and not {problem.expected}")
        return False


class Journal:
    """A file of rows that outlives a crash."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def add(self, entry):
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def read(self):
        return [json.loads(line) for line in self.path.read_text().splitlines()] if self.path.exists() else []

    def rows(self):
        """The last word about each; one that only began has brought the process down."""
        last = {(entry["kernel"], entry["input"]): entry for entry in self.read()}
        return [{"wrong": ["the process died"], "skipped": "the process died", **row} if "wrong" not in row else row
                for row in last.values()]


def child(options):
    run = Run(options, options.child, pathlib.Path(options.folder))
    run.rows(Journal(options.json))


# All of them.


def check_inputs(options):
    """The names of the inputs that are there."""
    found = []
    for name in options.input if options.input is not None else inputs.default_names():
        try:
            if not inputs.is_made(name):
                inputs.find(name)
            found.append(name)
        except inputs.Missing as error:
            if options.input is not None or os.environ.get("NNZ_CI"):
                sys.exit(f"error: {error}")
            print(f"left out: {error}", flush=True)
    return found


def absent_peers(options, threads, folder):
    """Peer -> why it takes no part."""
    found = {kind.name: why_absent(kind(folder, threads), threads) for kind in every() if kind.name in options.peer}
    found = {name: reason for name, reason in found.items() if reason}
    for name, reason in found.items():
        print(f"absent with {threads} thread{'s' * (threads > 1)}: {name}: {reason}", flush=True)
    return found


def measure(options, names, threads, folder):
    """The rows of one number of threads. A process that dies, as a peer may let it, is started again behind the row."""
    journal, minutes = Journal(folder / f"rows_{threads}.jsonl"), options.minutes / len(options.threads)
    journal.path.unlink(missing_ok=True)
    until = time.monotonic() + 60 * minutes
    command = [sys.executable, __file__, "--child", str(threads), "--nnz", options.nnz, "--json", str(journal.path)]
    command += ["--kernel", *options.kernel, "--input", *names, "--peer", *options.peer, "--rounds", str(options.rounds)]
    command += ["--folder", str(folder)]
    before = -1
    while len(journal.read()) > before:
        before = len(journal.read())
        rest = max(until - time.monotonic(), 0) / 60
        if subprocess.run([*command, "--minutes", str(rest)], env=environment(threads)).returncode == 0:
            return journal.rows()
        print("a process died; on to the next kernel", flush=True)
    sys.exit("error: the measuring process does not start")


def main():
    options = arguments()
    if options.child:
        return child(options)
    if not pathlib.Path(options.nnz).exists():
        sys.exit(f"error: {options.nnz} is not there: cargo build --release, or --nnz, or NNZ")
    names = check_inputs(options)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.folder or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        absent = {threads: absent_peers(options, threads, folder) for threads in options.threads}
        rows = [row for threads in options.threads for row in measure(options, names, threads, folder)]
    tables = report.tables(rows, absent)
    print(f"\n{tables}")
    if options.markdown:
        pathlib.Path(options.markdown).write_text(tables)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"rows": rows, "absent": absent}, indent=1))
    wrong = [f"{row['kernel']} on {row['input']}: {text}" for row in rows for text in row["wrong"]]
    if wrong:
        sys.exit("wrong answers:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
