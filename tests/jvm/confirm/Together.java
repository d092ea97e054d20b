// SPDX-License-Identifier: Apache-2.0
package confirm;

/**
 * Where threads wait for each other by polling under a lock. That orders nothing for a hybrid detector: it sees the pairs that lie behind
 * in every run, whatever the machine does. Without it a thread may end before another begins, and what the JDK does in between may order
 * the two. With no parties nobody waits.
 */
final class Together {
  private final int parties;
  private int here;
  private int passed;

  Together(int parties) {
    this.parties = parties;
  }

  void meet() {
    if (parties > 0) arrive();
    while (parties > 0 && !allHere()) Thread.onSpinWait();
  }

  /** The access of this thread is over. */
  void pass() {
    if (parties > 0) countPass();
  }

  /** Waits until so many threads have passed. */
  void awaitPassed(int count) {
    while (parties > 0 && !havePassed(count)) Thread.onSpinWait();
  }

  private synchronized void countPass() {
    passed++;
  }

  private synchronized boolean havePassed(int count) {
    return passed >= count;
  }

  private synchronized void arrive() {
    here++;
  }

  private synchronized boolean allHere() {
    return here >= parties;
  }
}
