#!/bin/bash
# How far sums of sampled lists of traces are from those of the whole lists: a line for each list, and the mean.
#   tools/compare_list_samples.sh [--gpu NAME] [--launches N] [--folder DIR] [KIND...]
# Default: h100, 240 launches, a temporary folder, all kinds. A kind is how launches follow one another:
#   loop    three to six launches in turn, as the steps of an iteration
#   mixed   launches drawn at random
#   phases  forty of one, forty of the next
#   sizes   one kernel, of sizes that differ by up to a third, in any order
#   shrink  one kernel whose grid shrinks from step to step, as in an elimination
#   data    launches of one kernel that differ only in what they read
# The launches are recorded from the examples. HEDDLE names another command than build/release/heddle.
set -euo pipefail
cd "$(dirname "$0")/.."
heddle=$(realpath "${HEDDLE:-build/release/heddle}")
gpu=h100
launches=240
folder=
while [[ ${1:-} == --* ]]; do
  case $1 in
    --gpu) gpu=$2 ;;
    --launches) launches=$2 ;;
    --folder) folder=$2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
kinds=("$@")
[[ ${#kinds[@]} -gt 0 ]] || kinds=(loop mixed phases sizes shrink data)
if [[ -z $folder ]]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"

# -- the stock: kernel-1, kernel-2, ... --------------------------------------------------------------------------------
stock=()  # EXAMPLE KEY=VALUE
for n in 20000 90000 400000; do stock+=("vecadd n=$n" "saxpy n=$n" "reduce_v1 n=$n" "reduce_v3 n=$n"); done       # 1-12
stock+=("matmul_v2 n=64" "matmul_v2 n=128" "matmul_v3 n=128" "stencil_2d height=64" "stencil_2d height=256"        # 13-17
        "transpose_padded height=128" "transpose_naive height=64" "spmv_csr rows=8192" "scan_exclusive blocks=200" # 18-21
        "black_scholes n=60000" "nbody n=512" "mandelbrot width=256")                                             # 22-24
for i in {0..11}; do stock+=("reduce_v1 n=$((90000 + 2500 * i))"); done                                           # 25-36
for i in {1..40}; do stock+=("saxpy n=$((10000 * i))"); done                                                      # 37-76
for hot in 2 3 4 6 8 12 16 32; do stock+=("histogram_global hot=$hot"); done                                      # 77-84

record() {
  mkdir -p "$folder/launches"
  local files=() i=0 example key value
  for item in "${stock[@]}"; do
    i=$((i + 1))
    example=${item% *} key=${item#* } value=${item#*=}
    key=${key%=*}
    cp -n traces/"$example".sass traces/*.cuh "$folder/launches/"
    sed -E "0,/\b$key: [^,}]*/s//$key: $value/; s/n: 262144/n: 32768/" "traces/$example.yaml" > "$folder/launches/$i.yaml"
    files+=("$folder/launches/$i.yaml")
  done
  "$heddle" run "${files[@]}" --gpu "$gpu" --no-check --quiet --record "$folder/stock"
}
[[ -f $folder/stock/kernelslist.g ]] || record

# -- lists -------------------------------------------------------------------------------------------------------------
# Numbers of the stock, one a line.
sequence() {  # KIND SEED
  awk -v kind="$1" -v seed="$2" -v count="$launches" '
    function draw(n) { x = (x * 16807) % 2147483647; return int(x / 2147483647 * n) }
    BEGIN {
      x = seed * 7919 + 1
      for (i = 0; i < 5; ++i) draw(2)
      items = 3 + draw(4)
      for (i = 0; i < 12; ++i) chosen[i] = 1 + draw(24)
      for (i = 0; i < count; ++i) {
        if (kind == "loop") print chosen[i % items]
        if (kind == "mixed") print chosen[draw(12)]
        if (kind == "phases") print chosen[int(i / 40) % 12]
        if (kind == "sizes") print 25 + draw(12)
        if (kind == "shrink") print 76 - int(i * 40 / count)
        if (kind == "data") print 77 + draw(8)
      }
    }'
}
make_list() {  # KIND SEED: its folder
  local to=$folder/$1-$2 i=0
  rm -rf "$to"
  mkdir -p "$to"
  ln -s "$folder"/stock/*.facts.zst "$to/"
  sequence "$1" "$2" | while read -r item; do
    i=$((i + 1))
    ln -s "$folder/stock/kernel-$item.traceg.zst" "$to/kernel-$i-of-$item.traceg.zst"
    echo "kernel-$i-of-$item.traceg.zst"
  done > "$to/kernelslist.g"
  echo "$to/kernelslist.g"
}

# -- whole and sampled -------------------------------------------------------------------------------------------------
timed() {  # FILE ARGUMENTS...: seconds
  local begin
  begin=$(date +%s.%N)
  "$heddle" run "${@:2}" --gpu "$gpu" --threads 1 --quiet --format json --output "$1"
  awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { print end - begin }'
}
# The last value of a key: that of the sum, which stands behind those of the kernels.
value() { sed -n "s/^ *\"$2\": \([0-9.e+-]*\),\{0,1\}$/\1/p" "$1" | tail -1; }
all_cycles() { sed -n '/^  "all": {/,$s/^    "cycles": \([0-9]*\),$/\1/p' "$1"; }

printf '%-12s%9s%7s%7s%14s%9s%11s%7s%9s\n' "list on $gpu" launches groups timed cycles error interval holds speedup
for kind in "${kinds[@]}"; do
  seeds=4
  [[ $kind != shrink ]] || seeds=1
  for ((seed = 1; seed <= seeds; ++seed)); do
    list=$(make_list "$kind" "$seed")
    whole=$(timed "$folder/whole.json" "$list")
    sample=$(timed "$folder/sample.json" "$list" --sample kernels)
    awk -v name="$kind $seed" -v launches="$launches" -v all="$(all_cycles "$folder/whole.json")" \
      -v found="$(all_cycles "$folder/sample.json")" -v timed="$(value "$folder/sample.json" timed)" \
      -v groups="$(value "$folder/sample.json" groups)" -v least="$(value "$folder/sample.json" cycles_least)" \
      -v most="$(value "$folder/sample.json" cycles_most)" -v w="$whole" -v s="$sample" 'BEGIN {
        printf "%-12s%9d%7d%7d%14d%8.2f%%   +-%5.2f%%%7s%8.1fx\n", name, launches, groups, timed, all,
          100 * (found / all - 1), 50 * (most - least) / found, least <= all && all <= most ? "yes" : "NO", w / s }'
  done
done | tee "$folder/lines"
awk '{ error = $(NF - 3) + 0; sum += error < 0 ? -error : error; held += $(NF - 1) == "yes"; print $NF + 0 > "'"$folder"'/speedups" }
  END { printf "mean error %.2f%%, interval holds in %d of %d", sum / NR, held, NR }' "$folder/lines"
sort -n "$folder/speedups" | awk '{ v[NR] = $1 } END { printf ", median speedup %.1fx\n", v[int((NR + 1) / 2)] }'
