"""Runs programs by nnz and by MLIR 22, and holds what they print against what the oracle says."""
import glob
import os
import re
import resource
import signal
import subprocess
from dataclasses import dataclass

LLVM = os.environ.get("LLVM22", "/usr/lib/llvm-22")
NUMBER = re.compile(r"-?(?:inf|nan|\d+(?:\.\d+)?(?:e[+-]?\d+)?)")
HEADER = re.compile(r"^(?:Unranked )?Memref.*?data = *\n", re.S)
SECONDS = 10  # of the processor, which do not depend on what else the machine does


@dataclass
class Answer:
    """What became of a program: its output, or why there is none."""

    text: str = ""
    failure: str = ""  # refused, crashed, slow
    errors: str = ""


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def run_nnz(nnz, path, *options):
    try:
        done = subprocess.run([nnz, "run", *options, path], capture_output=True, text=True, timeout=30 * SECONDS, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return Answer(failure="slow", errors=f"no end within {30 * SECONDS} s")
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Answer(failure="slow", errors=f"no end within {SECONDS} s of the processor")
    if done.returncode == 0:
        return Answer(done.stdout, errors=done.stderr)
    code = re.search(r"error\[(E\d+)\]: (.*)", done.stderr)
    if done.returncode == 1 and code:
        return Answer(failure=f"refused {code[1]}", errors=done.stderr)
    return Answer(failure=f"ended with {done.returncode}", errors=done.stderr)


def libraries():
    names = ("libmlir_c_runner_utils", "libmlir_runner_utils")
    return ",".join(sorted(glob.glob(f"{LLVM}/lib/{name}.so*"))[0] for name in names)


def run_mlir(path, library):
    opt = f"mlir-opt-22 {path} --sparsifier='enable-runtime-library={str(library).lower()}' -o {path}.low"
    try:
        low = subprocess.run(opt, shell=True, capture_output=True, text=True, timeout=60)
        if low.returncode != 0:
            return Answer(failure="does not compile", errors=low.stderr)
        done = subprocess.run(["mlir-runner-22", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries()}", f"{path}.low"],
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return Answer(failure="does not end")
    return Answer(done.stdout, "" if done.returncode == 0 else "ends with an error", done.stderr)


def sections(text):
    """What stands behind each `#N` line, by N."""
    parts = re.split(r"^#(\d+)\n", text, flags=re.M)
    return {int(number): part for number, part in zip(parts[1::2], parts[2::2])}


def difference(printed, text):
    """The first thing that is not as the oracle says, in words; empty if there is none."""
    found = sections(text)
    for number, wanted in enumerate(printed):
        if number not in found:
            return f"#{number}: nothing is printed"
        wrong = CHECKS[wanted.kind](wanted, found[number])
        if wrong:
            return f"#{number}: {wrong}"
    return ""


def numbers(text):
    return NUMBER.findall(HEADER.sub("", text))


def expected(wanted):
    if not wanted.element.is_complex:
        return wanted.numbers
    return [part for one in wanted.numbers for part in ((None, None) if one is None else (complex(one).real, complex(one).imag))]


def check_numbers(wanted, text):
    found, right = numbers(text), expected(wanted)
    if len(found) != len(right):
        return f"{len(found)} numbers rather than {len(right)}: {text.strip()[:300]}"
    for at, (one, other) in enumerate(zip(found, right)):
        if not same(one, other, wanted):
            return f"number {at} is {one} rather than {other}"
    return ""


def same(found, right, wanted):
    if right is None:
        return True
    if wanted.element.is_integer or isinstance(right, int):
        return (int(float(found)) if "." in found else int(found)) % (1 << 64) % (1 << bits(wanted)) == int(right) % (1 << bits(wanted))
    found, tolerance = float(found), 2e-5 if abs(right) < 1e5 or wanted.approximate else 1e-5
    return abs(found - right) <= tolerance * max(abs(right), 1e-3 if wanted.approximate else 0)


def bits(wanted):
    return wanted.element.bits if wanted.element.is_integer else 64


def check_foreach(wanted, text):
    found, right = numbers(text), wanted.numbers
    if len(found) != len(right):
        return f"{len(found)} numbers rather than {len(right)}"
    for one, other in zip(found, right):
        if not same(one, other, wanted):
            return f"{one} rather than {other}"
    return ""


def arrays(text):
    """The lines of sparse_tensor.print: a word, and its numbers."""
    lines = [re.split(r" = | : ", line, maxsplit=1) for line in text.splitlines() if not line.startswith("----")]
    return [(line[0], NUMBER.findall(line[1])) for line in lines if len(line) == 2]


def check_count(wanted, text):
    found = [one for word, one in arrays(text) if word == "nse"] if "nse" in text else [numbers(text)]
    return "" if found and found[0] == [str(wanted.numbers[0])] else f"{found} entries rather than {wanted.numbers[0]}"


def check_storage(wanted, text):
    found = arrays(text)
    if [word for word, _ in found] != [word for word, _ in wanted.numbers]:
        return f"lines {[word for word, _ in found]} rather than {[word for word, _ in wanted.numbers]}"
    for (word, one), (_, other) in zip(found, wanted.numbers):
        right = expected_values(wanted, other) if word == "values" else other
        if word.startswith("pos") and right[-1:] == [None] and len(one) == len(right) - 1:
            right = right[:-1]  # The slot behind pairs: arrays that were given may have none.
        if len(one) != len(right) or not all(same(a, b, wanted) if word == "values" else b is None or int(a) % 256 == int(b) % 256 for a, b in zip(one, right)):
            return f"{word} : ( {', '.join(one)} ) rather than ( {', '.join(map(str, right))} )"
    return ""


def expected_values(wanted, values):
    if not wanted.element.is_complex:
        return values
    return [part for one in values for part in (complex(one).real, complex(one).imag)]


CHECKS = {"dense": check_numbers, "foreach": check_foreach, "count": check_count, "nse": check_count, "storage": check_storage,
          "anything": lambda wanted, text: ""}
