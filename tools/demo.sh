#!/bin/sh
# Installs what is missing, builds, and runs the main job: all example kernels on an H100 as one table, then the
# whole report of one of them.
set -eu
cd "$(dirname "$0")/.."

tools/install_dependencies.sh
[ -f build/release/build.ninja ] || cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset release --target heddle

echo
build/release/heddle run traces/*.yaml --gpu h100
echo
build/release/heddle run traces/reduce_v1.yaml --gpu h100
