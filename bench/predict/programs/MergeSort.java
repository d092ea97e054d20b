// SPDX-License-Identifier: Apache-2.0
package programs;

import java.util.Arrays;

/** Merge sort with a thread for each half; how many threads may still be made is kept without a lock. */
public final class MergeSort {
  private static int allowed = 6;
  private final int[] data;

  MergeSort(int[] data) {
    this.data = data;
  }

  static boolean take() {
    if (allowed <= 0) return false;
    allowed--;
    return true;
  }

  void sort() {
    if (data.length < 2) return;
    MergeSort left = new MergeSort(Arrays.copyOfRange(data, 0, data.length / 2));
    MergeSort right = new MergeSort(Arrays.copyOfRange(data, data.length / 2, data.length));
    Thread helper = null;
    if (take()) {
      helper = new Thread(left::sort);
      helper.start();
    } else {
      left.sort();
    }
    right.sort();
    if (helper != null) {
      try {
        helper.join();
      } catch (InterruptedException e) {
        return;
      }
    }
    int i = 0;
    int j = 0;
    for (int k = 0; k < data.length; k++) {
      boolean fromLeft = j == right.data.length || (i < left.data.length && left.data[i] <= right.data[j]);
      data[k] = fromLeft ? left.data[i++] : right.data[j++];
    }
  }

  public static void main(String[] arguments) {
    int[] numbers = {7, 3, 9, 1, 12, 5, 8, 2, 11, 4, 10, 6};
    new MergeSort(numbers).sort();
    for (int i = 1; i < numbers.length; i++) {
      if (numbers[i - 1] > numbers[i]) throw new IllegalStateException("not sorted");
    }
    if (allowed < 0) throw new IllegalStateException("more threads than allowed: " + allowed);
  }
}
