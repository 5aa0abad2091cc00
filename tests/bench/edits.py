#!/usr/bin/env python3
"""Times what a developer waits for after an edit in each crate, and counts its lines.

    tests/bench/edits.py [--rounds 3] [--crates plan machine]

An edit adds a function to the crate's `lib.rs` or `main.rs`, which is put back afterwards. Each figure is the median of the rounds in
seconds: `cargo check --workspace`, and `cargo build -p nnz`, the debug build. Lines are those of Rust below `src`, blank ones and comments
included; those of tests are in files called `tests.rs` or in folders called `tests`.
"""
import argparse, pathlib, re, statistics, subprocess, time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def members():
    """The crates of the workspace in its order, each by its folder."""
    return re.findall(r'"([^"]+)"', (ROOT / "Cargo.toml").read_text().split("members = [")[1].split("]")[0])


def lines(crate):
    """Lines that ship, and lines of tests."""
    shipped, tests = 0, 0
    for file in (ROOT / crate / "src").rglob("*.rs"):
        count = len(file.read_text().splitlines())
        if file.name == "tests.rs" or "tests" in file.parts[len(ROOT.parts):]:
            tests += count
        else:
            shipped += count
    return shipped, tests


def cargo(*arguments):
    begin = time.perf_counter()
    done = subprocess.run(["cargo", *arguments, "--locked", "--quiet"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return time.perf_counter() - begin


def after_an_edit(file, arguments, rounds):
    """The median time of cargo after the file has changed."""
    text = file.read_text()
    times = []
    try:
        for number in range(rounds):
            file.write_text(f"{text}\n#[doc(hidden)]\npub fn edited_{number}() -> usize {{\n    {number}\n}}\n")
            times.append(cargo(*arguments))
    finally:
        file.write_text(text)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--crates", nargs="*", help="only these, by the last part of their folders")
    options = parser.parse_args()
    check, build = ["check", "--workspace"], ["build", "-p", "nnz"]
    cargo(*check), cargo(*build)
    print(f"{'crate':<18}{'lines':>8}{'of tests':>10}{'check, s':>10}{'build, s':>10}")
    for crate in members():
        file = next((path for path in (ROOT / crate / "src" / name for name in ("lib.rs", "main.rs")) if path.exists()), None)
        if file is None or options.crates and pathlib.Path(crate).name not in options.crates:
            continue
        shipped, tests = lines(crate)
        checked, built = (after_an_edit(file, arguments, options.rounds) for arguments in (check, build))
        print(f"{crate:<18}{shipped:>8}{tests:>10}{checked:>10.1f}{built:>10.1f}", flush=True)


if __name__ == "__main__":
    main()
