#!/bin/sh
# geode.sh -- the `geode` command out of this checkout, in a private environment that is made on first use (.venv).
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
venv=$root/.venv
stamp=$venv/geode-stamp

say() { printf 'geode.sh: %s\n' "$1" >&2; }

# The stamp is written last and holds the digest of what was installed, so a half-made environment is made again.
wanted=$(cksum <"$root/pyproject.toml")
is_made() { [ -x "$venv/bin/geode" ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted $root" ]; }

if ! is_made; then
    # Two first calls at once: the second waits for the first.
    if command -v flock >/dev/null 2>&1 && [ -w "$root" ]; then
        exec 9>"$root/.venv.lock"
        flock -n 9 || { say "another call is making the private environment: waiting for it" && flock 9; }
    fi
fi
if ! is_made; then
    if [ ! -w "$root" ]; then
        say "$root can't be written to, and the private environment would go there: clone it to a folder of yours"
        exit 1
    fi
    python=${PYTHON:-python3}
    if ! command -v "$python" >/dev/null 2>&1; then
        say "python3 is missing: apt-get install python3 python3-venv"
        exit 1
    fi
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
        say "Python 3.10 or newer is needed; $python is $("$python" -V 2>&1). Set PYTHON to another one."
        exit 1
    fi
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        say "Python's venv module is missing: apt-get install python3-venv"
        exit 1
    fi
    say "making a private Python environment in $venv (once)"
    "$python" -m venv --clear "$venv" >&2
    if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e "$root" >&2; then
        say "pip could not install Geode (its message is above); the next call tries again"
        exit 1
    fi
    if ! command -v cc >/dev/null 2>&1 && ! command -v gcc >/dev/null 2>&1 && ! command -v clang >/dev/null 2>&1; then
        say "no C compiler found: installing the ziglang package"
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check ziglang >&2
    fi
    printf '%s' "$wanted $root" >"$stamp"
fi
exec 9>&-
exec "$venv/bin/geode" "$@"
