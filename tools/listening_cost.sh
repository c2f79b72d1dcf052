#!/bin/bash
# What listening costs: the processor time of `heddle run X` plain, with --lines and with --html, in turn, with one thread.
#   tools/listening_cost.sh [--rounds 5] [EXAMPLE]...
# Prints for each example the median time of plain runs in seconds, and by how much the medians of the others are greater.
# HEDDLE names another command than build/release/heddle.
set -euo pipefail
root=$(dirname "$0")/..
heddle=${HEDDLE:-$root/build/release/heddle}
rounds=5
if [[ ${1:-} == --rounds ]]; then
  rounds=$2
  shift 2
fi
examples=("$@")
[[ ${#examples[@]} -gt 0 ]] || examples=(vecadd saxpy reduce_v1 matmul_v2 divergent_16_16 black_scholes)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# seconds EXAMPLE OPTION...: of the processor, user and system
seconds() {
  local TIMEFORMAT='%U %S'
  { time "$heddle" run "$@" --threads 1 --no-check >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'
}

median() { sort -g | awk '{each[NR] = $1} END {print each[int((NR + 1) / 2)]}'; }

echo "example plain --lines --html"
for example in "${examples[@]}"; do
  for ((i = 0; i < rounds; ++i)); do
    seconds "$example" >>"$scratch/$example.plain"
    seconds "$example" --lines >>"$scratch/$example.lines"
    seconds "$example" --html "$scratch/run.html" >>"$scratch/$example.html"
  done
  plain=$(median <"$scratch/$example.plain")
  for way in lines html; do
    median <"$scratch/$example.$way" | awk -v plain="$plain" '{printf "%+.0f%% ", 100 * ($1 / plain - 1)}'
  done | awk -v head="$example $plain" '{print head, $0}'
done
