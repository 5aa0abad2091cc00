#!/usr/bin/env python3
"""Runs a folder of lit-style MLIR tests with nnz, and checks what they print with FileCheck.

A RUN line that feeds a sparsifier pipeline of mlir-opt into mlir-runner (or mlir-cpu-runner) and that into
FileCheck is carried out as `nnz run FILE | FileCheck ...`, in the same environment. Lines that come to the same
are run once. Everything else is counted as not applicable.

    NNZ=target/release/nnz tests/peers/conformance.py [-v] FOLDER [NAME...]

MLIR's own tests are mlir/test/Integration/Dialect/SparseTensor/CPU of its sources. Skips by name where no folder is
given or FileCheck-22 is absent.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

TIMEOUT = 60


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


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    verbose = "-v" in sys.argv
    if not words or not shutil.which("FileCheck-22"):
        print("skipped: " + ("no folder of tests given" if not words else "FileCheck-22 absent"))
        return 0
    folder, names = words[0], words[1:]
    nnz = os.path.abspath(os.environ.get("NNZ", "target/release/nnz"))
    root = folder.split("/test/")[0]
    passed, failed, other = [], {}, []
    for path in sorted(glob.glob(f"{folder}/*.mlir")):
        name = os.path.basename(path)
        if names and not any(word in name for word in names):
            continue
        runs = {command(run) for run in expanded(open(path).read().split("\n"), path, root)} - {None}
        reasons = [reason for env, check in sorted(runs) if (reason := outcome(path, nnz, env, check))]
        if not runs:
            other.append(name)
        elif reasons:
            failed[name] = reasons[0]
        else:
            passed.append(name)
    for name, reason in failed.items():
        lines = reason.split("\n")
        print(f"FAIL {name}: " + ("\n".join(lines[:40]) if verbose else lines[0][:200]))
    print(f"{len(passed)} of {len(passed) + len(failed)} tests pass; {len(other)} are not applicable: {' '.join(other)}")
    return 0 if not failed else 1


if __name__ == "__main__":
    sys.exit(main())
