#!/usr/bin/env python3
"""Runs tests/programs/*.mlir with nnz and with MLIR 22 (mlir-opt-22 --sparsifier | mlir-runner-22), and compares what
they print, byte for byte; the address in `base@ = 0x...` aside.

MLIR generates code that works on arrays itself (direct IR); a program whose first lines hold `// library` is run
through its runtime library instead. `// differs: REASON` says why the two must differ: then they are run all the
same, and it fails if they agree. Every program must print the same as MLIR prints it, in its
generic syntax and with locations. Prints the ratio
of the times and of the memory of the whole processes.

    NNZ=target/release/nnz tests/peers/programs.py [-v] [NAME...]

Skips by name where mlir-opt-22 or mlir-runner-22 is absent.
"""
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from setting import skipped

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs")
LLVM = os.environ.get("LLVM22", "/usr/lib/llvm-22")


def libraries():
    names = ("libmlir_c_runner_utils", "libmlir_runner_utils")
    found = [glob.glob(f"{LLVM}/lib/{name}.so*") for name in names]
    return ",".join(sorted(paths)[0] for paths in found if paths)


def settings(path):
    """The variables, the mode and the reason for a difference that the head of a program states."""
    head = open(path).read().split("\n")[:4]
    env, mode, reason = {}, "false", ""
    for line in head:
        if line.startswith("// env: "):
            env = dict(pair.split("=", 1) for pair in line[8:].split())
        if line.startswith("// library"):
            mode = "true"
        if line.startswith("// differs: "):
            reason = line[12:]
    return env, mode, reason


@dataclass
class Done:
    text: bytes
    code: int
    errors: str
    seconds: float
    memory: int
    """The most that one of its processes had in memory, in KiB."""


def run(command, env):
    start = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        command = ["timeout", "120", "sh", "-c", command]
        process = subprocess.Popen(command, cwd=FOLDER, env={**os.environ, **env}, stdout=subprocess.PIPE, stderr=errors)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    text = re.sub(rb"base@ = 0x[0-9a-f]+", b"base@ = 0x0", text)
    return Done(text, process.returncode, said, seconds, usage.ru_maxrss)


def mlir_command(path, mode):
    opt = f"mlir-opt-22 {path} --sparsifier='enable-runtime-library={mode}'"
    run = f"mlir-runner-22 -e main -entry-point-result=void -shared-libs={libraries()}"
    return f"{opt} | {run}"


FORMS = {
    "in the generic syntax": "--mlir-print-op-generic",
    "with locations": "--mlir-print-debuginfo",
    "in the generic syntax with locations": "--mlir-print-op-generic --mlir-print-debuginfo",
}


def reprinted(path, options, nnz, env):
    """What nnz prints for the same program as MLIR prints it."""
    with tempfile.NamedTemporaryFile(suffix=".mlir") as file:
        printed = run(f"mlir-opt-22 {options} {path}", env)
        if printed.code != 0:
            return printed
        file.write(printed.text)
        file.flush()
        return run(f"{nnz} run {file.name}", env)


def compare(path, nnz, verbose):
    """The ratios of the times and of the memory; None where the two do not say the same."""
    name = os.path.splitext(os.path.basename(path))[0]
    env, mode, reason = settings(path)
    ours, theirs = run(f"{nnz} run {path}", env), run(mlir_command(path, mode), env)
    if ours.code != 0:
        print(f"FAIL {name}: nnz ends with {ours.code}: {ours.errors.strip()[:400]}")
        return None
    for form, options in FORMS.items():
        if "--mlir-print-op-generic" not in options and "memoized_indexing_maps" in open(path).read():
            continue  # MLIR's own syntax of a named kernel leaves its maps out.
        again = reprinted(path, options, nnz, env)
        if again.text != ours.text:
            print(f"FAIL {name}: {form} nnz prints\n{again.text.decode()}\n-- rather than\n{ours.text.decode()}{again.errors[:400]}")
            return None
    same = ours.text == theirs.text and theirs.code == 0
    ratios = theirs.seconds / ours.seconds, theirs.memory / ours.memory
    if reason:
        print(f"{'FAIL agrees after all' if same else 'differs'} {name}: {reason}")
        return None if same else ratios
    if not same:
        print(f"FAIL {name}\n-- nnz\n{ours.text.decode()}\n-- MLIR\n{theirs.text.decode()}{theirs.errors.strip()[:600]}")
        return None
    if verbose:
        print(f"ok   {name}  {ratios[0]:.1f} times as fast")
    return ratios


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    nnz = os.path.abspath(os.environ.get("NNZ", "target/release/nnz"))
    missing = [tool for tool in ("mlir-opt-22", "mlir-runner-22") if not shutil.which(tool)]
    if missing:
        skipped(f"{', '.join(missing)} absent")
    paths = sorted(glob.glob(f"{FOLDER}/*.mlir"))
    paths = [path for path in paths if not words or any(word in os.path.basename(path) for word in words)]
    ratios = [compare(path, nnz, "-v" in sys.argv) for path in paths]
    good = [ratio for ratio in ratios if ratio is not None]
    print(f"{len(good)} of {len(paths)} programs as MLIR 22 prints them, or better for a stated reason")
    if good:
        times, memories = zip(*good)
        for what, found in (("time", times), ("memory", memories)):
            print(f"whole process, MLIR's {what} over nnz's: median {statistics.median(found):.1f}, least {min(found):.1f}")
    return 0 if len(good) == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main())
