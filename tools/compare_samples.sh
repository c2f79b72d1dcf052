#!/bin/bash
# How far a sample's cycles are from the whole run's: a line for each example, a column for each number of SMs.
#   tools/compare_samples.sh [--gpu NAME] [SMS...]      default: h100, 1 8 33 66
# HEDDLE names another command than build/release/heddle.
set -euo pipefail
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/release/heddle}
gpu=h100
if [[ ${1:-} == --gpu ]]; then
  gpu=$2
  shift 2
fi
samples=("$@")
[[ ${#samples[@]} -gt 0 ]] || samples=(1 8 33 66)

# cycles LAUNCH [SMS]: of the run; nothing where it is refused or ends in a fault.
cycles() {
  "$heddle" run "$1" --gpu "$gpu" --sms "${2:-all}" --no-check --format json 2>/dev/null |
    sed -n 's/^  "cycles": \([0-9]*\),$/\1/p'
}

printf '%-30s%12s' "launch on $gpu" 'all SMs'
printf '%10s' "${samples[@]}"
printf '\n'
for launch in traces/*.yaml; do
  all=$(cycles "$launch" || true)
  [[ -n $all ]] || continue
  printf '%-30s%12s' "$(basename "$launch" .yaml)" "$all"
  for sms in "${samples[@]}"; do
    found=$(cycles "$launch" "$sms" || true)
    if [[ -n $found ]]; then
      awk -v a="$all" -v f="$found" 'BEGIN { printf "%9.1f%%", 100 * (f / a - 1) }'
    else
      printf '%10s' refused
    fi
  done
  printf '\n'
done
