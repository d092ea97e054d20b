// SPDX-License-Identifier: Apache-2.0
package programs;

/**
 * A barrier by a lock and polling: it orders the phases, and gives a hybrid detector no reason to think so. So every pair of accesses
 * across two phases is a candidate, and none of them is a race.
 */
final class PhaseBarrier {
  private final int parties;
  private int waiting;
  private int phase;

  PhaseBarrier(int parties) {
    this.parties = parties;
  }

  void await() {
    int mine;
    synchronized (this) {
      mine = phase;
      if (++waiting == parties) {
        waiting = 0;
        phase++;
        return;
      }
    }
    while (current() == mine) Thread.onSpinWait();
  }

  private synchronized int current() {
    return phase;
  }
}
