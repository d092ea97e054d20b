// SPDX-License-Identifier: Apache-2.0
package semantics;

import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.BreakIterator;
import java.util.Date;
import java.util.IntSummaryStatistics;
import java.util.Locale;
import java.util.Scanner;
import java.util.SplittableRandom;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Objects of the JDK with a state of their own, made for one thread: without a lock each one races, with a lock none does. */
final class StatefulCases {
  @Case.Racy("java.util.regex.Matcher")
  static final class Matcher_race extends Case.Pair {
    final Matcher it = Pattern.compile("(\\w+)-(\\d+)").matcher("a-1 b-2");
    void a() { it.find(); }
    void b() { it.find(); }
  }

  static final class MatcherLocked_norace extends Case.Pair {
    final Matcher it = Pattern.compile("(\\w+)-(\\d+)").matcher("a-1 b-2");
    void a() { synchronized (it) { it.find(); it.group(1); } }
    void b() { synchronized (it) { it.find(); it.group(2); } }
  }

  /** The pattern is for everybody. */
  static final class MatchersOfOnePattern_norace extends Case.Pair {
    final Pattern it = Pattern.compile("(a|b)*-(\\d+)\\b[x-z&&[^y]]?");
    void a() { it.matcher("ab-1").find(); it.split("a-1,b-2"); "a-1".replaceAll("\\d", "$0"); }
    void b() { it.matcher("ba-2").find(); it.split("b-1,b-2"); "b-1".replaceAll("\\d", "$0"); }
  }

  @Case.Racy("java.util.StringTokenizer")
  static final class StringTokenizer_race extends Case.Pair {
    final StringTokenizer it = new StringTokenizer("a b c d");
    void a() { it.nextToken(); }
    void b() { it.nextToken(); }
  }

  static final class StringTokenizerLocked_norace extends Case.Pair {
    final StringTokenizer it = new StringTokenizer("a b c d");
    void a() { synchronized (it) { it.nextToken(); } }
    void b() { synchronized (it) { it.nextToken(); } }
  }

  @Case.Racy({"java.util.Scanner", "java.util.regex.Matcher"})
  static final class Scanner_race extends Case.Pair {
    final Scanner it = new Scanner("1 2 3 4");
    void a() { it.next(); }
    void b() { it.nextInt(); }
  }

  static final class ScannerLocked_norace extends Case.Pair {
    final Scanner it = new Scanner("1 2 3 4");
    void a() { synchronized (it) { it.next(); } }
    void b() { synchronized (it) { it.nextInt(); } }
  }

  @Case.Racy("java.security.MessageDigest")
  static final class MessageDigest_race extends Case.Pair {
    MessageDigest it;
    void setup() throws Exception { it = MessageDigest.getInstance("SHA-256"); }
    void a() { it.update((byte) 1); }
    void b() { it.digest(); }
  }

  static final class MessageDigestLocked_norace extends Case.Pair {
    MessageDigest it;
    void setup() throws Exception { it = MessageDigest.getInstance("SHA-256"); }
    void a() { synchronized (it) { it.update((byte) 1); } }
    void b() { synchronized (it) { it.digest(); } }
  }

  static final class MessageDigestOfItsOwn_norace extends Case.Pair {
    void a() throws Exception { MessageDigest.getInstance("SHA-256").digest(new byte[3]); }
    void b() throws Exception { MessageDigest.getInstance("SHA-256").digest(new byte[4]); }
  }

  @Case.Racy("java.util.zip.CRC32")
  static final class Checksum_race extends Case.Pair {
    final CRC32 it = new CRC32();
    void a() { it.update(1); }
    void b() { it.update(2); }
  }

  static final class ChecksumLocked_norace extends Case.Pair {
    final CRC32 it = new CRC32();
    void a() { synchronized (it) { it.update(1); } }
    void b() { synchronized (it) { it.getValue(); } }
  }

  @Case.Racy("java.nio.charset.CharsetEncoder")
  static final class Encoder_race extends Case.Pair {
    final CharsetEncoder it = StandardCharsets.UTF_8.newEncoder();
    void a() throws Exception { it.encode(CharBuffer.wrap("a")); }
    void b() throws Exception { it.encode(CharBuffer.wrap("b")); }
  }

  static final class EncoderLocked_norace extends Case.Pair {
    final CharsetEncoder it = StandardCharsets.UTF_8.newEncoder();
    void a() throws Exception { synchronized (it) { it.encode(CharBuffer.wrap("a")); } }
    void b() throws Exception { synchronized (it) { it.encode(CharBuffer.wrap("b")); } }
  }

  @Case.Racy("java.nio.charset.CharsetDecoder")
  static final class Decoder_race extends Case.Pair {
    final CharsetDecoder it = StandardCharsets.UTF_8.newDecoder();
    void a() throws Exception { it.decode(StandardCharsets.UTF_8.encode("a")); }
    void b() throws Exception { it.reset(); }
  }

  @Case.Racy("java.util.SplittableRandom")
  static final class SplittableRandom_race extends Case.Pair {
    final SplittableRandom it = new SplittableRandom(1);
    void a() { it.nextInt(); }
    void b() { it.nextInt(); }
  }

  static final class SplittableRandomSplit_norace extends Case.Pair {
    final SplittableRandom it = new SplittableRandom(1);
    final SplittableRandom other = it.split();
    void a() { it.nextInt(); }
    void b() { other.nextInt(); }
  }

  @Case.Racy("java.util.IntSummaryStatistics")
  static final class SummaryStatistics_race extends Case.Pair {
    final IntSummaryStatistics it = new IntSummaryStatistics();
    void a() { it.accept(1); }
    void b() { it.accept(2); }
  }

  static final class SummaryStatisticsLocked_norace extends Case.Pair {
    final IntSummaryStatistics it = new IntSummaryStatistics();
    void a() { synchronized (it) { it.accept(1); } }
    void b() { synchronized (it) { it.getAverage(); } }
  }

  @Case.Racy("java.util.Date")
  static final class Date_race extends Case.Pair {
    final Date it = new Date(0);
    void a() { it.setTime(1); }
    void b() { it.getTime(); }
  }

  /** The getters write what they have worked out, which is the Date's own business. */
  @SuppressWarnings("deprecation")
  static final class DateRead_norace extends Case.Pair {
    final Date it = new Date(0);
    void a() { it.toString(); it.getYear(); }
    void b() { it.getMonth(); it.compareTo(new Date(1)); }
  }

  /** BreakIterator keeps the last instance in a cache, without synchronisation. */
  @Case.Cold
  static final class BreakIterators_norace extends Case.Pair {
    void a() { BreakIterator.getWordInstance(Locale.US).setText("a b"); }
    void b() { BreakIterator.getWordInstance(Locale.US).setText("b c"); }
  }
}
