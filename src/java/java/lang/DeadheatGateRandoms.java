// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatGate.self;
import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.Hidden;

/**
 * What a program draws at random, under the controlled scheduler: {@code SecureRandom} and {@code ThreadLocalRandom} give each managed thread
 * a sequence that depends on its id alone, so that it does the same again in the next run. ({@code Random} begins with the time, which is the
 * scheduler's already.)
 */
public final class DeadheatGateRandoms {
  /** The JDK's own: what ThreadLocalRandom goes on from. */
  private static final long SEED = U.objectFieldOffset(Thread.class, "threadLocalRandomSeed");

  private DeadheatGateRandoms() {}

  /** {@code SecureRandom.nextBytes(bytes)} is about to return. */
  @Hidden
  public static void drawn(Object bytes) {
    if (self() == 0 || !(bytes instanceof byte[] drawn)) return;
    Thread t = Thread.currentThread();
    for (int i = 0; i < drawn.length; i++) drawn[i] = (byte) next(t);
  }

  /** The current thread has got its first seed. */
  @Hidden
  public static void seeded() {
    if (self() == 0) return;
    Thread t = Thread.currentThread();
    U.putLong(t, SEED, next(t));
  }

  @Hidden
  private static long next(Thread t) {
    long state = U.getLong(t, RANDOM);
    if (state == 0) state = U.getLong(t, TID) * 0xd1342543de82ef95L;
    U.putLong(t, RANDOM, state + DeadheatHashes.GOLDEN);
    return DeadheatHashes.mix(state + DeadheatHashes.GOLDEN);
  }
}
