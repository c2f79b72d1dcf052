#!/bin/sh
# How fast the simulator is: builds it, and measures the cases of `heddle bench` and all examples, or those named.
#   tools/bench.sh                          a table
#   tools/bench.sh --save before.json       and keeps it
#   tools/bench.sh --against before.json    and says how many times as fast each is as before
#   tools/bench.sh ffma_loop vecadd_16m     only these; all options of heddle bench
set -eu
cd "$(dirname "$0")/.."

[ -f build/release/build.ninja ] || cmake --preset release >&2
cmake --build --preset release --target heddle >&2
exec build/release/heddle bench "$@"
