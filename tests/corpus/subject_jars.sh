#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# subject_jars.sh MOST: the largest jars of the Debian packages that `make test` installs (subjects/packages.txt) and of what they depend
# on, largest first, at most MOST. Not whatever lies in /usr/share/java: a test reads the same classes on every machine.
set -euo pipefail
most=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v dpkg-query >/dev/null || exit 0

# The packages of the list and everything they depend on, of what is installed.
with_dependencies() {
  dpkg-query -W -f '${Package}\t${Pre-Depends}, ${Depends}\n' | awk -F'\t' -v list="$here/../../subjects/packages.txt" '
    { gsub(/\([^)]*\)|:[a-z0-9]+/, "", $2); gsub(/[,|]/, " ", $2); needs[$1] = $2 }
    END {
      while ((getline line < list) > 0) { sub(/#.*/, "", line); gsub(/[ \t]/, "", line); if (line != "") todo[++last] = line }
      for (at = 1; at <= last; ++at) {
        if (todo[at] in seen || !(todo[at] in needs)) continue
        seen[todo[at]] = 1
        print todo[at]
        count = split(needs[todo[at]], further, " ")
        for (i = 1; i <= count; ++i) todo[++last] = further[i]
      }
    }'
}

with_dependencies | xargs dpkg-query -L | grep -x '/usr/share/java/[^/]*\.jar' | sort -u |
  while read -r jar; do if [ -f "$jar" ] && [ ! -L "$jar" ]; then stat -c '%s %n' "$jar"; fi; done |
  sort -k1,1rn -k2 | awk -v most="$most" 'NR <= most' | cut -d' ' -f2-
