#!/usr/bin/env bash
# No safe call reads or writes outside an array: compiled kernels of the suites under AddressSanitizer, and the loops, the
# interpreter and the storage under Miri.
#   run.sh          both
#   run.sh address  needs gcc's libasan
#   run.sh miri     needs a nightly toolchain with miri and rust-src; installs them where rustup can
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TERM_COLOR=never

# The test binary NAME of nnz-tests, built: of the workspace, and not of `-p nnz-tests`, which would resolve other features of
# dependencies and build them again.
binary() {
  cargo test --workspace --test "$1" --no-run --locked --message-format=json 2> /dev/null |
    sed -n 's/.*"executable":"\([^"]*deps\/'"$1"'-[^"]*\)".*/\1/p' | tail -1
}

# A test binary with the run time of AddressSanitizer before everything else; what LLVM itself leaks is not looked for.
sanitized() {
  LD_PRELOAD="$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0:abort_on_error=0 NNZ_SANITIZE=address "$@"
}

address() {
  local planted report
  planted=$(binary sealed)
  report=$(cd tests && sanitized "$planted" --ignored planted_access_outside 2>&1 || true)
  grep -q "heap-buffer-overflow" <<< "$report" || { printf 'the planted access is not found:\n%s\n' "$report"; exit 1; }
  echo "AddressSanitizer: the planted access is found"
  # The suites whose loops come from lowering, or the ones that are named.
  for suite in ${SUITES:-kernel_suite conversions long_rows sealed bounds}; do
    local at
    at=$(binary "$suite")
    (cd tests && sanitized "$at")
    echo "AddressSanitizer: $suite is clean"
  done
}

# Miri on the tests of PACKAGE that a filter names: what is small enough for an interpreter of Rust. It runs no foreign code,
# so LLVM, the C library's complex functions and the allocator's system calls are left to the run above.
under_miri() {
  cargo +nightly miri test --quiet --target-dir target/miri --locked -p "$@"
}

# The tests are built first, then run beside each other: eight minutes on two cores.
miri() {
  cargo +nightly miri --version > /dev/null 2>&1 || rustup component add --toolchain nightly miri rust-src
  # Crossbeam, below rayon, makes pointers of numbers and leaves threads behind.
  export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-permissive-provenance -Zmiri-ignore-leaks"
  under_miri nnz-backend --lib --no-run
  under_miri nnz-tests --test back_ends --test kernel_suite --no-run
  under_miri nnz-storage --lib --no-run
  local runs=() run
  # The code that machine code calls, and GPU kernels that wait, exchange and race on the interpreter.
  under_miri nnz-backend --lib -- run_time interp & runs+=($!)
  # Kernels over small tensors: planned, lowered, interpreted, read back.
  { under_miri nnz-tests --test kernel_suite
    under_miri nnz-tests --test back_ends -- may_read_an_array_twice low_bits interpreter_finds
    under_miri nnz-base --lib -- arrays
    # Not of files: zlib-rs 0.6, which compresses what the tests write, breaks the rules of tree borrows when it ends.
    under_miri nnz-storage --lib -- tests::blocks tests::batches tests::beyond_mlir::runs tests::beyond_mlir::rows --skip files
  } & runs+=($!)
  for run in "${runs[@]}"; do wait "$run"; done
  echo "Miri: clean"
}

case "${1:-all}" in
  address) address ;;
  miri) miri ;;
  all) address; miri ;;
  *) echo "run.sh [address|miri]"; exit 2 ;;
esac
