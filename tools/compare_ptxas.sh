#!/bin/bash
# Registers and instructions of kernels from PTX, Heddle's beside ptxas's: a line for each kernel, then the differences.
#   tools/compare_ptxas.sh [--sm 80] FILE.ptx|FILE.cu...
# Needs ptxas, and nvcc for .cu; without ptxas it says so and ends with 77. HEDDLE, PTXAS, NVCC and NVCCFLAGS name other
# commands and more of nvcc's options. Kernels that Heddle refuses are counted, not compared.
set -euo pipefail
heddle=${HEDDLE:-$(dirname "$0")/../build/release/heddle}
ptxas=${PTXAS:-ptxas}
nvcc=${NVCC:-nvcc}
sm=80
if [[ ${1:-} == --sm ]]; then
  sm=$2
  shift 2
fi
if ! command -v "$ptxas" >/dev/null; then
  echo "compare_ptxas.sh: skipped, there is no $ptxas" >&2
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# instructions CUBIN KERNEL: of its code, without the jump to itself and the NOPs that fill it up.
instructions() {
  readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\] *//' | awk -v name=".text.$2" '$1 == name { print $4, $5 }' |
    while read -r offset size; do
      od -An -v -tx8 -w16 -j "$((16#$offset))" -N "$((16#$size))" "$1"
    done | awk '{ opcode[NR] = substr($1, 14, 3) }
      END { n = NR; while (n > 0 && opcode[n] == "918") --n; if (opcode[n] == "947") --n; print n + 0 }'
}

# compare PTX: lines of kernel, registers, ptxas's, instructions, ptxas's.
compare() {
  local cubin=$scratch/kernel.cubin report=$scratch/report listing=$scratch/listing
  "$ptxas" -v "-arch=sm_$sm" "$1" -o "$cubin" 2>"$report" || return 0
  awk '/Compiling entry function/ { split($0, part, "\x27"); name = part[2] }
    /Used [0-9]+ registers/ && name { match($0, /Used [0-9]+/); print name, substr($0, RSTART + 5, RLENGTH - 5); name = "" }' \
    "$report" | while read -r kernel theirs; do
    if "$heddle" asm "$1" --entry "$kernel" --sm "sm_$sm" >"$listing" 2>/dev/null; then
      awk -v kernel="$kernel" -v theirs="$theirs" -v words="$(instructions "$cubin" "$kernel")" '
        /^\.registers/ { registers = $2 }
        /^\/\*[0-9a-f]+\*\// { ++count }
        END { print kernel, registers, theirs, count + 0, words }' "$listing"
    else
      echo "$kernel refused"
    fi
  done
}

for file in "$@"; do
  ptx=$file
  if [[ $file == *.cu ]]; then
    ptx=$scratch/kernel.ptx
    # shellcheck disable=SC2086
    "$nvcc" -ptx "-arch=sm_$sm" ${NVCCFLAGS:-} "$file" -o "$ptx" 2>/dev/null || {
      echo "compare_ptxas.sh: $nvcc cannot compile $file" >&2
      continue
    }
  fi
  compare "$ptx" | sed "s|^|$(basename "$file") |"
done | awk '
  function absolute(x) { return x < 0 ? -x : x }
  function sort(list, n,   i, j, held) {
    for (i = 2; i <= n; ++i) {
      held = list[i]
      for (j = i - 1; j > 0 && list[j] > held; --j) list[j + 1] = list[j]
      list[j + 1] = held
    }
  }
  function summary(what, list, n,   i, within) {
    sort(list, n)
    for (i = 1; i <= n; ++i) within += list[i] <= 0.25
    printf "%s: median difference %.1f %%, nine tenths within %.1f %%, %.0f %% of kernels within 25 %%\n", what,
      100 * list[int((n + 1) / 2)], 100 * list[int((9 * n + 9) / 10)], 100 * within / n
  }
  $3 == "refused" { ++refused; next }
  {
    if (!n++) printf "%-24s %-44s %9s %6s %12s %6s\n", "file", "kernel", "registers", "ptxas", "instructions", "ptxas"
    printf "%-24s %-44s %9d %6d %12d %6d\n", $1, substr($2, length($2) > 44 ? length($2) - 43 : 1), $3, $4, $5, $6
    registers[n] = absolute($3 - $4) / $4
    instructions[n] = absolute($5 - $6) / ($6 > 0 ? $6 : 1)
  }
  END {
    printf "%d kernels, %d refused\n", n, refused
    if (!n) exit
    summary("registers", registers, n)
    summary("instructions", instructions, n)
  }'
