// SPDX-License-Identifier: Apache-2.0
package kernels;

/** Does nothing: its run time is the start-up and shut-down time of the JVM. */
public final class Empty {
  private Empty() {}

  public static void main(String[] args) {}
}
