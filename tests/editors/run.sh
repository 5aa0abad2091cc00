#!/usr/bin/env bash
# The editor checks: the VS Code extension, and the configurations for Neovim, Emacs, Vim and Kate, each in the real editor, against a real server.
#   NNZ=PATH        the nnz to run (target/release/nnz)
#   RIG=FOLDER      where install.sh puts the editors (target/editors)
#   PICTURES=FOLDER where the screenshots go (target/editors/pictures)
# One line a check; the last line counts them. What cannot be installed is skipped by name, but in CI (CI or NNZ_CI set) that is a failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
nnz=$(realpath -m "${NNZ:-$root/target/release/nnz}")
rig=$(realpath -m "${RIG:-$root/target/editors}")
pictures=$(realpath -m "${PICTURES:-$rig/pictures}")
extension=$root/editors/vscode
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

say() { echo "$1" | tee -a "$lines"; }

# step NAME COMMAND...: one check, that a command succeeds. Its output is shown only when it fails.
step() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        say "ok $name"
    else
        printf '%s\n' "$output" | tail -n 40
        say "not ok $name"
        return 1
    fi
}

# part NAME COMMAND...: a script that prints its own lines. One that fails without saying which check failed counts as one.
part() {
    local name=$1 printed status
    shift
    printed=$(mktemp)
    "$@" | tee "$printed"
    status=${PIPESTATUS[0]}
    cat "$printed" >>"$lines"
    if [ "$status" != 0 ] && ! grep -q '^not ok' "$printed"; then
        say "not ok $name: ended with status $status"
    fi
    rm -f "$printed"
}

skip() {
    if [ -n "${CI:-}${NNZ_CI:-}" ]; then
        say "not ok $1: missing, and nothing is skipped in CI"
    else
        say "SKIP $1: it could not be installed (see tests/editors/install.sh)"
    fi
}

build_extension() {
    cd "$extension" || return 1
    step "extension: dependencies" npm ci --no-audit --no-fund --ignore-scripts || return 1
    step "extension: types" npm run typecheck
    step "extension: grammars" npm run test:grammar
    step "extension: finding the server, tracing, views" npm run test:unit
    step "extension: package" npm run package
    part "extension: texts" node "$here/texts_check.mjs" "$extension" "$nnz"
}

# The package for this platform: the server inside, and LLVM 22 where there is one.
check_package() {
    local llvm
    llvm=$(ls "$(rustc --print sysroot 2>/dev/null)"/lib/libLLVM.so.22.* /usr/lib/*/libLLVM.so.22.1 2>/dev/null | head -n 1)
    if [ ! -e "$rig/vscode.installed" ] || [ -z "$llvm" ] || [ "$(uname -sm)" != "Linux x86_64" ]; then
        skip "the package with a server and LLVM"
        return
    fi
    cd "$extension" && step "extension: package with a server and LLVM" node package.mjs --target linux-x64 --server "$nnz" --llvm "$llvm" &&
        part "package" node "$here/package_check.mjs" "$rig" "$extension/nnz-linux-x64.vsix"
}

check_vscode() {
    if [ ! -e "$rig/vscode.installed" ] || [ ! -e /usr/bin/chromium ]; then
        skip "VS Code"
        return
    fi
    part "vscode" node "$here/vscode_check.mjs" "$rig" "$extension/nnz.vsix" "$nnz" "$pictures"
    part "vscode api" node "$here/vscode_api_check.mjs" "$rig" "$extension" "$nnz"
}

check_neovim() {
    if [ ! -e "$rig/nvim" ]; then
        skip "Neovim"
        return
    fi
    NNZ=$nnz part "nvim" "$rig/nvim" --headless -u NONE -i NONE -n -l "$here/nvim_check.lua"
}

check_emacs() {
    if ! command -v emacs >/dev/null || [ -z "$(ls -d /usr/share/emacs/site-lisp/elpa/eglot* 2>/dev/null)" ]; then
        skip "Emacs with eglot"
        return
    fi
    NNZ=$nnz part "emacs" emacs --batch -Q -l "$here/emacs_check.el" 2>/dev/null
}

check_vim() {
    local results
    if ! command -v vim >/dev/null || [ ! -e /usr/share/vim-ale/plugin/ale.vim ]; then
        skip "Vim with ALE"
        return
    fi
    results=$(mktemp)
    NNZ=$nnz RESULTS=$results vim -Nu NONE -i NONE -n -es -S "$here/vim_check.vim" </dev/null
    [ -s "$results" ] || echo "not ok vim: it ended without results" >"$results"
    part "vim" cat "$results"
    rm -f "$results"
}

check_kate() {
    local program
    for program in kate Xvfb xdotool dbus-run-session import; do
        if ! command -v "$program" >/dev/null; then
            skip "Kate ($program)"
            return
        fi
    done
    part "kate" "$here/kate_check.sh" "$nnz" "$pictures"
}

"$here/install.sh" "$rig"
if step "$("$nnz" --version 2>&1 | head -n 1) runs" "$nnz" --version; then
    if command -v npm >/dev/null; then
        build_extension
        check_vscode
        check_package
    else
        skip "node and npm"
    fi
    check_neovim
    check_emacs
    check_vim
    check_kate
fi
passed=$(grep -c '^ok' "$lines")
failed=$(grep -c '^not ok' "$lines")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
