#!/bin/bash
# How far the estimate of `heddle exec --timed sample` is from the program whose launches are all timed, whether its
# interval holds, and what is saved: a line for each program.
#   tools/compare_program_samples.sh [--gpu NAME] PROGRAM...
# PROGRAM is a command in quotes: one that heddle cuda has made, with its arguments. Seconds are of one thread, with all that
# the program does. HEDDLE names another command than build/release/heddle.
set -euo pipefail
heddle=${HEDDLE:-$(dirname "$0")/../build/release/heddle}
gpu=h100
if [[ ${1:-} == --gpu ]]; then
  gpu=$2
  shift 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run NAME COMMAND...: writes NAME.json and the seconds of the processor into NAME.seconds.
run() {
  local name=$1
  shift
  TIMEFORMAT='%U %S'
  { time "$heddle" exec --gpu "$gpu" --threads 1 --timed "$name" --totals "$folder/$name.json" --summary /dev/null "$@" \
      > /dev/null 2>&1; } 2> "$folder/$name.seconds"
}

printf '%-28s%9s%8s%14s%14s%9s%9s%7s%9s%9s%7s\n' "program on $gpu" launches timed cycles estimate error interval holds 's all' 's sample' times
for program in "$@"; do
  read -ra words <<< "$program"
  if ! run all "${words[@]}" || ! run sample "${words[@]}"; then
    printf '%-28s does not run\n' "$(basename "${words[0]}")"
    continue
  fi
  python3 - "$folder" "$(basename "${words[0]}")" << 'PYTHON'
import json, sys
folder, name = sys.argv[1:]
whole, sample = (json.load(open(f"{folder}/{way}.json"))["all"] for way in ("all", "sample"))
seconds = [sum(map(float, open(f"{folder}/{way}.seconds").read().split())) for way in ("all", "sample")]
estimate = sample["sampled_launches"]
cycles = whole["cycles"]
holds = estimate["cycles_least"] <= cycles <= estimate["cycles_most"]
width = (estimate["cycles_most"] - estimate["cycles_least"]) / 2 / estimate["cycles"]
print(f"{name:<28}{estimate['launches']:9}{estimate['timed']:8}{cycles:14}{estimate['cycles']:14.0f}"
      f"{estimate['cycles'] / cycles - 1:9.2%}{width:9.2%}{'yes' if holds else 'NO':>7}"
      f"{seconds[0]:9.2f}{seconds[1]:9.2f}{seconds[0] / seconds[1]:7.1f}")
PYTHON
done
