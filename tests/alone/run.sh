#!/usr/bin/env bash
# nnz alone: the program and the libraries that it is linked with, in a root of their own without a Rust toolchain.
# There kernels run in the interpreter, and one line says what to install; with Debian's LLVM 22 they are machine code.
#   NNZ=PATH   the nnz to run (target/release/nnz)
# Needs root, for chroot, and libllvm22.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
nnz=$(realpath "${NNZ:-$here/../../target/release/nnz}")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failed=0
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)

# libraries FILE...: copies what the loader would load for them.
libraries() {
    ldd "$@" | grep -o '/[^ ]*' | grep -v ':$' | sort -u | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
}

# expect NAME STATUS PATTERN COMMAND...: the exit status, and lines of standard error (`-` for none at all).
expect() {
    local name=$1 status=$2 pattern=$3 found=0 said
    shift 3
    said=$("$@" 2>&1 > "$root/out") || found=$?
    if [ "$found" != "$status" ] || { [ "$pattern" = - ] && [ -n "$said" ]; } ||
        { [ "$pattern" != - ] && [ "$(printf '%s\n' "$said" | grep -c -- "$pattern")" != 1 ]; }; then
        printf 'not ok %s: status %s, said:\n%s\n' "$name" "$found" "$said"
        failed=1
    else
        printf 'ok %s\n' "$name"
    fi
}

cp "$nnz" "$root/nnz"
libraries "$nnz"
cat > "$root/kernels.nnz" <<'END'
A : CSR = poisson2d(n = 30)
x : tensor<900xf64> = dense<1.0>
y(i) = A(i, j) * x(j)
z(i) = A(i, j) * y(j)
s : f64 = z(i)
END
alone=(env -i "$chroot" "$root" /nnz)
expect "alone: runs, and says once what to install" 0 '^note: kernels run in the interpreter.*libllvm22' "${alone[@]}" kernels.nnz
expect "alone: nothing is said where the interpreter is asked for" 0 - "${alone[@]}" --interpret kernels.nnz
expect "alone: NNZ_LLVM_SO is refused by name" 1 'NNZ_LLVM_SO names `/none.so`' env -i NNZ_LLVM_SO=/none.so "$chroot" "$root" /nnz kernels.nnz
llvm=$(ldconfig -p | grep -o '/.*/libLLVM\.so\.22\.1$' | head -n 1)
if [ -z "$llvm" ]; then
    echo "not ok a system's LLVM: libllvm22 is not installed here"
    exit 1
fi
libraries "$llvm"
mkdir -p "$root/opt" "$root$(dirname "$llvm")"
cp -L "$llvm" "$root/opt/named.so"
expect "NNZ_LLVM_SO is obeyed" 0 - env -i NNZ_LLVM_SO=/opt/named.so "$chroot" "$root" /nnz kernels.nnz
mv "$root/opt/named.so" "$root$llvm"
expect "a system's LLVM is found" 0 - "${alone[@]}" kernels.nnz
exit $failed
