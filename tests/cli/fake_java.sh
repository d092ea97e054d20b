#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Stands for a JVM with the agent: finds the run folder as the JVM would (in an -agentpath argument or in
# JAVA_TOOL_OPTIONS), and leaves the records named by its first other argument. What it does then:
# RECORDS may be a folder: then the file in it is taken that has the name of the scheduler's strategy, or of the detector,
# and what it has learnt is in the file `relations` there, if there is one.
#   java RECORDS [exit N | kill SIGNAL | wait | wait-at SEED | fork RECORDS | env]
agent=
case ${1:-} in
  -agentpath:*) agent=$1; shift ;;
  *) agent=$(printf '%s' "${JAVA_TOOL_OPTIONS:-}" | tr '"' ' ' | sed -n 's/.*\(-agentpath:.*\)/\1/p') ;;
esac
# As the agent does when it is loaded: the JVMs below this one find it in the environment.
if [ -n "${DEADHEAT_JAVA_TOOL_OPTIONS:-}" ]; then
  JAVA_TOOL_OPTIONS=$DEADHEAT_JAVA_TOOL_OPTIONS
  export JAVA_TOOL_OPTIONS
  unset DEADHEAT_JAVA_TOOL_OPTIONS
fi
dir=$(printf '%s' "$agent" | sed -n 's/.*[=,]dir=\([^, ]*\).*/\1/p' | sed 's/%20/ /g; s/%2C/,/g; s/%25/%/g')
records=$1
shift
relations=
if [ -d "$records" ]; then
  [ ! -e "$records/relations" ] || relations=$records/relations
  kind=$(printf '%s' "$agent" | sed -n 's/.*,engine=\([^, ]*\).*/\1/p')
  [ "$kind" != schedule ] || kind=$(printf '%s' "$agent" | sed -n 's/.*,strategy=\([^, ]*\).*/\1/p')
  records=$records/${kind:-detect}.jsonl
fi
if [ -n "$dir" ]; then
  mkdir -p "$dir/jvm-$$"
  [ -z "$relations" ] || cp "$relations" "$dir/jvm-$$/relations"
  [ "$records" = none ] || sed "s/@PID@/$$/g" "$records" > "$dir/jvm-$$/records.jsonl"
fi
if [ "${1:-}" = wait-at ]; then
  case $agent in
    *,seed="$2",*) set -- wait ;;
  esac
fi
case ${1:-} in
  exit) exit "$2" ;;
  kill) kill -"$2" $$ ;;
  wait) trap 'exit 40' TERM; trap 'exit 41' INT; : > ready; while :; do sleep 0.05; done ;;
  fork) java "$2" ;;
  env) printf 'agent=%s\nvariable=%s\n' "$agent" "${JAVA_TOOL_OPTIONS:-}" ;;
esac
