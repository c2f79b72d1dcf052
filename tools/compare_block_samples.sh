#!/bin/bash
# How far cycles of `--sample blocks` are from the whole run's, whether their interval holds, and what is saved: a line
# for each example, then the sums.
#   tools/compare_block_samples.sh [--gpu NAME] [--set KEY=VALUE] [--waves N] [EXAMPLE|TRACE...]
# Default: t4, at least 24 waves of blocks, all examples whose grid grows with a value of the launch. Times are those of
# the simulation, in seconds of one thread: of the command, less those of one that ends after a cycle and has only filled the
# buffers. Traces (.traceg, .tracez) are replayed as they are; their times are those of the command. HEDDLE names another command than build/release/heddle.
set -euo pipefail
root=$(dirname "$0")/..
heddle=$(realpath "${HEDDLE:-$root/build/release/heddle}")
gpu=(--gpu t4)
waves=24
while [[ ${1:-} == --* ]]; do
  case $1 in
    --gpu) gpu[1]=$2 ;;
    --set) gpu+=(--set "$2") ;;
    --waves) waves=$2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
  shift 2
done
wanted=' '
traces=()
for name in "$@"; do
  case $name in
    *.traceg | *.traceg.* | *.tracez) traces+=("$(realpath "$name")") ;;
    *) wanted+="$name " ;;
  esac
done

# EXAMPLE VALUE UNIT POWER: blocks grow with the value to this power; it is a multiple of the unit.
sizes='bfs_step n 65536 2
bitonic_sort blocks 1 1
black_scholes n 128 1
ffma_ilp1 blocks 1 1
ffma_ilp2 blocks 1 1
ffma_ilp4 blocks 1 1
hgemm m 128 1
hgemm_async m 128 1
histogram_global blocks 1 1
histogram_shared blocks 1 1
kernel_a n 256 1
kernel_b n 256 1
latency warps 1 1
loop_select_grouped n 256 1
loop_select_interleaved n 256 1
mandelbrot height 8 1
matmul_v1 n 16 2
matmul_v2 n 16 2
matmul_v3 n 32 2
nbody n 64 1
no_divergence n 256 1
reduce_last_block n 256 1
reduce_v1 n 256 1
reduce_v2 n 256 1
reduce_v3 n 256 1
saxpy n 256 1
scan_exclusive blocks 1 1
shared_stride blocks 1 1
spmv_csr rows 64 1
sqrt_branch n 256 1
sqrt_select n 256 1
stencil_2d height 8 1
strided_copy n 256 1
switch_paths blocks 1 1
transpose_naive height 32 1
transpose_padded height 32 1
transpose_tiled height 32 1
vecadd n 256 1
with_divergence_grouped n 256 1
with_divergence_interleaved n 256 1'

# run OUTPUT EXAMPLE OPTION...: prints the seconds of the processor that it takes.
run() {
  local output=$1 example=$2
  shift 2
  TIMEFORMAT='%U %S'
  { time timeout 600 "$heddle" run "$example" "${gpu[@]}" --threads 1 --quiet --format json --output "$output" "$@" \
      2>/dev/null; } 2>&1 | awk '{ print $1 + $2 }'
  [[ -s $output ]]
}
# figure FILE KEY: the first of that name.
figure() { sed -n 's/^ *"'"$2"'": \(.*[^,]\),*$/\1/p' "$1" | head -1; }

# compare NAME SETUP LAUNCH OPTION...: prints the line of a launch; SETUP is what filling its buffers takes.
compare() {
  local name=$1 setup=$2 whole some why
  shift 2
  rm -f "$folder"/whole "$folder"/some
  whole=$(run "$folder/whole" "$@") || { printf '%-28s too large\n' "$name"; return; }
  some=$(run "$folder/some" "$@" --sample blocks)
  why=$(figure "$folder/some" why_whole)
  awk -v name="$name" -v waves="$(figure "$folder/whole" waves)" -v all="$(figure "$folder/whole" cycles)" \
    -v some="$(figure "$folder/some" cycles)" -v least="$(figure "$folder/some" cycles_least)" \
    -v most="$(figure "$folder/some" cycles_most)" -v setup="$setup" -v t="$whole" -v s="$some" -v why="$why" 'BEGIN {
    t -= setup; s = s - setup > 0.01 ? s - setup : 0.01
    printf "%-28s%7.1f%13d", name, waves, all
    if (why != "") { printf "%13d%7.2f%% whole: %s\n", some, 100 * (some / all - 1), why; exit }
    printf "%13d%7.2f%%%8.2f%%%7s%8.2f%8.2f%7.1f\n", some, 100 * (some / all - 1), 100 * (most - least) / 2 / some,
      least <= all && all <= most ? "yes" : "NO", t, s, t / s }'
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%-28s%7s%13s%13s%8s%9s%7s%8s%8s%7s\n' "launch on ${gpu[1]}" waves whole estimate error interval holds 's whole' 's sample' times
{
cd "$root"
for trace in "${traces[@]}"; do compare "$(basename "$(dirname "$trace")")/$(basename "$trace")" 0 "$trace"; done
while read -r example key unit power; do
  [[ $# == 0 || $wanted == *" $example "* ]] || continue
  rm -f "$folder"/size
  old=$(sed -n 's/^.*[{ ]'"$key"': *\([0-9]*\)[^0-9].*$/\1/p' "traces/$example.yaml" | head -1)
  run "$folder/size" "$example" --no-check > /dev/null || { printf '%-28s does not run\n' "$example"; continue; }
  value=$(awk -v old="$old" -v have="$(figure "$folder/size" waves)" -v want="$waves" -v unit="$unit" -v power="$power" 'BEGIN {
    value = old * (want / have) ^ (1 / power)
    value = int((value + unit - 1) / unit) * unit
    if (value < old) value = old
    printf "%d", value }')
  # The command ends with a fault, and without a report.
  setup=$(run "$folder/setup" "$example" --no-check --param "$key=$value" --max-cycles 1) || true
  compare "$example" "$setup" "$example" --no-check --param "$key=$value"
done <<< "$sizes"
} | tee "$folder.table"
awk '/whole:/ { whole++ } $7 == "yes" || $7 == "NO" {
    e = $5 + 0; sampled++; sum += e < 0 ? -e : e; if ($7 == "yes") held++; times[sampled] = $10 }
  END { if (!sampled) exit
    for (i = 2; i <= sampled; i++) for (j = i; j > 1 && times[j] < times[j - 1]; j--) { x = times[j]; times[j] = times[j - 1]; times[j - 1] = x }
    median = (times[int((sampled + 1) / 2)] + times[int(sampled / 2) + 1]) / 2
    printf "%d sampled: mean error %.2f %%, the interval holds %d times, %.1f times as fast in the median; %d whole\n",
      sampled, sum / sampled, held, median, whole }' "$folder.table"
rm -f "$folder.table"
