#!/usr/bin/env python3
"""From Enter to the first result of a new kernel, at a prompt of nnz on a terminal.

    tests/bench/enter.py [--nnz target/release/nnz] [--runs 15] [--idle 0.3]

Kernels run as machine code (`--compile`), small ones too. Each run is a new process: tensors are defined, then the time is taken from sending the kernel's line to the next
prompt, for a kernel that is the process's first, another new one, and the first again, which is compiled already. Between prompt and
line `--idle` seconds pass, as where a person types. Prints median and least milliseconds by the clock, and of
processor time, which a busy machine disturbs less.
"""
import argparse
import os
import pty
import re
import select
import statistics
import time

SETUP = [
    "A : CSR = poisson2d(n = 100)",
    "B : CSC = poisson2d(n = 100)",
    "x : tensor<10000xf64> = random(density = 1.0)",
]
KERNELS = {
    "SpMV over CSR, the first kernel": "y(i) = A(i, j) * x(j)",
    "the same, compiled already": "y(i) = A(i, j) * x(j)",
    "another: SpMV over CSC": "z(i) = B(i, j) * x(j)",
    "another: CSR scaled by rows and columns": "S(i, j) : CSR = A(i, j) * x(i) * x(j)",
    "another: SpGEMM": "C(i, j) : CSR = A(i, k) * A(k, j)",
}
PROMPT = re.compile(rb"nnz> \r?$")


class Session:
    def __init__(self, nnz, idle):
        self.idle = idle
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", NO_COLOR="1")
            os.execv(nnz, [nnz, "--compile"])
        self.to_prompt()

    def to_prompt(self):
        seen = b""
        while not PROMPT.search(re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", seen)):
            if not select.select([self.terminal], [], [], 20)[0]:
                raise SystemExit(f"no prompt within 20 s, but {seen!r}")
            seen += os.read(self.terminal, 65536)
        return seen

    def milliseconds(self, line):
        """The line is typed, there is a pause, and then Enter."""
        os.write(self.terminal, line.encode())
        end = time.monotonic() + max(self.idle, 0.05)
        while (rest := end - time.monotonic()) > 0:
            if select.select([self.terminal], [], [], rest)[0]:
                os.read(self.terminal, 65536)
        # The clock of the process, as `clock_getcpuclockid` names it.
        processor = (~self.pid << 3) | 2
        begin, before = time.perf_counter(), time.clock_gettime(processor)
        os.write(self.terminal, b"\r")
        said = self.to_prompt()
        taken = time.perf_counter() - begin, time.clock_gettime(processor) - before
        if b"error" in said:
            raise SystemExit(said.decode())
        return taken

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnz", default=os.environ.get("NNZ", "target/release/nnz"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--idle", type=float, default=0.3)
    arguments = parser.parse_args()
    taken = {name: [] for name in KERNELS}
    for _ in range(arguments.runs):
        session = Session(os.path.abspath(arguments.nnz), arguments.idle)
        for line in SETUP:
            session.milliseconds(line)
        for name, line in KERNELS.items():
            taken[name].append(session.milliseconds(line))
        session.close()
    print(f"{'from Enter to the next prompt, ms':40} clock: median   least   processor: median   least")
    for name, times in taken.items():
        clock, processor = ([1e3 * second for second in seconds] for seconds in zip(*times))
        figures = [statistics.median(clock), min(clock), statistics.median(processor), min(processor)]
        print(f"{name:40} {figures[0]:13.1f} {figures[1]:7.1f} {figures[2]:19.1f} {figures[3]:7.1f}")


if __name__ == "__main__":
    main()
