#!/usr/bin/env bash
# tests/device/cuda.sh -- everything that a machine with an NVIDIA GPU can show: the tests of tests/device on the device, then
# every example for five epochs on device and processor side by side. PYTHON names the interpreter. Ends with 1 if a bit differs.
set -uo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

GEODE_CUDA_DEVICE=1 "$python" -m pytest --slow -q tests/device || failed=1

for source in examples/*.gs; do
    name=$(basename "$source" .gs)
    sed 's/^TARGET-CPU/TARGET-CUDA/' "$source" > "$folder/$name.gs"
    if "$python" -m geode build -o "$folder/$name" "$folder/$name.gs" > "$folder/log" 2>&1 &&
        GEODE_SELFTEST=1 "$folder/$name/out/program" --epochs 5 >> "$folder/log" 2>&1; then
        echo "$name: $(grep '^device' "$folder/log"), $(grep '^selftest' "$folder/log")"
    else
        echo "$name: FAILED"
        tail -5 "$folder/log"
        failed=1
    fi
done
exit $failed
