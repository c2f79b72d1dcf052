#!/bin/sh
# Installs what is missing, builds, and runs the main job: all example kernels on an H100 as one table, then the
# whole report of one of them, and that of a kernel in CUDA C++.
set -eu
cd "$(dirname "$0")/.."

if ls /usr/bin/clang++* >/dev/null 2>&1 || command -v nvcc >/dev/null; then
  tools/install_dependencies.sh
else
  tools/install_dependencies.sh clang
fi
[ -f build/release/build.ninja ] || cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build --preset release --target heddle

echo
build/release/heddle run traces/*.yaml --gpu h100
echo
build/release/heddle run traces/reduce_v1.yaml --gpu h100
echo
build/release/heddle run traces/saxpy.cu --gpu h100 --grid 4096 --block 256 \
  --args "x=f32[1048576]:random, y=f32[1048576]:random, 2.0, 1048576" --print y[0:4]
