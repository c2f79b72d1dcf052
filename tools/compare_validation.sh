#!/bin/bash
# The figures of tests/validation once more, with NVIDIA's machine code in place of the kernels that were written by hand: a
# table in Markdown of the mean errors of each group and GPU, by hand and by machine code, and of the cases that moved most.
#   tools/compare_validation.sh [--cases N] [SUITE.yaml]...
# tests/validation/cuda has the CUDA C++ of kernels whose source is known. nvcc compiles it for each GPU's compute
# capability; for 7.0, which nvcc 13 does not know, the code is that of 7.5. Suites without such a kernel are left out. Without
# --cases, the 20 that moved most are shown. HEDDLE and NVCC name other commands; KEEP a folder for the cubins and for what
# heddle validate wrote. Without nvcc it says so and ends with 77.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=${HEDDLE:-$root/build/release/heddle}
nvcc=${NVCC:-nvcc}
shown=20
while [[ ${1:-} == --* ]]; do
  case $1 in
    --cases) shown=$2 ;;
    *) echo "compare_validation.sh: there is no option $1" >&2 && exit 2 ;;
  esac
  shift 2
done
if ! command -v "$nvcc" >/dev/null; then
  echo "compare_validation.sh: skipped, there is no $nvcc" >&2
  exit 77
fi
suites=("$@")
[[ ${#suites[@]} -gt 0 ]] || suites=("$root"/tests/validation/*.yaml "$root"/tests/validation/h100_pcie/*.yaml)
scratch=${KEEP:-$(mktemp -d)}
[[ -n ${KEEP:-} ]] || trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"

# GPU files by the architecture whose code they run.
gpus_of() {
  case $1 in
    75) echo v100 t4 ;;
    80) echo a100 ;;
    86) echo a40 rtx3080 ;;
    89) echo l40 rtx4090 ;;
    90) echo h100 h200 ;; # h100-pcie and h100-base, too
  esac
}

# kernels_of SUITE: the kernels that its launch files name, by the files of their text without endings.
kernels_of() {
  local launch
  for launch in $(grep -o 'launch: *"\?[^",}]*' "$1" | sed 's/launch: *"\?//; s/{.*/*.yaml/' | sort -u); do
    (cd "$(dirname "$1")" && sed -n 's/^kernel: *\(.*\)[.]sass/\1/p' $launch)
  done | grep -v / | sort -u
}

# source_of KERNEL: the file of its CUDA C++, or nothing.
source_of() {
  local folder
  for folder in tests/validation/cuda traces; do
    if [[ -e $root/$folder/$1.cu ]]; then echo "$root/$folder/$1.cu" && return; fi
  done
}

