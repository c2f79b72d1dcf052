#!/bin/sh
# Builds the kit for the GPU found, measures it, and writes a JSON file: see README.md.
#   tools/hardware/measure.sh [--output FILE] [--budget SECONDS] [--only NAME] [--no-ncu]
#   tools/hardware/measure.sh --list | --check-cpu [NAME...] | --build-only ARCH
# NVCC, NCU and CXX name other tools than those found; BUILD another folder than a temporary one, to be kept.
# Exit code 0; 1: a result is wrong; 2: the command line, or no compiler; 3: no CUDA device.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
started=$(date +%s)

fail() {
  echo "measure.sh: $1" >&2
  exit "${2:-2}"
}

# The lines above that say how this is called.
help() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
}

# Launches, and families of microbenchmarks.
names() {
  sed -n 's/^[A-Z]*(\([a-z_0-9]*\))$/\1/p' "$here/examples/twins.def" "$here/micro/families.def"
}

output=measured.json
budget=520
only=
use_ncu=yes
mode=measure
arch=
while [ $# -gt 0 ]; do
  case $1 in
    --output | --budget | --only | --build-only) [ $# -ge 2 ] || fail "$1 needs a value" ;;
  esac
  case $1 in
    --output) output=$2 && shift ;;
    --budget) budget=$2 && shift ;;
    --only) only=$2 && shift ;;
    --no-ncu) use_ncu=no ;;
    --build-only) mode=build && arch=$2 && shift ;;
    --list) mode=list ;;
    -h | --help) help && exit ;;
    --check-cpu) mode=check && shift && break ;;
    *) fail "unknown option $1; allowed: --output, --budget, --only, --no-ncu, --list, --check-cpu, --build-only, --help" ;;
  esac
  shift
done
case $budget in '' | *[!0-9]*) fail "--budget must be a whole number of seconds; found $budget" ;; esac
[ -z "$only" ] || names | grep -qx "$only" || fail "--only $only: there is no such launch or family; --list prints them"
if [ "$mode" = measure ]; then
  [ ! -d "$output" ] && [ -w "$(dirname "$output")" ] || fail "--output $output cannot be written"
fi
if [ "$mode" = build ]; then
  arch=$(echo "$arch" | sed 's/^sm_//; s/^\([0-9]*\)\.\([0-9]\)$/\1\2/')
  case $arch in '' | *[!0-9]*) fail "--build-only must be a compute capability, such as 90 or 9.0; found $arch" ;; esac
fi

if [ -n "${BUILD:-}" ]; then
  mkdir -p "$BUILD"
  build=$(cd "$BUILD" && pwd)
else
  build=$(mktemp -d)
  trap 'rm -rf "$build"' EXIT
fi

left() {
  echo $((budget - ($(date +%s) - started)))
}

# run_all FILE: its lines as commands, so many at a time as there are processors.
run_all() {
  xargs -P "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" -I COMMAND sh -c COMMAND <"$1" || fail "the build failed" 1
}

# The kernels as C++ for the emulator. Integers wrap, as they do on a GPU.
build_check() {
  cxx=${CXX:-c++}
  command -v "$cxx" >/dev/null || fail "--check-cpu needs a C++ compiler: $cxx is not there (CXX names another)"
  for source in "$here"/kit/*.cpp "$here"/examples/*.cpp "$here"/examples/*.cu; do
    name=$(basename "$source")
    case $name in placed.cu | on_gpu.cu) continue ;; esac
    echo "'$cxx' -std=c++17 -O2 -fwrapv -w -I'$root' -x c++ -c '$source' -o '$build/check_$name.o'"
  done >"$build/commands"
  run_all "$build/commands"
  "$cxx" "$build"/check_*.o -o "$build/check_cpu"
}

# flags_for FILE: what its kernels need beside the GPU's architecture.
flags_for() {
  case $1 in
    fast_math.cu) echo "-use_fast_math -arch=sm_$arch" ;;
    warpgroup.cu) [ "$arch" = 90 ] && echo "-gencode arch=compute_90a,code=sm_90a" || echo "-arch=sm_$arch -DWITHOUT_WARPGROUP" ;;
    *) echo "-arch=sm_$arch" ;;
  esac
}

build_measure() {
  for source in "$here"/measure.cu "$here"/kit/*.cu "$here"/examples/*.cu "$here"/micro/*.cu "$here"/kit/twin.cpp \
    "$here"/kit/report.cpp "$here"/kit/profile.cpp "$here"/examples/list.cpp; do
    name=$(basename "$source")
    echo "'$nvcc' -std=c++17 -O3 $(flags_for "$name") -I'$root' -c '$source' -o '$build/$name.o'"
  done >"$build/commands"
  run_all "$build/commands"
  "$nvcc" -arch="sm_$arch" -o "$build/measure" "$build"/*.cu.o "$build"/twin.cpp.o "$build"/report.cpp.o \
    "$build"/profile.cpp.o "$build"/list.cpp.o || fail "the build failed" 1
}

find_nvcc() {
  nvcc=${NVCC:-nvcc}
  command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
  command -v "$nvcc" >/dev/null || fail "nvcc was not found; install the CUDA toolkit, or name it: NVCC=PATH"
}

# Writes $build/ncu.csv; without hardware counters it stays without a kernel, and measuring goes on.
profile() {
  ncu=${NCU:-ncu}
  command -v "$ncu" >/dev/null || ncu=/usr/local/cuda/bin/ncu
  command -v "$ncu" >/dev/null || { echo "ncu was not found: no counters" && return; }
  # A third of the time that is left; ncu itself takes some for each launch.
  seconds=$(($(left) / 3))
  for metrics in "$("$build/measure" --profiler-metrics)" "gpc__cycles_elapsed.max,sm__warps_active.avg.pct_of_peak_sustained_active,smsp__issue_active.avg.pct_of_peak_sustained_active"; do
    timeout $((seconds + 30)) "$ncu" --clock-control none --profile-from-start off --csv --page raw --print-units base \
      --log-file "$build/ncu.csv" --metrics "$metrics" \
      "$build/measure" --profile --seconds "$seconds" ${only:+--only "$only"} || true
    grep -q '^"0"' "$build/ncu.csv" 2>/dev/null && return
    grep '^==ERROR==' "$build/ncu.csv" 2>/dev/null | head -3 || true
    grep -q 'ERR_NVGPUCTRPERM' "$build/ncu.csv" 2>/dev/null && return
  done
}

case $mode in
  check)
    build_check
    "$build/check_cpu" "$@"
    exit
    ;;
  build)
    find_nvcc
    build_measure
    echo "all of it compiles and links for sm_$arch"
    exit
    ;;
  list)
    names
    exit
    ;;
esac

find_nvcc
"$nvcc" -o "$build/probe" "$here/probe.cu" || fail "nvcc cannot build for this machine" 2
arch=$("$build/probe") || exit 3
echo "building for sm_$arch"
build_measure
echo "built in $(($(date +%s) - started)) s"
# The profiler sees launches alone.
[ -z "$only" ] || grep -q "^TWIN($only)" "$here/examples/twins.def" || use_ncu=no
[ "$use_ncu" = no ] || profile
seconds=$(($(left) - 10))
[ "$seconds" -ge 20 ] || fail "no time is left to measure; --budget is $budget s" 1
set -- --output "$output" --seconds "$seconds"
[ -z "$only" ] || set -- "$@" --only "$only"
[ ! -s "$build/ncu.csv" ] || set -- "$@" --ncu "$build/ncu.csv"
# What hangs is ended; what had been measured before is in the file.
timeout $((seconds + 10)) "$build/measure" "$@"
