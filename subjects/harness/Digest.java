// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A hash over values in the order they are added. Used by one thread at a time. */
public final class Digest {
  private static final int HEX_DIGITS = 32;

  private final MessageDigest sha;

  public Digest() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static String of(byte[] bytes) {
    return new Digest().add(bytes).hex();
  }

  public Digest add(byte[] bytes) {
    return add(bytes, bytes.length);
  }

  /** Adds the first {@code length} bytes. */
  public Digest add(byte[] bytes, int length) {
    addRaw(length);
    sha.update(bytes, 0, length);
    return this;
  }

  public Digest add(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8));
  }

  public Digest add(long value) {
    addRaw(value);
    return this;
  }

  public Digest add(Iterable<?> values) {
    values.forEach(value -> add(String.valueOf(value)));
    return this;
  }

  /** The digest so far; more may be added afterwards only to a new Digest. */
  public String hex() {
    return HexFormat.of().formatHex(sha.digest()).substring(0, HEX_DIGITS);
  }

  private void addRaw(long value) {
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      sha.update((byte) (value >>> shift));
    }
  }
}