# prepare ARCHITECTURE: the suites with the machine code of their kernels, in a folder of its own.
prepare() {
  local tree=$scratch/sm_$1 source kernel launch folder
  rm -rf "$tree"
  mkdir -p "$tree/tests/validation" "$tree/traces"
  cp -r "$root"/tests/validation/{*.yaml,h100_pcie,kernels,measured} "$tree/tests/validation"
  cp "$root"/traces/transpose_*.{yaml,sass} "$tree/traces"
  for kernel in "${kernels[@]}"; do
    source=$(source_of "$kernel")
    folder=$tree/tests/validation/kernels
    [[ $source != */traces/* ]] || folder=$tree/traces
    "$nvcc" "-arch=sm_$1" -O3 -std=c++17 -cubin -o "$folder/$kernel.cubin" "$source"
    for launch in $(grep -l "^kernel: $kernel[.]sass" "$folder"/*.yaml); do
      sed -i "s/^kernel: .*/kernel: $kernel.cubin/" "$launch"
    done
  done
}

taken=()
kernels=()
for suite in "${suites[@]}"; do
  known=()
  for kernel in $(kernels_of "$suite"); do
    [[ -z $(source_of "$kernel") ]] || known+=("$kernel")
  done
  [[ ${#known[@]} -eq 0 ]] || taken+=("$(realpath --relative-to "$root" "$suite")")
  kernels+=("${known[@]}")
done
[[ ${#taken[@]} -gt 0 ]] || { echo "compare_validation.sh: no source is known of the kernels of these suites" >&2; exit 2; }
mapfile -t kernels < <(printf '%s\n' "${kernels[@]}" | sort -u)

for architecture in 75 80 86 89 90; do
  filters=()
  for gpu in $(gpus_of $architecture); do filters+=(--filter " $gpu"); done
  is_prepared=
  for suite in "${taken[@]}"; do
    name=sm_$architecture.$(basename "$suite" .yaml)
    # Exit code 1: a case is outside of its tolerance; 2 and no file: the suite has none for these GPUs.
    (cd "$root" && "$heddle" validate "$suite" "${filters[@]}" --format csv -q -o "$scratch/$name.hand.csv") 2>/dev/null || true
    [[ -s $scratch/$name.hand.csv ]] || continue
    [[ -n $is_prepared ]] || prepare $architecture
    is_prepared=1
    (cd "$scratch/sm_$architecture" && "$heddle" validate "$suite" "${filters[@]}" --gpu-dir "$root/configs" --format csv -q \
      -o "$scratch/$name.machine.csv") || true
  done
done

python3 - "$scratch" "$shown" <<'PYTHON'
import collections, csv, glob, math, os, sys

scratch, shown = sys.argv[1], int(sys.argv[2])


def read(path):
    with open(path, newline="") as file:
        return {(row["group"], row["gpu"], row["name"]): row for row in csv.DictReader(file)}


def mean(values):
    return sum(values) / len(values)


def number(text):
    return float(text) if text else math.nan


by_hand, by_machine, absent = {}, {}, []
for path in sorted(glob.glob(os.path.join(scratch, "*.hand.csv"))):
    other = path.replace(".hand.csv", ".machine.csv")
    if os.path.exists(other):
        by_hand.update(read(path))
        by_machine.update(read(other))
    else:
        absent.append(os.path.basename(path))
both = [key for key in by_hand if key in by_machine]
groups = collections.defaultdict(list)
for key in both:
    groups[key[0]].append(key)
    groups[key[0], key[1]].append(key)


def order(group):
    name, gpu = group if isinstance(group, tuple) else (group, "")
    digits = name[1:].isdigit()
    return (not digits, int(name[1:]) if digits else 0, name, gpu)


def line(title, keys):
    errors = [[abs(number(table[key]["error"])) for key in keys] for table in (by_hand, by_machine)]
    outside = [sum(table[key]["within"] == "false" for key in keys) for table in (by_hand, by_machine)]
    hand, machine = (100 * mean(each) for each in errors)
    return f"| {title} | {len(keys)} | {hand:.1f} % | {machine:.1f} % | {outside[0]} | {outside[1]} |"


print("| group | cases | by hand: mean error | machine code | by hand: outside | machine code |")
print("|---|---|---|---|---|---|")
for group in sorted(groups, key=order):
    title = group if isinstance(group, str) else f"… on {group[1]}"
    if isinstance(group, str) or len(groups[group]) != len(groups[group[0]]):
        print(line(title, groups[group]))
print()
print("| group | GPU | case | measured | by hand | | machine code | |")
print("|---|---|---|---|---|---|---|---|")


def moved(key):
    return abs(number(by_machine[key]["simulated"]) / number(by_hand[key]["simulated"]) - 1)


for key in sorted(both, key=moved, reverse=True)[:shown]:
    hand, machine = by_hand[key], by_machine[key]
    figures = [f"{number(hand['measured']):.4g}"]
    for row in (hand, machine):
        figures += [f"{number(row['simulated']):.4g}", f"{100 * number(row['error']):+.1f} %"]
    print(f"| {key[0]} | {key[1]} | {key[2]} | " + " | ".join(figures) + " |")
for key in by_hand:
    if key not in by_machine:
        print("not simulated:", *key, file=sys.stderr)
for name in absent:
    print("not simulated:", name, file=sys.stderr)
PYTHON
