#!/usr/bin/env python3
"""Functions of complex numbers and shifts beside NumPy: equal within the last digits, on the interpreter and compiled.

Takes nnz from $NNZ, else builds it.
"""
import json
import subprocess
import sys

from setting import program, skipped

try:
    import numpy as np
except ImportError as missing:
    skipped(missing)

NNZ = program("NNZ", "--bin", "nnz")
FUNCTIONS = (
    "abs conj real imag angle square sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh "
    "asinh acosh atanh"
).split()
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
PARTS = [0.0, 1e-9, 0.3, -0.7, 1.0, -2.5, 30.0, -0.4]
NUMBERS = np.array([complex(re, im) for re in PARTS for im in PARTS] + [complex(1e200, -1e-200), complex(-3, 1e150)])


def text(z):
    return f"({float(z.real)!r}, {float(z.imag)!r})"


def computed(way, session, names):
    """The tensors of these names at the end of the session, whose kernels run this way."""
    done = subprocess.run([NNZ, "--json", way, "-c", session], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr + done.stdout[-2000:])
    shown = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = {answer["name"]: answer for answer in shown if answer.get("kind") == "tensor"}
    return [found[name] for name in names]


def numbers(answer):
    is_complex = answer["element"].startswith("complex")
    read = lambda x: float(x) if isinstance(x, str) else x
    values = [complex(read(v[0]), read(v[1])) if is_complex else read(v) for v in answer["values"]]
    return np.array(values)


def close(ours, theirs, least):
    """Within some 2^8 of the last digits of a number, or of `least`."""
    with np.errstate(all="ignore"):
        far = np.abs(ours - theirs) > 6e-14 * np.maximum(np.abs(theirs), least)
        return (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | ~far


def main():
    failures = sum(of_complex_numbers(way) + shifts(way) for way in ("--interpret", "--compile"))
    print(f"{len(FUNCTIONS) + 1} functions of {len(NUMBERS)} complex numbers and shifts beside NumPy, {failures} differ")
    return 1 if failures else 0


def of_complex_numbers(way):
    failures = 0
    definition = f"z : tensor<{len(NUMBERS)}xcomplex<f64>> = [{', '.join(map(text, NUMBERS))}]"
    kernels = [f"k_{name}(i) = {name}(z(i))" for name in FUNCTIONS] + ["k_pow(i) = pow(z(i), z(i))"]
    names = [f"k_{name}" for name in [*FUNCTIONS, "pow"]]
    session = "\n".join([definition, *kernels, *names])
    with np.errstate(all="ignore"):
        wanted = [getattr(np, NUMPY.get(name, name))(NUMBERS) for name in FUNCTIONS] + [np.power(NUMBERS, NUMBERS)]
    for name, answer, theirs in zip(names, computed(way, session, names), wanted):
        # NumPy's logarithm of 1 + z rounds 1 + z.
        ours, least = numbers(answer), 0.01 if name == "k_log1p" else 1e-300
        for at in np.flatnonzero(~close(ours, theirs, least)):
            failures += 1
            print(f"{name}({NUMBERS[at]}): {ours[at]}, NumPy {theirs[at]}")
    return failures


def shifts(way):
    failures = 0
    for element, kind in [("i8", np.int8), ("ui8", np.uint8), ("i32", np.int32), ("i64", np.int64)]:
        info = np.iinfo(kind)
        values = np.array([0, 1, 5, 77, info.max, info.min, info.min // 2], dtype=kind)
        pairs = [(a, n) for a in values for n in [0, 1, 3, info.bits - 1, info.bits, info.bits + 5]]
        a, n = (np.array(column, dtype=kind) for column in zip(*pairs))
        listed = lambda column: ", ".join(str(int(x)) for x in column)
        definitions = f"a : tensor<{len(a)}x{element}> = [{listed(a)}]\nn : tensor<{len(a)}x{element}> = [{listed(n)}]"
        session = f"{definitions}\nup(i) = a(i) << n(i)\ndown(i) = a(i) >> n(i)\nup\ndown"
        for answer, theirs in zip(computed(way, session, ["up", "down"]), [np.left_shift(a, n), np.right_shift(a, n)]):
            different = [at for at, x in enumerate(answer["values"]) if int(x) != int(theirs[at])]
            failures += len(different)
            for at in different:
                print(f"{answer['name']} of {element} {a[at]}, {n[at]}: {answer['values'][at]}, NumPy {theirs[at]}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
