#!/bin/bash
# Cycles of each example in CUDA C++ beside its hand-written text with NVIDIA's mnemonics: a table in Markdown, the rows
# that are furthest apart first, then how many are near.
#   tools/compare_code.sh [--gpu h100] [EXAMPLE]...
# Needs clang. HEDDLE names another command than build/release/heddle. An example that cannot be run by one of both is
# named on standard error, and the exit code is 1.
set -euo pipefail
root=$(dirname "$0")/..
heddle=${HEDDLE:-$root/build/release/heddle}
gpu=h100
if [[ ${1:-} == --gpu ]]; then
  gpu=$2
  shift 2
fi
examples=("$@")
[[ ${#examples[@]} -gt 0 ]] || mapfile -t examples < <("$heddle" examples | awk '/^[a-z]/ { print $1 }')

# row EXAMPLE: its name, then cycles, warp instructions and registers of the text, and of the CUDA C++.
row() {
  "$heddle" run "$1" --gpu "$gpu" --sweep code=sass,cuda --no-check --format csv 2>/dev/null |
    awk -F, -v name="$1" '
      NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
      { text = text " " $column["cycles"] " " $column["warp_instructions"] " " $column["registers_per_thread"] }
      END { if (NR == 3) print name text; else exit 1 }'
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for example in "${examples[@]}"; do
  row "$example" || echo "compare_code.sh: $example does not run both ways; heddle run $example --code cuda says why" | tee "$scratch/failed" >&2
done | awk '{ ratio = $5 / $2; print (ratio > 1 ? ratio : 1 / ratio), $0 }' | sort -rg | awk '
  BEGIN {
    print "| example | cycles of the text | of CUDA C++ | ratio | warp instructions | registers |"
    print "|---|---|---|---|---|---|"
  }
  { printf "| `%s` | %d | %d | %.2f | %d, %d | %d, %d |\n", $2, $3, $6, $6 / $3, $4, $7, $5, $8 }
  $1 <= 1.25 { ++near }
  END { printf "\n%d of %d are within 25 %%.\n", near, NR }'
[[ ! -e $scratch/failed ]]
