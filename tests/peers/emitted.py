#!/usr/bin/env python3
"""Kernels as C and as MLIR, compiled by the C compiler and by MLIR's own tools, against the interpreter.

The suite of back ends runs C wherever there is a compiler; this asks it to run MLIR too. Cases with known
answers join in where NNZ_CASES names their file.
"""

import os
import pathlib
import subprocess
import sys

from setting import skipped

LLVM = pathlib.Path(os.environ.get("NNZ_LLVM", "/usr/lib/llvm-22"))


def main():
    if not (LLVM / "bin/mlir-runner").exists():
        skipped("MLIR 22 is not installed")
    command = ["cargo", "test", "--locked", "-p", "nnz-tests", "--test", "back_ends"]
    command += ["--test", "kernel_cases", "--test", "kernel_suite"]
    return subprocess.run([*command, "--", "--nocapture"], env={**os.environ, "NNZ_MLIR": "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())
