#!/bin/sh
# Installs what is missing, builds everything, and runs all tests. Arguments go to ctest: tools/test.sh -R coalescer
set -eu
cd "$(dirname "$0")/.."

tools/install_dependencies.sh
cmake --preset release -DHEDDLE_WERROR=ON
cmake --build --preset release
ctest --preset release -j "$(nproc)" "$@"
