#!/usr/bin/env bash
# Makes the two additions that CONTRIBUTING.md walks through, a level format and a function, in a copy of the tree, and runs
# the tests that the guide names.
#   run.sh          both
#   run.sh accept   first takes the present answers into the additions' cases, and writes the patches anew
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD/tests/additions
copy=$PWD/target/additions
export CARGO_TARGET_DIR=$copy/target CARGO_TERM_COLOR=never

rm -rf "$copy/tree"
mkdir -p "$copy/tree"
git ls-files -z --cached --others --exclude-standard |
  tar --create --null --ignore-failed-read --files-from=- --file=- | tar --extract --directory="$copy/tree" --file=-
cd "$copy/tree"
# A repository of its own, so that it is not taken for a part of this one. Its index holds the tree as it was.
git init -q .
git add -A
git apply "$here/format.patch" "$here/function.patch"

tests() { cargo test --no-default-features --locked "$@"; }
if [ "${1:-}" = accept ]; then
  UPDATE_EXPECT=1 tests -p nnz-tests --test session_suite
  rm -rf "$copy/answered"
  cp -r tests/suite/session "$copy/answered"
  git checkout --quiet -- .
  git clean --quiet --force -d
  for name in format function; do
    git apply "$here/$name.patch"
    git add --intent-to-add .
    for case in $(git diff --name-only -- tests/suite/session); do
      cp "$copy/answered/${case##*/}" "$case"
    done
    git diff -U1 > "$here/$name.patch"
    git add -A
  done
fi
# The engines agree on the new function only where all of them are there.
tests -p nnz-tests --features llvm --test back_ends
tests -p nnz-tests --test word_lists --test session_suite --test kernel_property --test conversions
tests -p nnz-base -p nnz-storage -p nnz-mlir -p nnz-machine --lib
