#!/bin/sh
# Installs what Heddle is built with, where it is missing: Debian 12 and 13, Ubuntu 24.04. As root or with sudo.
# Arguments are further packages.
set -eu

packages="g++ cmake ninja-build pkg-config libboost-program-options-dev libyaml-cpp-dev nlohmann-json3-dev
libfmt-dev libhwy-dev liblua5.4-dev zlib1g-dev liblzma-dev libzstd-dev liblz4-dev libssl-dev libiberty-dev catch2 $*"

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "error: install as root:$missing" >&2; exit 1; }
  as_root="sudo"
fi
echo "Installing:$missing"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
