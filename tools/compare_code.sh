#!/bin/bash
# Cycles of each example by what its kernel is written in and who compiles it: a table in Markdown.
#   tools/compare_code.sh [--gpu h100] [--ways sass,clang,nvcc,cubin] [EXAMPLE]...
#   sass   the hand-written text with NVIDIA's mnemonics
#   clang  CUDA C++, by the newest clang that is found, lowered by Heddle
#   nvcc   the same, whose PTX nvcc makes
#   cubin  machine code by nvcc and its ptxas
# Without --ways, all that can be had. The figure behind cycles is their ratio to those of the first way; the rows that
# are furthest apart in the second way come first. `-`: does not run. HEDDLE and NVCC name other commands.
set -euo pipefail
root=$(dirname "$0")/..
heddle=${HEDDLE:-$root/build/release/heddle}
nvcc=${NVCC:-nvcc}
gpu=h100
ways=sass,clang
! command -v "$nvcc" >/dev/null || ways+=,nvcc,cubin
while [[ ${1:-} == --* ]]; do
  case $1 in
    --gpu) gpu=$2 ;;
    --ways) ways=$2 ;;
    *) echo "compare_code.sh: there is no option $1" >&2 && exit 2 ;;
  esac
  shift 2
done
IFS=, read -ra ways <<<"$ways"
examples=("$@")
[[ ${#examples[@]} -gt 0 ]] || mapfile -t examples < <("$heddle" examples | awk '/^[a-z]/ { print $1 }')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sm=$("$heddle" gpus | awk -v gpu="$gpu" '$1 == gpu { sub("[.]", "", $2); print "sm_" $2 }')

# cycles_of LAUNCH OPTION...
cycles_of() {
  "$heddle" run "$@" --gpu "$gpu" --no-check --format csv 2>/dev/null |
    python3 -c 'import csv, sys; print(*(row["cycles"] for row in csv.DictReader(sys.stdin)), end="")'
}

# launch_of_cubin EXAMPLE: its launch file beside the machine code; prints its path.
launch_of_cubin() {
  local folder=$scratch/$1 kernel
  mkdir -p "$folder"
  "$heddle" examples "$1" --copy "$folder" >/dev/null
  kernel=$(sed -n 's/^kernel: *\(.*\)[.]sass/\1/p' "$folder/$1.yaml")
  "$nvcc" "-arch=$sm" -cubin -o "$folder/$kernel.cubin" "$root/traces/$kernel.cu" 2>/dev/null
  sed -i "s/^kernel: .*/kernel: $kernel.cubin/" "$folder/$1.yaml"
  echo "$folder/$1.yaml"
}

cycles() {
  case $1 in
    sass) cycles_of "$2" --code sass ;;
    clang) cycles_of "$2" --code cuda ;;
    nvcc) cycles_of "$2" --code cuda --compiler "$nvcc" ;;
    cubin) cycles_of "$(launch_of_cubin "$2")" ;;
    *) echo "compare_code.sh: there is no way '$1'" >&2 && exit 2 ;;
  esac
}

for example in "${examples[@]}"; do
  row=$example
  for way in "${ways[@]}"; do
    found=$(cycles "$way" "$example" || true)
    row+=" ${found:--}"
  done
  echo "$row"
done | awk '{ ratio = $2 > 0 && $3 > 0 ? $3 / $2 : 1; print (ratio > 1 ? ratio : 1 / ratio), $0 }' | sort -rg |
  awk -v heads="${ways[*]}" '
    BEGIN {
      count = split(heads, head, " ")
      line = "| example |"; rule = "|---|"
      for (i = 1; i <= count; ++i) { line = line " " head[i] " |"; rule = rule "---|" }
      print line "\n" rule
    }
    {
      line = "| `" $2 "` | " $3 " |"
      for (i = 2; i <= count; ++i) {
        cycles = $(2 + i)
        line = line (cycles > 0 && $3 > 0 ? sprintf(" %d, %.2f |", cycles, cycles / $3) : " " cycles " |")
        if (cycles > 0 && $3 > 0) { ++of[i]; near[i] += cycles / $3 <= 1.25 && cycles / $3 >= 0.8 }
      }
      print line
    }
    END {
      print ""
      for (i = 2; i <= count; ++i) printf "%s: %d of %d within 25 %% of %s\n", head[i], near[i], of[i], head[1]
    }'
