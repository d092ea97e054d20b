// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Where threads wait for each other by polling under a lock. That orders nothing for a hybrid detector: it sees the pairs that lie behind
 * in every run, whatever the machine does. Without it a thread may end before another begins, and what the JDK does in between may order
 * the two.
 */
final class Together {
  private final int parties;
  private int here;

  Together(int parties) {
    this.parties = parties;
  }

  void meet() {
    arrive();
    while (!allHere()) Thread.onSpinWait();
  }

  private synchronized void arrive() {
    here++;
  }

  private synchronized boolean allHere() {
    return here >= parties;
  }
}
