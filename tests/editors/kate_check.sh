#!/usr/bin/env bash
# Real Kate on a screen of its own, with editors/kate, against a real server whose talk is written down.
# usage: kate_check.sh NNZ PICTURES
set -u
here=$(cd "$(dirname "$0")" && pwd)
nnz=$(realpath "$1")
pictures=$(realpath -m "$2")
home=$(mktemp -d)
rm -f "$pictures/kate.png"
mkdir -p "$pictures" "$home/bin" "$home/.config/kate/lspclient" "$home/.local/share/org.kde.syntax-highlighting/syntax"
mkdir -m 700 "$home/run"
cp "$here/../../editors/kate/settings.json" "$home/.config/kate/lspclient/"
cp "$here"/../../editors/kate/*.xml "$home/.local/share/org.kde.syntax-highlighting/syntax/"
cp "$here/samples/broken.mlir" "$home/"
# What Kate asks and what the server answers, beside a server that is called as the settings say.
printf '#!/bin/sh\nexec 3>>%s/asked 4>>%s/answered\ntee /dev/fd/3 | "%s" "$@" | tee /dev/fd/4\n' "$home" "$home" "$nnz" > "$home/bin/nnz"
chmod +x "$home/bin/nnz"
cat > "$home/.config/katerc" <<END
[Kate Plugins]
lspclientplugin=true
[lspclient]
AutoHover=true
Diagnostics=true
Messages=true
AllowedServerCommandLines=$home/bin/nnz lsp --stdio,nnz lsp --stdio
[General]
Show welcome view for new window=false
Days Meta Infos=0
END
export HOME=$home PATH=$home/bin:$PATH XDG_CONFIG_HOME=$home/.config XDG_DATA_HOME=$home/.local/share XDG_CACHE_HOME=$home/.cache XDG_RUNTIME_DIR=$home/run
export QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 KDE_SESSION_VERSION=5 XDG_CURRENT_DESKTOP=KDE
exec 5< <(Xvfb -displayfd 1 -screen 0 1100x600x24 -nolisten tcp 2>/dev/null & echo $! > "$home/screen"; wait)
read -r display <&5
export DISPLAY=:$display
setsid dbus-run-session -- kate -n -b -l 2 -c 55 "$home/broken.mlir" > "$home/kate.log" 2>&1 &
kate=$!
failed=0

# check NAME COMMAND...: that a command succeeds within 60 s.
check() {
    local name=$1
    shift
    for _ in $(seq 120); do
        if "$@" >/dev/null 2>&1; then
            echo "ok kate: $name"
            return
        fi
        sleep 0.5
    done
    echo "not ok kate: $name"
    failed=1
}

# The red that Kate gives to the line of an error, on a picture of the screen.
marked() {
    local window
    window=$(xdotool search --onlyvisible --class kate | head -n 1)
    xdotool windowsize "$window" 1100 600 windowmove "$window" 0 0 windowfocus "$window"
    sleep 2
    import -window root "$pictures/kate.png"
    [ "$(convert "$pictures/kate.png" -fuzz 2% -fill black +opaque '#f8dedd' -fill white -opaque '#f8dedd' -format '%[fx:floor(w*h*mean)]' info:)" -gt 2000 ]
}

check "it tells the server of an .mlir text" grep -q '"languageId": *"mlir"' "$home/asked"
check "the server answers with the misspelt level format" grep -q 'unknown level format' "$home/answered"
check "the line of the word is marked on the screen" marked
kill -- -"$kate" 2>/dev/null
kill "$(cat "$home/screen")" 2>/dev/null
exec 5<&-
sleep 1
rm -rf "$home"
exit $failed
