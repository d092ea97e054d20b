#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two threads access one variable after the other together, each once and in the same instant: every pair must be told.

The program is written here, a line for each access, so that each pair is a race of its own. The threads meet before each pair in
native memory, which orders nothing. An access that is lost to the one beside it would be a race that nobody hears of."""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

CASES = 150

# By case: what declares the variable (in the class Variables), and the accesses of the two threads to that of `v`.
KINDS = [
    ("long x{0};", "v.x{0} = 1;", "sum += v.x{0};"),
    ("long x{0};", "v.x{0} = 1;", "v.x{0} = 2;"),
    ("static long x{0};", "Variables.x{0} = 1;", "Variables.x{0} = 2;"),
    ("final long[] x{0} = new long[1];", "v.x{0}[0] = 1;", "sum += v.x{0}[0];"),
    ("final Object[] x{0} = new Object[1];", "v.x{0}[0] = null;", "v.x{0}[0] = v;"),
]

PROGRAM = """\
import java.lang.reflect.Field;
import sun.misc.Unsafe;

class Variables {
%(variables)s
}

public class Instants {
  static final Unsafe U = unsafe();
  static final long HERE = U.allocateMemory(256);  // a count for each thread, apart from each other
  static long sum;

  static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static void meet(int who, int round) {
    U.putInt(HERE + 64 * who, round);
    for (int i = 0; U.getInt(HERE + 64 * (1 - who)) < round; i++) {
      Thread.onSpinWait();
      if (i > 100_000) Thread.yield();  // there may be one processor only
    }
  }

%(left)s

%(right)s

  public static void main(String[] args) throws Exception {
    U.setMemory(HERE, 256, (byte) 0);
    Variables shared = new Variables();
    Thread[] threads = new Thread[2];
    for (int who = 0; who < 2; who++) {
      int me = who;
      threads[who] = new Thread(() -> {
        Variables own = new Variables();  // what is done for the first time takes longer
        if (me == 0) left(own, %(cases)d, false); else right(own, %(cases)d, false);
        if (me == 0) left(shared, %(cases)d, true); else right(shared, %(cases)d, true);
      });
    }
    for (Thread t : threads) t.start();
    for (Thread t : threads) t.join();
    System.out.println(sum >= 0 ? "done" : "");
  }
}
"""


def side(name, who, which):
    lines = [f"  static void {name}(Variables v, int cases, boolean shared) {{", "    long sum = 0;"]
    lines += [f"    for (int i = 0; i < cases; i++) {{ if (shared) meet({who}, i + 1);", "      switch (i) {"]
    for i in range(CASES):
        kind = KINDS[i % len(KINDS)]
        mine = kind[which].format(i)
        # A static variable is one and the same in the round that is not shared.
        lines.append(f"        case {i}: {'if (shared) ' if 'static' in kind[0] else ''}{mine} break;  // pair {i}")
    return "\n".join(lines + ["      }", "    }", "    if (sum < 0) throw new AssertionError();", "  }"])


def program():
    variables = "\n".join("  " + KINDS[i % len(KINDS)][0].format(i) for i in range(CASES))
    return PROGRAM % {"variables": variables, "left": side("left", 0, 1), "right": side("right", 1, 2), "cases": CASES}


def pair_by_line(source):
    return {number: int(text.rsplit(" ", 1)[1]) for number, text in enumerate(source.splitlines(), 1) if "// pair " in text}


def told_pairs(folder, pairs):
    told = set()
    for file in folder.glob("jvm-*/records.jsonl"):
        for line in file.read_text().splitlines():
            record = json.loads(line)
            for access in record.get("accesses", []):
                told.update(pairs.get(frame["line"]) for frame in access["stack"][:1] if frame["class"] == "Instants")
    return told - {None}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("java", "javac", "agent", "work"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--agent-opts", default="")
    parser.add_argument("--writes-only", action="store_true",
                        help="expect the pairs of two writes alone: to Eraser a write that one other thread reads is no race")
    arguments = parser.parse_args()
    work = Path(arguments.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    source = program()
    (work / "Instants.java").write_text(source)
    subprocess.run([arguments.javac, "-nowarn", "-XDignore.symbol.file", "-d", str(work), str(work / "Instants.java")], check=True)
    command = [arguments.java, f"-agentpath:{arguments.agent}=dir={work / 'runs'},{arguments.agent_opts}".rstrip(","),
               "-cp", str(work), "Instants"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or done.stdout.strip() != "done":
        sys.exit(f"status {done.returncode}\n{done.stdout}{done.stderr}\nagain: {' '.join(command)}")
    expected = {i for i in range(CASES) if not (arguments.writes_only and "sum" in KINDS[i % len(KINDS)][2])}
    missing = sorted(expected - told_pairs(work / "runs", pair_by_line(source)))
    print(f"{len(expected) - len(missing)} of {len(expected)} pairs told")
    if missing:
        sys.exit(f"not told: {missing}\nagain: {' '.join(command)}")


if __name__ == "__main__":
    main()
