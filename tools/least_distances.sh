#!/bin/bash
# The least distances between dependent instructions that a compiler keeps, over many .cubin files, beside a GPU's latencies:
# what heddle asm --dependences says of each file, taken together. A line for each kind: who made the value, who reads it (@: as
# its guard), how many, the least distance, how many have it, the latency in the GPU's file, how many come earlier than that.
#   tools/least_distances.sh GPU FILE.cubin...
# HEDDLE names another command. Files with instructions that Heddle does not know are named and left out.
set -euo pipefail
heddle=${HEDDLE:-$(dirname "$0")/../build/release/heddle}
[[ $# -ge 2 ]] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
gpu=$1
shift
for file in "$@"; do
  COLUMNS=200 "$heddle" asm "$file" --dependences "$gpu" 2>/dev/null || echo "left out: $file"
done | awk '
  /^left out/ { print; left++ }
  / checked · / { checked += $1; behind += $4; files++; match($0, /[0-9]+ not waited for/); missing += substr($0, RSTART) + 0 }
  NF == 7 && $3 ~ /^[0-9]+$/ && $5 ~ /^[0-9]+$/ && $7 ~ /^[0-9]+$/ {
    kind = $1 " " $2
    count[kind] += $3
    latency[kind] = $6
    early[kind] += $7
    least_here = $4 == "-" ? 63 : $4
    if (!(kind in least) || least_here < least[kind]) { least[kind] = least_here; near[kind] = 0 }
    if (least_here == least[kind]) near[kind] += $5
  }
  END {
    for (kind in count) {
      print kind, count[kind], least[kind], near[kind], latency[kind], early[kind] | "sort"
      all_early += early[kind]
    }
    close("sort")
    print "all: " files + 0 " files, " checked + 0 " dependences, " behind + 0 " behind a barrier, " all_early + 0 " early, " \
      missing + 0 " not waited for, " left + 0 " files left out"
  }'
