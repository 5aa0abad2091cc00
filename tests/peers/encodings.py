#!/usr/bin/env python3
"""Asks mlir-opt about every encoding of tests/suite/encoding/differential.txt and compares with nnz: accepted or
refused, and the canonical form of what both accept. Every difference must have its reason in the file, and every
reason a difference.

A line is `TYPE | BODY` or `TYPE | BODY | REASON`, for `tensor<TYPE, #sparse_tensor.encoding<{ BODY }>>`.

MLIR_OPT names mlir-opt (default: mlir-opt-22), NNZ_CHECK the `check` example of nnz-core, which is built otherwise.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from setting import ROOT, program, skipped

DATA = ROOT / "tests/suite/encoding/differential.txt"
MARK = "#sparse_tensor.encoding<{ map"


def canonical(text):
    """The first encoding printed in `text`, up to its closing `}>`."""
    start = text.rfind(MARK)
    return text[start : text.index(" }>", start) + 3] if start >= 0 else None


def mlir(tool, path):
    run = subprocess.run([tool, "--mlir-print-local-scope", path], capture_output=True, text=True)
    return canonical(run.stdout) if run.returncode == 0 else None


def nnz(tool, path):
    out = subprocess.run([tool, path], capture_output=True, text=True, check=True).stdout
    return None if ": error[" in out else canonical(out)


def difference(theirs, ours):
    if theirs == ours:
        return None
    if theirs is None:
        return "MLIR refuses it"
    if ours is None:
        return "nnz refuses it"
    return f"MLIR prints {theirs}, nnz {ours}"


def main():
    mlir_opt = shutil.which(os.environ.get("MLIR_OPT", "mlir-opt-22"))
    if not mlir_opt:
        skipped("mlir-opt is not installed")
    check = program("NNZ_CHECK", "-p", "nnz-core", "--example", "check")
    lines = [line for line in DATA.read_text().splitlines() if line and not line.startswith("//")]
    rows = [[part.strip() for part in line.split(" | ")] for line in lines]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(4) as pool:

        def compare(at):
            path = f"{folder}/{at}.mlir"
            text = f"func.func private @f(tensor<{rows[at][0]}, #sparse_tensor.encoding<{{ {rows[at][1]} }}>>)\n"
            pathlib.Path(path).write_text(text)
            return difference(mlir(mlir_opt, path), nnz(check, path))

        found = list(pool.map(compare, range(len(rows))))
    wrong = 0
    for row, diff in zip(rows, found):
        reason = row[2] if len(row) > 2 else None
        if diff and reason and "-v" in sys.argv:
            print(f"differs: {row[0]} | {row[1]}: {diff}: {reason}")
        if bool(diff) != bool(reason):
            wrong += 1
            print(f"UNEXPLAINED: {row[0]} | {row[1]}: {diff or 'no difference'}: {reason or 'no reason'}")
    print(f"{len(rows)} encodings, {sum(map(bool, found))} differences, {wrong} unexplained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
