"""Who takes turns: nnz in a process of its own, the others in this one. And the turns."""
import json
import statistics
import subprocess
import time

SAMPLES = 3
# A sample is at least as long; where one call takes longer than the second figure a block is one sample.
SAMPLE_NS, LONG_NS = 1e6, 5e7


class Refused(Exception):
    """nnz does not run the kernel; its words."""


class Called:
    """A function of this process."""

    def __init__(self, call):
        self.call = call
        call()

    def block(self, samples, inner):
        wall, cpu = [], []
        for _ in range(samples):
            before, start = time.process_time_ns(), time.perf_counter_ns()
            for _ in range(inner):
                self.call()
            wall.append((time.perf_counter_ns() - start) / inner)
            cpu.append((time.process_time_ns() - before) / inner)
        return wall, cpu

    def quit(self):
        pass


class Served:
    """`nnz time --serve`."""

    def __init__(self, nnz, path, threads, *flags):
        command = [nnz, "time", str(path), "--kernel", "y", "--serve", "--threads", str(threads), *flags]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        if not self.process.stdout.readline():
            raise Refused(said(self.process.stderr.read()))

    def block(self, samples, inner):
        print(f"block {samples} {inner}", file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise Refused(said(self.process.stderr.read()))
        answer = json.loads(answer)
        return answer["w"], answer["c"]

    def quit(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()


def said(stderr):
    errors = [line for line in stderr.split("\n") if line.startswith("error")]
    return (errors or [stderr.strip() or "nnz ended without a word"])[0][:200]


def answer(nnz, session, check, threads):
    """What nnz computes, as one number."""
    command = [nnz, "--json", "--threads", str(threads), "-c", f"{session}{check}check"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refused(said(done.stderr))
    return float(json.loads(done.stdout.strip().split("\n")[-1])["value"])


def block_of(ns):
    """How many samples of how many calls a block is, for a call of so many nanoseconds."""
    return (1 if ns > LONG_NS else SAMPLES), max(1, int(SAMPLE_NS // max(ns, 1.0)))


def take_turns(programs, rounds, seconds):
    """Name -> its samples by the clock and of processor time, in nanoseconds per call.

    At least one round, and no more than `rounds` or what fits into `seconds`.
    """
    began = time.monotonic()
    samples = {name: ([], []) for name in programs}
    blocks = {name: block_of(program.block(1, 1)[0][0]) for name, program in programs.items()}
    for _ in range(rounds):
        started = time.monotonic()
        for name, program in programs.items():
            for kept, new in zip(samples[name], program.block(*blocks[name])):
                kept.extend(new)
        took = time.monotonic() - started
        if time.monotonic() + took > began + seconds:
            break
    return samples


def summary(samples, threads):
    """One thread is measured by processor time, which a busy machine disturbs less; several by the clock."""
    chosen = {name: by[0 if threads > 1 else 1] for name, by in samples.items()}
    return {name: {"min": min(ns), "median": statistics.median(ns), "samples": len(ns)} for name, ns in chosen.items()}
