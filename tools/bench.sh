#!/bin/bash
# How fast the simulator is: builds it, and measures the cases of `heddle bench` and all examples, or those named.
# docs/speed.md consists of what this prints.
#   tools/bench.sh                          a table
#   tools/bench.sh --save before.json       and keeps it
#   tools/bench.sh --against before.json    and says how many times as fast each is as before
#   tools/bench.sh ffma_loop vecadd_16m     only these; all options of heddle bench
#   tools/bench.sh --large                  time and memory of whole commands with large launches
#   tools/bench.sh --traces                 reading and replaying of lines without and with 32 addresses
# HEDDLE names another command than build/release/heddle, which is then not built.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${HEDDLE:-} ]]; then
  heddle=build/release/heddle
  [[ -f build/release/build.ninja ]] || cmake --preset release >&2
  cmake --build --preset release --target heddle >&2
else
  heddle=$HEDDLE
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

say_machine() {
  printf 'On %s with %s cores.\n\n' "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1)" "$(nproc)"
}

large() {
  local launch seconds kilobytes
  say_machine
  printf '| `heddle run traces/...` | million warp instructions | simulated cycles | seconds | MB |\n|---|---|---|---|---|\n'
  while read -r launch; do
    /usr/bin/time -o "$folder/time" -f '%e %M' \
      "$heddle" run traces/$launch --gpu h100 --threads 2 --format json --output "$folder/report" > /dev/null 2>&1
    read -r seconds kilobytes < "$folder/time"
    printf '| `%s` | %s | %.1f | %d |\n' "$launch" "$(python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
run = report["runs"][0] if "runs" in report else report
print("%.1f | %s" % (run["warp_instructions"] / 1e6, format(run["cycles"], ",")))' "$folder/report")" \
      "$seconds" $((kilobytes / 1024))
  done <<'LAUNCHES'
matmul_v1.yaml --param n=1024
matmul_v2.yaml --param n=1024
matmul_v3.yaml --param n=1024 --param rows=32
with_divergence_interleaved.yaml --param n=1048576
with_divergence_grouped.yaml --param n=1048576
no_divergence.yaml --param n=1048576
vecadd.yaml --param n=16777216
kernel_a.yaml --param n=16777216
reduce_v1.yaml --param n=4194304
LAUNCHES
}

# trace FILE LINE: 64 blocks of 4 warps with 8,000 lines each; LINE is printf's, of an address and a register.
trace() {
  awk -v line="$2" 'BEGIN {
    print "-kernel name = k\n-kernel id = 1\n-grid dim = (64,1,1)\n-block dim = (128,1,1)\n-shmem = 0\n-nregs = 32"
    print "-binary version = 80\n-cuda stream id = 1\n-shmem base_addr = 0x00007f0000000000"
    print "-local mem base_addr = 0x00007e0000000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5"
    print "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] " \
      "mem_width [adrrescompress?] [mem_addresses] immediate1 immediate2\n"
    for (block = 0; block < 64; ++block) {
      printf "#BEGIN_TB\n\nthread block = %d,0,0\n\n", block
      for (warp = 0; warp < 4; ++warp) {
        printf "warp = %d\ninsts = 8001\n", warp
        for (i = 0; i < 8000; ++i) printf line "\n", 16 * (i % 64), i % 8
        print "0400 ffffffff 0 EXIT 0 0 0"
      }
      print "#END_TB\n"
    } }' > "$1"
}

traces() {
  local addresses= lane
  for ((lane = 0; lane < 32; ++lane)); do addresses+=$(printf ' 0x7f00%08x' $((lane * 0x3a40))); done
  trace "$folder/ffma.traceg" '%04x ffffffff 1 R%d FFMA 3 R10 R11 R12 0 0'
  trace "$folder/addresses.traceg" "%04x ffffffff 1 R%d LDG.E 1 R10 4 0$addresses 0"
  say_machine
  "$heddle" bench "$folder/ffma.traceg" "$folder/addresses.traceg" "$@"
}

case ${1:-} in
  --large) large ;;
  --traces) shift; traces "$@" ;;
  *) exec "$heddle" bench "$@" ;;
esac
