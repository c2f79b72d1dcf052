#!/bin/bash
# How far cycles by --sample blocks are from those of the whole run: a line for each example of at least 20 waves.
#   tools/compare_block_samples.sh [OPTIONS of heddle run...]
# Default: a fifth of a T4, whose eight SMs give most examples of default size 20 waves and more:
#   --gpu t4 --set sms=8 --set dram.bandwidth_gbps=64 --set l2.bytes=819200
# HEDDLE names another command than build/release/heddle.
set -euo pipefail
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/release/heddle}
gpu=("$@")
[[ ${#gpu[@]} -gt 0 ]] || gpu=(--gpu t4 --set sms=8 --set dram.bandwidth_gbps=64 --set l2.bytes=819200)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# FILE LAUNCH ARGUMENTS...: seconds; nothing if the launch cannot be run.
timed() {
  local begin
  begin=$(date +%s.%N)
  "$heddle" run "${@:2}" "${gpu[@]}" --threads 1 --no-check --quiet --format json --output "$1" 2>/dev/null || return 0
  awk -v begin="$begin" -v end="$(date +%s.%N)" 'BEGIN { print end - begin }'
}
value() { sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$1" | head -1; }

printf '%-24s%8s%14s%9s%10s%7s%9s%9s\n' launch waves cycles error interval holds blocks speedup
for launch in traces/*.yaml; do
  name=$(basename "$launch" .yaml)
  whole=$(timed "$folder/whole.json" "$launch")
  [[ -n $whole ]] || continue
  awk -v waves="$(value "$folder/whole.json" waves)" 'BEGIN { exit waves < 20 }' || continue
  sample=$(timed "$folder/sample.json" "$launch" --sample blocks)
  awk -v name="$name" -v waves="$(value "$folder/whole.json" waves)" -v all="$(value "$folder/whole.json" cycles)" \
    -v found="$(value "$folder/sample.json" cycles)" -v least="$(value "$folder/sample.json" cycles_least)" \
    -v most="$(value "$folder/sample.json" cycles_most)" -v timed="$(value "$folder/sample.json" timed)" \
    -v of="$(value "$folder/sample.json" of_blocks)" -v why="$(value "$folder/sample.json" whole_because)" \
    -v w="$whole" -v s="$sample" 'BEGIN {
      printf "%-24s%8.1f%14d", name, waves, all
      if (why != "") { printf "   run whole: %s, %.1fx\n", why, w / s; exit }
      printf "%8.2f%%  +-%5.2f%%%7s%8.1f%%%8.1fx\n", 100 * (found / all - 1), 50 * (most - least) / found,
        least <= all && all <= most ? "yes" : "NO", 100 * timed / of, w / s }'
done | tee "$folder/lines"
awk '!/run whole/ { error = $4 + 0; sum += error < 0 ? -error : error; held += $(NF - 2) == "yes"; ++n }
  END { printf "sampled %d of %d; mean error %.2f%%, interval holds in %d", n, NR, n ? sum / n : 0, held }' "$folder/lines"
awk '{ print $NF + 0 }' "$folder/lines" | sort -n | awk '{ v[NR] = $1 } END { printf ", median speedup of all %.1fx\n", v[int((NR + 1) / 2)] }'
