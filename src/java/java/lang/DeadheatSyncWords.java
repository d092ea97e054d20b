// SPDX-License-Identifier: Apache-2.0
package java.lang;

import static java.lang.DeadheatVm.*;

import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Hidden;

/**
 * Where the sync word of a variable is that is named by an object and an offset in it: in the object, in its cell, in native memory. The
 * instructions of a volatile field use the same word.
 */
final class DeadheatSyncWords {
  private DeadheatSyncWords() {}

  /**
   * The sync words of memory outside the heap, by address. Two addresses may share a word: then an edge too many is seen, never one too
   * few.
   */
  private static final long[] OFF_HEAP = new long[1 << 12];

  /** Of an array in front of its elements, in bytes, with room to spare. */
  private static final int HEADER = 32;

  @Hidden
  private static long offHeapWord(long address) {
    long hash = (address >>> 2) * 0x9e3779b97f4a7c15L;
    return LONGS + (hash >>> 52) * 8;
  }

  /** The address of the sync word that direct accesses of the static volatile field at {@code offset} use, or -1. */
  @Hidden
  private static long staticSyncWord(Class<?> type, long offset) {
    DeadheatCell cell = DeadheatMap.get(type);
    if (cell == null) return -1;
    DeadheatCell.SyncField field = cell.more().syncField(offset);
    if (field.address == 0) field.address = resolveStaticSync(type, offset);
    return field.address;
  }

  /**
   * The object that holds the sync word of {@code o} at {@code offset}: {@code o} itself, or a part of its cell. Null when it is in native
   * memory, or when there is none.
   */
  @Hidden
  static Object base(Object o, long offset) {
    if (o == null) return OFF_HEAP;
    if (o instanceof Class<?> mirror && staticSyncWord(mirror, offset) > 0) return null;
    Class<?> type = o.getClass();
    if (type.isArray()) {
      DeadheatCell cell = DeadheatMap.get(o);
      return cell == null ? null : elementWords(cell, o);
    }
    if (injectedOffset(type, offset) > 0) return o;
    DeadheatCell cell = DeadheatMap.get(o);
    return cell == null ? null : cell.more().syncField(offset);
  }

  /** Null when the heap is full. */
  @Hidden
  private static long[] elementWords(DeadheatCell cell, Object array) {
    DeadheatCell.More more = cell.knownMore();
    if (more != null && more.syncs != null) return more.syncs;
    if (!DeadheatMap.mayAllocate()) return null;
    try {
      return cell.more().allocateSyncs(wordsFor(java.lang.reflect.Array.getLength(array)));
    } catch (OutOfMemoryError | ArithmeticException e) {  // the latter: of more elements than there can be words
      DeadheatMap.exhausted();
      return null;
    }
  }

  /** Enough for one word for every element (for every four bytes of larger ones), the header included. */
  @Hidden
  private static int wordsFor(int length) {
    return Math.addExact(Math.multiplyExact(length, 2), HEADER);
  }

  /** The offset of the word of the element at {@code offset} of an array. */
  @Hidden
  private static long elementWord(Object array, long offset) {
    int shift = array instanceof byte[] || array instanceof boolean[] ? 0 : array instanceof short[] || array instanceof char[] ? 1 : 2;
    return LONGS + (offset >>> shift) * 8;
  }

  @ForceInline
  @Hidden
  static long at(Object base, Object o, long offset) {
    if (o == null) return offHeapWord(offset);
    if (base == null) return o instanceof Class<?> mirror ? staticSyncWord(mirror, offset) : -1;
    if (base == o) return injectedOffset(o.getClass(), offset);
    return base instanceof long[] ? elementWord(o, offset) : DeadheatCell.SyncField.WORD;
  }

  /** The offset of the injected sync word of the volatile field at {@code offset} in instances of {@code type}, or -1. */
  @Hidden
  private static long injectedOffset(Class<?> type, long offset) {
    if (offset < 0) return -1;
    DeadheatCell cell = DeadheatMap.get(type);
    if (cell == null) return -1;
    // Bytes and shorts share the places of the map: of four fields it can know one.
    if (offset >= DeadheatLayout.MAX_MAPPED_OFFSET || (offset & 3) != 0) {
      DeadheatCell.SyncField field = cell.more().syncField(~offset);  // not to be taken for a static field of the class
      if (field.address == 0) field.address = resolveSync(type, offset);
      return field.address;
    }
    long[] map = cell.more().syncs;
    if (map == null) map = cell.more().allocateSyncs(DeadheatLayout.MAX_MAPPED_OFFSET >>> 2);
    long found = map[(int) offset >>> 2];
    if (found == 0) map[(int) offset >>> 2] = found = resolveSync(type, offset);
    return found;
  }

  /** Under the scheduler, where there are no words: the number of the field at {@code offset} of instances of {@code type}, or -1. */
  @Hidden
  static long fieldAt(Class<?> type, long offset) {
    return injectedOffset(type, offset);
  }

  /** The sync word itself, 0 if nobody has released into it. Allocates nothing. */
  @Hidden
  static long known(Object o, long offset) {
    if (o == null) return U.getLongAcquire(OFF_HEAP, offHeapWord(offset));
    if (o.getClass().isArray()) {
      DeadheatCell cell = DeadheatMap.find(o);
      DeadheatCell.More more = cell == null ? null : cell.knownMore();
      long[] words = more == null ? null : more.syncs;
      return words == null ? 0 : U.getLongAcquire(words, elementWord(o, offset));
    }
    if (!(o instanceof Class)) {
      long at = injectedOffset(o.getClass(), offset);
      if (at > 0) return U.getLongAcquire(o, at);
    }
    DeadheatCell cell = DeadheatMap.find(o);
    DeadheatCell.More more = cell == null ? null : cell.knownMore();
    DeadheatCell.SyncField field = more == null ? null : more.findSyncField(offset);
    if (field == null) return 0;
    return field.address > 0 ? U.getLongAcquire(null, field.address) : U.getLongAcquire(field, DeadheatCell.SyncField.WORD);
  }

  @Hidden
  private static native long resolveSync(Class<?> type, long offset);

  @Hidden
  private static native long resolveStaticSync(Class<?> type, long offset);
}
