# shellcheck shell=bash disable=SC2034 # variables used by those who source this
# SPDX-License-Identifier: Apache-2.0
# What run.sh and compare.sh share: finding JDKs, jars and subjects, building a subject. Sourced by bash, not run.

SUBJECTS_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO_DIR=$(dirname "$SUBJECTS_DIR")
JAR_DIR=/usr/share/java
EXIT_USAGE=2
EXIT_SKIPPED=77 # what ctest takes for "skipped": the package of the subject is not installed

fail() { # fail STATUS MESSAGE...
  local status=$1
  shift
  echo "$(basename "$0"): $*" >&2
  exit "$status"
}

subject_names() {
  local conf
  for conf in "$SUBJECTS_DIR"/*/subject.conf; do
    basename "$(dirname "$conf")"
  done
}

# The distinct JDKs of version 17 and later, by home directory.
jdk_homes() {
  local java
  for java in /usr/lib/jvm/*/bin/java; do
    [ -x "$java" ] && readlink -f "$(dirname "$(dirname "$java")")"
  done | sort -u | while read -r home; do
    [ "$(jdk_major "$home")" -ge 17 ] && echo "$home"
  done
}

jdk_major() { # jdk_major HOME
  local version
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null)
  echo "${version:-0}"
}

# A JDK home, a java program or a name on PATH -> the absolute path of the java program.
java_program() { # java_program JAVA
  if [ -x "$1/bin/java" ]; then
    realpath -s "$1/bin/java"
  else
    local found
    found=$(command -v "$1") && realpath -s "$found"
  fi
}

conf_value() { # conf_value NAME KEY
  sed -n "s/^$2=//p" "$SUBJECTS_DIR/$1/subject.conf"
}

# The newest of NAME.jar (the packages' link to it) and NAME-VERSION.jar.
find_jar() { # find_jar NAME
  if [ -e "$JAR_DIR/$1.jar" ]; then
    echo "$JAR_DIR/$1.jar"
  else
    find "$JAR_DIR" -maxdepth 1 -name "$1-[0-9]*.jar" | sort -V | tail -n 1
  fi
}

# The jars of a subject, joined by colons; exits when one is missing.
library_path() { # library_path NAME
  local jar found path=
  for jar in $(conf_value "$1" jars); do
    found=$(find_jar "$jar")
    [ -n "$found" ] ||
      fail $EXIT_SKIPPED "subject $1 skipped: no $jar.jar in $JAR_DIR; install the Debian package $(conf_value "$1" package)"
    path=$path:$found
  done
  echo "${path#:}"
}

# Compiles harness and subject into BUILD/NAME unless that is newer than every source. Safe to call from parallel tests.
build_subject() { # build_subject NAME BUILD LIBRARIES JAVAC
  local name=$1 build=$2 libraries=$3 javac=$4
  local sources=("$SUBJECTS_DIR/harness" "$SUBJECTS_DIR/$name") classes=$build/$name
  mkdir -p "$build"
  (
    flock 9
    if [ -e "$classes/.built" ] && [ -z "$(find "${sources[@]}" -newer "$classes/.built" -print -quit)" ]; then
      exit 0
    fi
    rm -rf "$classes"
    mkdir -p "$classes/subjects/$name"
    find "${sources[@]}" -name '*.java' -print0 | sort -z |
      xargs -0 "$javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --release 17 -Xlint:all,-options,-classfile,-path,-processing -Werror -proc:none \
        -cp "$libraries" -d "$classes" || exit 1
    find "$SUBJECTS_DIR/$name" -maxdepth 1 -type f ! -name '*.java' ! -name subject.conf \
      -exec cp {} "$classes/subjects/$name/" \;
    touch "$classes/.built"
  ) 9>"$build/$name.lock" >&2
}
