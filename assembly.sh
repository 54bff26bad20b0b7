#!/bin/sh
# assembly.sh SOURCE -- the machine code of the program's own units, with symbol labels.
set -eu
exec "$(dirname -- "$0")/geode.sh" asm "$@"
