#!/usr/bin/env python3
"""Runs a folder of lit-style MLIR tests with nnz, and checks what they print with FileCheck.

A RUN line that feeds a sparsifier pipeline of mlir-opt into mlir-runner (or mlir-cpu-runner) and that into
FileCheck is carried out as `nnz run FILE | FileCheck ...`, in the same environment. Lines that come to the same
are run once. Everything else is counted as not applicable.

    NNZ=target/release/nnz tests/peers/conformance.py [-v] [FOLDER [NAME...]]

MLIR's own tests are mlir/test/Integration/Dialect/SparseTensor/CPU of its sources, which `.ci/install-peers` gets from
Debian: that folder is run where none is given. Those that docs/conformance.md explains must fail, all others pass.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

from setting import ROOT, program, skipped

TIMEOUT = 60
SOURCES = ROOT / "target/mlir-tests"
# docs/conformance.md says why.
EXPLAINED = {"sparse_ds.mlir", "sparse_reduce_custom_sum.mlir", "sparse_rewrite_sort_coo.mlir"}


def expanded(lines, path, root):
    """The RUN lines of a test with lit's substitutions made; a line may go on after a backslash."""
    definitions, runs, pending = {}, [], ""
    for line in lines:
        found = re.match(r"//\s*(DEFINE|REDEFINE|RUN):\s?(.*)", line) if not pending else re.match(r"//\s?(?:RUN:|DEFINE:|REDEFINE:)?()(.*)", line)
        if not found:
            pending = ""
            continue
        text = found.group(2).rstrip()
        if pending:
            text = pending[1] + " " + text.strip()
            kind = pending[0]
        else:
            kind = found.group(1)
        if text.endswith("\\"):
            pending = (kind, text[:-1].rstrip())
            continue
        pending = ""
        if kind == "RUN":
            runs.append(substituted(text, definitions, path, root))
        else:
            name, _, value = text.partition("=")
            definitions[name.strip()] = value.strip()
    return joined(runs)


def substituted(text, definitions, path, root):
    for _ in range(10):
        before = text
        for name, value in definitions.items():
            text = text.replace(name, value)
        if text == before:
            break
    return text.replace("%mlir_src_dir", root).replace("%s", path)


def joined(runs):
    """RUN lines that end in a pipe go on in the next."""
    whole, out = "", []
    for run in runs:
        whole = f"{whole} {run}".strip()
        if not whole.endswith("|"):
            out.append(whole)
            whole = ""
    return out


def command(run):
    """The environment and the arguments of FileCheck of a line that nnz can carry out, else None."""
    stages = [stage.strip() for stage in run.split("|")]
    if "sparsifier" not in stages[0] and "sparse-compiler" not in stages[0]:
        return None
    runner = next((stage for stage in stages if re.search(r"mlir-(cpu-)?runner", stage)), None)
    check = next((stage for stage in stages if "FileCheck" in stage), None)
    if runner is None or check is None or "%" in check:
        return None
    env = tuple((k, v) for k, v in re.findall(r"(TENSOR\d+)=\"?([^\"\s]+)\"?", runner))
    return env, tuple(shlex.split(check.split("FileCheck", 1)[1]))


def outcome(path, nnz, env, check):
    """What went wrong, or None."""
    try:
        ran = subprocess.run([nnz, "run", path], env={**os.environ, **dict(env)}, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"more than {TIMEOUT} s"
    if ran.returncode != 0:
        return ran.stderr.decode(errors="replace").strip()
    checked = subprocess.run(["FileCheck-22", *check], input=ran.stdout, capture_output=True)
    return None if checked.returncode == 0 else checked.stderr.decode(errors="replace").strip()


def tests(folder, names):
    for path in sorted(glob.glob(f"{folder}/*.mlir")):
        if not names or any(word in os.path.basename(path) for word in names):
            yield path


def run_all(paths, nnz, root):
    """Why each test fails, None where it passes; and the names of those that nnz has nothing to do with."""
    reasons, other = {}, []
    for path in paths:
        runs = {command(run) for run in expanded(open(path).read().split("\n"), path, root)} - {None}
        if not runs:
            other.append(os.path.basename(path))
            continue
        found = (outcome(path, nnz, env, check) for env, check in sorted(runs))
        reasons[os.path.basename(path)] = next((reason for reason in found if reason), None)
    return reasons, other


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    if not shutil.which("FileCheck-22"):
        skipped("FileCheck-22 is not installed")
    folder = words[0] if words else str(SOURCES / "mlir/test/Integration/Dialect/SparseTensor/CPU")
    paths = list(tests(folder, words[1:]))
    if not paths:
        skipped(f"there are no tests in {folder}; .ci/install-peers gets MLIR's")
    reasons, other = run_all(paths, os.path.abspath(program("NNZ", "-p", "nnz")), folder.split("/test/")[0])
    wrong = {name: reason for name, reason in reasons.items() if (reason is None) == (name in EXPLAINED)}
    for name, reason in wrong.items():
        lines = (reason or "passes, which docs/conformance.md says it cannot").split("\n")
        print(f"FAIL {name}: " + ("\n".join(lines[:40]) if "-v" in sys.argv else lines[0][:200]))
    passed = sum(reason is None for reason in reasons.values())
    print(f"{passed} of {len(reasons)} tests pass; {len(other)} are not applicable: {' '.join(other)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
