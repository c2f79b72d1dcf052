#!/bin/bash
# Machine code as Heddle decodes it beside what cuobjdump -sass prints of it: a line for each file, then sums and the
# instructions that differ.
#   tools/compare_sass.sh [--sm "80 90a"] [FILE.cubin|FILE.cu]...
# Without files: all that nvcc makes of the kernels of traces/, tools/hardware and tests/isa/cubins. Needs cuobjdump, and nvcc for .cu;
# without cuobjdump it says so and ends with 77. HEDDLE, CUOBJDUMP, NVCC and NVCCFLAGS name other commands and options.
# Instructions that Heddle refuses are counted; their files are listed without them.
set -euo pipefail
root=$(dirname "$0")/..
heddle=${HEDDLE:-$root/build/release/heddle}
cuobjdump=${CUOBJDUMP:-cuobjdump}
nvcc=${NVCC:-nvcc}
sms="80 90a"
if [[ ${1:-} == --sm ]]; then
  sms=$2
  shift 2
fi
if ! command -v "$cuobjdump" >/dev/null; then
  echo "compare_sass.sh: skipped, there is no $cuobjdump" >&2
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
files=("$@")
[[ ${#files[@]} -gt 0 ]] || files=("$root"/traces/*.cu "$root"/tools/hardware/{examples,micro}/*.cu "$root"/tests/isa/cubins/*.cu)

# lines: "FUNCTION ADDRESS TEXT" of a listing, of either program.
lines() {
  awk '/Function : / { name = $3 }
    /^\.section \.text\./ { split(substr($2, 7), part, ","); name = part[1] }
    match($0, /\/\*[0-9a-f][0-9a-f][0-9a-f][0-9a-f]+\*\//) && / ;/ {
      address = substr($0, RSTART, RLENGTH)
      text = substr($0, RSTART + RLENGTH)
      sub(/ *;.*/, "", text)
      sub(/^ */, "", text)
      print name, address, text
    }' | sort
}

compare() {
  "$cuobjdump" -sass "$1" | lines >"$scratch/theirs"
  "$heddle" asm "$1" >"$scratch/listing" 2>"$scratch/errors" || true
  local all refused
  all=$(wc -l <"$scratch/theirs")
  refused=$(grep -c 'no instruction is known' "$scratch/errors" || true)
  if [[ $refused -gt 0 ]]; then
    cp "$scratch/theirs" "$scratch/ours"
    grep 'no instruction is known' "$scratch/errors" >>"$scratch/refusals"
  else
    lines <"$scratch/listing" >"$scratch/ours"
  fi
  diff "$scratch/theirs" "$scratch/ours" | grep '^[<>]' >>"$scratch/differences" || true
  echo "$2 $all $((all - $(comm -12 "$scratch/theirs" "$scratch/ours" | wc -l))) $refused" | tee -a "$scratch/sums"
}

touch "$scratch/differences" "$scratch/refusals" "$scratch/sums"
echo "file instructions differ refused"
for file in "${files[@]}"; do
  if [[ $file == *.cubin ]]; then
    compare "$file" "$(basename "$file")"
    continue
  fi
  for sm in $sms; do
    # shellcheck disable=SC2086
    "$nvcc" -cubin "-arch=sm_$sm" -std=c++17 "-I$root" ${NVCCFLAGS:-} -o "$scratch/code.cubin" "$file" 2>/dev/null || continue
    compare "$scratch/code.cubin" "$(basename "$file" .cu)@sm_$sm"
  done
done
awk '{ all += $2; differ += $3; refused += $4 }
  END { print "all", all + 0, differ + 0, refused + 0; if (all) printf "%.3f %% agree\n", 100 * (all - differ - refused) / all }' "$scratch/sums"
cat "$scratch/differences" "$scratch/refusals" | cut -c1-180
