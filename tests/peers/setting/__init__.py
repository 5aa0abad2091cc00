"""What the scripts beside this folder have in common: where nnz's programs are, and what happens where a peer is not."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def skipped(reason):
    """Ends the script: fine for a person, a failure in CI, where nothing is skipped."""
    print(f"skipped: {reason}")
    sys.exit(1 if os.environ.get("NNZ_CI") else 0)


def program(variable, *target):
    """The program that the variable names; else cargo's, built now. `target` are cargo's words for it."""
    if variable in os.environ:
        return os.environ[variable]
    subprocess.run(["cargo", "build", "-q", "--release", "--locked", *target], cwd=ROOT, check=True)
    folder = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
    return str(folder / "examples" / target[-1] if "--example" in target else folder / target[-1])
