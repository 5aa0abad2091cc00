#!/usr/bin/env bash
# Makes the two additions that CONTRIBUTING.md walks through, a level format and a function, in a copy of the tree, and runs
# the tests that the guide names.
#   run.sh          both
#   run.sh accept   first writes the present answers into the additions' cases
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/tests/additions
copy=$PWD/target/additions
# The copy has no repository of its own, and must not be taken for a part of this one.
export GIT_CEILING_DIRECTORIES=$copy CARGO_TARGET_DIR=$copy/target CARGO_TERM_COLOR=never

rm -rf "$copy/tree"
mkdir -p "$copy/tree"
git ls-files -z --cached --others --exclude-standard |
  tar --create --null --ignore-failed-read --files-from=- --file=- | tar --extract --directory="$copy/tree" --file=-
cd "$copy/tree"
git apply "$here/format.patch" "$here/function.patch"

tests() { cargo test --no-default-features --locked "$@"; }
if [ "${1:-}" = accept ]; then
  UPDATE_EXPECT=1 tests -p nnz-tests --test session_suite
fi
tests -p nnz-tests --test word_lists --test session_suite --test kernel_property --test conversions
tests -p nnz-base -p nnz-storage -p nnz-mlir -p nnz-machine --lib
