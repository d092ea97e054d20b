#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# deps.sh PURPOSE: installs the Debian packages of that purpose (scripts/packages.txt) that are missing. Does nothing,
# and needs neither the network nor root, when none is. On a system without dpkg it only names what the build will use.
set -eu
cd "$(dirname "$0")/.."
purpose=$1

wanted=$(sed -n "s/^$purpose  *\([^ #]*\).*/\1/p" scripts/packages.txt)
if [ "$purpose" = test ] && [ -f subjects/packages.txt ]; then
  wanted="$wanted $(sed 's/#.*//' subjects/packages.txt)"
fi

if ! command -v dpkg-query >/dev/null; then
  echo "deps: not a Debian system; provide these yourself:" $wanted >&2
  exit 0
fi

missing=
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=absent
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "deps: as root, run: apt-get update && apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "deps: installing for $purpose:$missing"
# Two makes at once wait for each other's package lock.
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@"; }
apt update
apt install -y --no-install-recommends $missing
