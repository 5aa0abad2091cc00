#!/usr/bin/env python3
"""Times whole processes of nnz: a one-liner, a kernel, start to prompt, and the check of long MLIR files beside mlir-opt.

    tests/bench/start.py [--nnz target/release/nnz] [--peer mlir-opt-22] [--runs 30]

Each figure is the median of the runs in milliseconds (minimum in brackets); nnz and the peer take turns.
"""
import argparse, os, pty, select, shutil, statistics, subprocess, tempfile, time

from lsp import generate


def wall(command):
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - begin) * 1e3


def to_prompt(nnz):
    """Milliseconds from starting nnz on a terminal to its prompt."""
    begin = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(nnz, [nnz])
    seen = b""
    while b"> " not in seen:
        if not select.select([terminal], [], [], 10)[0]:
            raise SystemExit("no prompt within 10 s")
        seen += os.read(terminal, 4096)
    taken = (time.perf_counter() - begin) * 1e3
    os.close(terminal)
    os.waitpid(pid, 0)
    return taken


def show(name, times):
    print(f"{name:<52}{statistics.median(times):>9.1f}  ({min(times):.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nnz", default="target/release/nnz")
    parser.add_argument("--peer", default="mlir-opt-22")
    parser.add_argument("--runs", type=int, default=30)
    arguments = parser.parse_args()
    nnz = os.path.abspath(arguments.nnz)
    runs = range(arguments.runs)
    show("spawn of `true` (the floor)", [wall(["true"]) for _ in runs])
    show("nnz --version", [wall([nnz, "--version"]) for _ in runs])
    show("nnz -c ':help'", [wall([nnz, "-c", ":help"]) for _ in runs])
    kernel = "A : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]\nx : tensor<2xf64> = [3, 4]\ny(i) = A(i, j) * x(j)\ny"
    show("nnz --compile -c, an SpMV as machine code", [wall([nnz, "--compile", "-c", kernel]) for _ in runs])
    show("nnz, start to prompt", [to_prompt(nnz) for _ in runs])
    has_peer = shutil.which(arguments.peer)
    if not has_peer:
        print(f"SKIP {arguments.peer}: not installed")
    with tempfile.TemporaryDirectory() as folder:
        for lines in (1000, 10000):
            path = os.path.join(folder, f"{lines}.mlir")
            with open(path, "w") as file:
                file.write(generate(lines))
            pairs = [(wall([nnz, "check", path]), wall([arguments.peer, path]) if has_peer else None) for _ in runs]
            show(f"nnz check, {lines} lines", [ours for ours, _ in pairs])
            if has_peer:
                show(f"{arguments.peer}, {lines} lines", [theirs for _, theirs in pairs])


if __name__ == "__main__":
    main()
