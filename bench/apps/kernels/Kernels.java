// SPDX-License-Identifier: Apache-2.0
package kernels;

import java.util.List;

/** The list of all kernels. A new one needs a class and a line here. */
final class Kernels {
  static final List<Kernel> ALL =
      List.of(
          new LocalFields(),
          new LocalArrays(),
          new ArgumentArrays(),
          new SharedGraph(),
          new SharedArray(),
          new LockObjects(),
          new LockMethods(),
          new LockContended(),
          new HeapSweep(),
          new VolatilePingPong(),
          new Allocation(),
          new Immutables(),
          new Subclasses(),
          new Lambdas(),
          new Strings(),
          new JucMap(),
          new JucLock(),
          new JucAtomic());

  private Kernels() {}

  static Kernel byName(String name) {
    return ALL.stream()
        .filter(kernel -> kernel.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no kernel " + name + " (see --list)"));
  }
}
