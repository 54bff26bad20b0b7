#!/bin/sh
# compile.sh [--fast] SOURCE [DIR] -- build SOURCE to DIR/out/program (DIR: build).
set -eu

usage() {
    printf 'usage: compile.sh [--fast] SOURCE [DIR]\n' >&2
    exit 2
}

profile=fast
while [ $# -gt 0 ]; do
    case $1 in
        --fast) profile=fast ;;
        -h | --help)
            printf 'usage: compile.sh [--fast] SOURCE [DIR]\n\nBuilds SOURCE to DIR/out/program (DIR: build). --fast, full speed on this processor, is the default.\n'
            exit 0
            ;;
        -*) usage ;;
        *) break ;;
    esac
    shift
done
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    usage
fi
exec "$(dirname -- "$0")/geode.sh" build --profile "$profile" -o "${2:-build}" -- "$1"
