#!/usr/bin/env bash
# tests/device/cuda.sh -- everything that a machine with an NVIDIA GPU can show: the tests of tests/device on the device, then
# every example for five epochs on device and processor side by side. PYTHON names the interpreter. Ends with 1 if a bit differs
# or was not compared, with 3 and one line where there is no device, driver or toolkit.
set -uo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}

lacks() {
    echo "cuda.sh: $1" >&2
    exit 3
}

command -v "$python" > /dev/null || lacks "no $python, which PYTHON names"
command -v nvcc > /dev/null || lacks "no nvcc on PATH: the CUDA toolkit is needed"
missing=$("$python" - 2>&1 << 'EOF'
import ctypes
try:
    driver = ctypes.CDLL("libcuda.so.1")
except OSError:
    raise SystemExit("no NVIDIA driver (libcuda.so.1)")
count = ctypes.c_int(0)
error = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
if error != 0:
    raise SystemExit(f"the NVIDIA driver does not start: error {error}")
if count.value == 0:
    raise SystemExit("no GPU that CUDA can use")
EOF
) || { said=${missing##*$'\n'}; lacks "${said:-$python does not run}"; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

GEODE_CUDA_DEVICE=1 "$python" -m pytest --slow -q tests/device || failed=1

for source in examples/*.gs; do
    name=$(basename "$source" .gs)
    sed 's/^TARGET-CPU/TARGET-CUDA/' "$source" > "$folder/$name.gs"
    # A status of 0 alone would also be that of a program that never compared anything.
    if "$python" -m geode build -o "$folder/$name" "$folder/$name.gs" > "$folder/log" 2>&1 &&
        GEODE_SELFTEST=1 "$folder/$name/out/program" --epochs 5 >> "$folder/log" 2>&1 &&
        grep -q '^selftest epochs=[1-9].* same$' "$folder/log"; then
        echo "$name: $(grep '^device' "$folder/log"), $(grep '^selftest' "$folder/log")"
    else
        echo "$name: FAILED"
        tail -5 "$folder/log"
        failed=1
    fi
done
exit $failed
