#!/usr/bin/env bash
# No safe call reads or writes outside an array: compiled kernels of the suites under AddressSanitizer, and the loops, the
# interpreter and the storage under Miri.
#   run.sh          both
#   run.sh address  needs gcc's libasan
#   run.sh miri     needs a nightly toolchain with miri and rust-src; installs them where rustup can
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TERM_COLOR=never

# The test binary NAME of nnz-tests, built.
binary() {
  cargo test -p nnz-tests --test "$1" --no-run --locked --message-format=json 2> /dev/null |
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
  for suite in ${SUITES:-kernel_suite conversions long_rows sealed}; do
    local at
    at=$(binary "$suite")
    (cd tests && sanitized "$at")
    echo "AddressSanitizer: $suite is clean"
  done
}

miri() {
  cargo +nightly miri --version > /dev/null 2>&1 || rustup component add --toolchain nightly miri rust-src
  export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks"
  # Tests that draw or time thousands of cases take hours there.
  cargo +nightly miri test --target-dir target/miri --locked -p nnz-loops --lib -- --skip random
  cargo +nightly miri test --target-dir target/miri --locked -p nnz-storage --lib -- levels pack unpack convert
  echo "Miri: clean"
}

case "${1:-all}" in
  address) address ;;
  miri) miri ;;
  all) address; miri ;;
  *) echo "run.sh [address|miri]"; exit 2 ;;
esac
