// SPDX-License-Identifier: Apache-2.0
package subjects.harness;

/**
 * A program over one library. Its result must be a function of seed and size only: the same for any number of threads
 * and any schedule.
 */
public interface Subject {
  /** The name that {@code subjects/run.sh} and the {@code RESULT} line use. */
  String name();

  /** Does the work with {@code options.threads()} threads and adds what came out to {@code result}. */
  void run(Options options, Digest result) throws Exception;
}
