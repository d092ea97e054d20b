# SPDX-License-Identifier: Apache-2.0
#
# fork.sh BUILD_DIR: with the real agent, a JVM forked by a JVM is watched too, whichever way the first one was started.
set -u
build=$1
work=$(mktemp -d)
cd "$work"
cat > Fork.java <<'JAVA'
public class Fork {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            new ProcessBuilder("java", "-cp", ".", "Fork", "child").inheritIO().start().waitFor();
        }
    }
}
JAVA
javac Fork.java || exit 1
for launch in "java -cp . Fork" "sh -c 'java -cp . Fork'"; do
  eval "\"$build/bin/deadheat\" run -- $launch" 2> err || { cat err; exit 1; }
  grep -q "in 2 JVMs" err || { cat err; echo "FAILED: $launch: not both JVMs were watched; kept: $work"; exit 1; }
done
rm -rf "$work"
