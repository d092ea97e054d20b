# SPDX-License-Identifier: Apache-2.0
# deadheat replay: what is told before and after it, and with which status it ends.
. "$(dirname "$0")/lib.sh"

# outcome MEMBERS: the records of a JVM in which the two met and which came to such an end.
mkdir records
outcome() {
  cat > records/replay.jsonl << RECORDS
{"type":"start","pid":@PID@,"version":"17","vm":"VM","java":"/jdk","command":"bank.Main"}
{"type":"meeting","step":5,"accesses":[{"write":true,"thread":{"id":1,"name":"a"},"stack":[]},{"write":false,"thread":{"id":2,"name":"b"},"stack":[]}],"first":1}
{"type":"schedule","strategy":"replay","seed":1,"clock":1,"steps":9,$1}
{"type":"end","counters":{"classes_watched":3}}
RECORDS
}

# clip MEMBERS [words…]: the clip x.clip of `java records words…` in this folder, with these members of the header.
clip() {
  members=$1
  shift
  command='"java", "records"'
  for word in "$@"; do command="$command, \"$word\""; done
  python3 "$here/make_clip.py" x.clip "{\"command\": [$command], \"working_directory\": \"$PWD\"$members}" || fail "no clip"
}

outcome '"ended":true,"stop":"none"'
clip ''
run 0 "$deadheat" replay x.clip
err_has "replayed step for step (0 steps), same outcome: exit status 0, no harm seen"
err_lacks "the clip was made"

# The same end is the program's own status; another one is no replay, whatever the program says.
clip ', "exit_status": 7' exit 7
run 7 "$deadheat" replay x.clip
clip '' exit 7
run 3 "$deadheat" replay x.clip
err_has "but with another outcome:"
err_has "exit status 7, in the clip 0"
err_has "something the clip does not hold is different"
clip ', "exit_status": 7'
run 3 "$deadheat" replay x.clip

# In another folder its classes are not found: that is not the program's fault.
outcome '"diverged":"expected a read, the thread ended"'
clip ', "working_directory": "/somewhere", "class_path_hash": "0000000000000000"'
run 3 "$deadheat" replay x.clip
err_has "the clip was made in /somewhere and is replayed in $PWD: relative paths lead elsewhere"
err_has "the replay diverged after 9 of 0 steps"
err_has "replay it where it was made: cd /somewhere"
err_lacks "the program has changed since"
clip ', "class_path_hash": "0000000000000000"'
run 3 "$deadheat" replay x.clip
err_lacks "the clip was made in"
err_has "the program has changed since: make a new clip with 'deadheat confirm'"

# Another JDK is told before the run when its folder says so, and is to blame then.
clip ''
printf 'IMPLEMENTOR="x"\nJAVA_VERSION="25.0.1"\n' > "$work/release"
run 3 "$deadheat" replay x.clip
err_has "the JDK is 25.0.1; the clip was made with VM 17: expect the replay to leave its path"
err_has "use the same JDK: the clip was made with VM 17"
err_lacks "input, files, time"
printf 'JAVA_VERSION="17"\n' > "$work/release"
run 3 "$deadheat" replay x.clip
err_lacks "the JDK is"
err_has "input, files, time"
clip ', "jvm": "VM 21.0.2+1-x"'
rm "$work/release"
run 3 "$deadheat" replay x.clip
err_has "the JVM is VM 17; the clip was made with VM 21.0.2+1-x"
err_has "use the same JDK: the clip was made with VM 21.0.2+1-x"

# A program that did not end when the clip was made need not end now.
outcome '"stop":"time limit"'
clip ', "cut_off": true, "exit_status": 3' exit 3
run 0 "$deadheat" replay x.clip
err_has "replayed up to the meeting; the program did not end within 60 seconds, as then"
run 3 "$deadheat" replay --shrink x.clip
err_has "--shrink needs a clip of a program that ends"
clip ', "exit_status": 0' exit 3
run 3 "$deadheat" replay x.clip
err_has "not replayed: the program ran into the time limit of 60 seconds"
outcome '"stop":"time limit","diverged":"expected a read"'
clip ', "cut_off": true, "exit_status": 3' exit 3
run 3 "$deadheat" replay x.clip
err_has "the replay diverged after 9 of 0 steps: expected a read"

# Options that would do nothing.
run 2 "$deadheat" replay --tries 3 x.clip
err_has "--tries is how often --shrink may try: add --shrink"
run 2 "$deadheat" replay --slow --shrink x.clip
err_has "--slow is for a replay of its own: leave out --shrink"
run 2 "$deadheat" replay --shrink --until race x.clip
err_has "--shrink runs to the end, --until race stops before it: leave one out"
run 2 "$deadheat" replay --source-path no/such x.clip
err_has "there is no folder 'no/such'"
