#!/bin/bash
# Whether the examples' results are right when NVIDIA's compiler has made their code: nvcc makes machine code of each for
# each GPU, Heddle runs that, and the launch's check compares with the CPU. A line for each that is not right, then sums.
# Left out is what a GPU has not: nvcc does not compile it, or the source traps there.
#   tools/check_machine_code.sh [--gpus t4,a100,a40,l4,h100] [EXAMPLE]...
# Ends with 1 if one is not right, with 77 where there is no nvcc. HEDDLE and NVCC name other commands.
set -euo pipefail
root=$(dirname "$0")/..
heddle=${HEDDLE:-$root/build/release/heddle}
nvcc=${NVCC:-nvcc}
gpus=t4,a100,a40,l4,h100
if [[ ${1:-} == --gpus ]]; then
  gpus=$2
  shift 2
fi
if ! command -v "$nvcc" >/dev/null; then
  echo "check_machine_code.sh: skipped, there is no $nvcc" >&2
  exit 77
fi
examples=("$@")
[[ ${#examples[@]} -gt 0 ]] || mapfile -t examples < <("$heddle" examples | awk '/^[a-z]/ { print $1 }')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# capability GPU: sm_90a of h100, as warpgroups want.
capability() {
  "$heddle" gpus | awk -v gpu="$1" '$1 == gpu { sub("[.]", "", $2); print "sm_" $2 ($2 == "90" ? "a" : "") }'
}

# outcome EXAMPLE GPU: right, or what is wrong.
outcome() {
  local folder=$scratch/$2/$1 kernel
  mkdir -p "$folder"
  "$heddle" examples "$1" --copy "$folder" >/dev/null
  kernel=$(sed -n 's/^kernel: *\(.*\)[.]sass/\1/p' "$folder/$1.yaml")
  if ! "$nvcc" "-arch=$(capability "$2")" -cubin -o "$folder/$kernel.cubin" "$root/traces/$kernel.cu" 2>"$scratch/errors"; then
    echo "left out, does not compile: $(grep -m1 -i error "$scratch/errors")"
    return
  fi
  sed -i "s/^kernel: .*/kernel: $kernel.cubin/" "$folder/$1.yaml"
  # Shared memory that the text declares itself, CUDA C++ has from the launch.
  if grep -q 'extern __shared__' "$root/traces/$kernel.cu" && ! grep -q '^shared:' "$folder/$1.yaml"; then
    sed -n 's/^[.]shared [^ ]* \([0-9]*\).*/shared: \1/p' "$root/traces/$kernel.sass" >>"$folder/$1.yaml"
  fi
  if "$heddle" run "$folder/$1.yaml" --gpu "$2" --format csv >/dev/null 2>"$scratch/errors"; then
    echo right
  elif grep -q BPT.TRAP "$scratch/errors" && grep -q __trap "$root"/traces/"$kernel".cu "$root"/traces/*.cuh; then
    echo "left out, the source traps"
  else
    head -1 "$scratch/errors" | cut -c1-160
  fi
}

IFS=, read -ra each_gpu <<<"$gpus"
for gpu in "${each_gpu[@]}"; do
  right=0
  left_out=0
  for example in "${examples[@]}"; do
    found=$(outcome "$example" "$gpu")
    case $found in
      right) right=$((right + 1)) ;;
      left\ out*) left_out=$((left_out + 1)) ;;
    esac
    [[ $found == right ]] || echo "$gpu $example: $found"
  done
  echo "$gpu: $right of ${#examples[@]} are right, $left_out left out"
  [[ $((right + left_out)) -eq ${#examples[@]} ]] || echo >"$scratch/wrong"
done
[[ ! -e $scratch/wrong ]]
