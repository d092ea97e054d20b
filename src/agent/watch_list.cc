// SPDX-License-Identifier: Apache-2.0
#include "agent/watch_list.h"

#include <algorithm>
#include <array>
#include "agent/access_modes.h"
#include "agent/initialisers.h"

namespace deadheat::agent {

namespace {

// The shim itself, what it is made of, and classes whose layout or code the VM knows by heart.
constexpr std::string_view kUntouched[] = {
    "java/lang/Deadheat",
    "java/lang/Object",
    "java/lang/String",
    "java/lang/StringLatin1",
    "java/lang/StringUTF16",
    "java/lang/ref/Reference",
    "java/lang/ref/WeakReference",
    "java/lang/ref/SoftReference",
    "java/lang/ref/PhantomReference",
    "java/lang/ref/FinalReference",
    "java/lang/VirtualThread",
    "java/lang/BaseVirtualThread",
    "java/lang/reflect/Array",
};
constexpr std::string_view kUntouchedPrefixes[] = {
    "java/lang/Deadheat",    "java/lang/invoke/", "java/lang/VirtualThread$", "jdk/internal/misc/Unsafe",
    "jdk/internal/misc/CDS", "jdk/internal/vm/",  "java/lang/Thread$",        "jdk/internal/reflect/",
};
// An exception: it keeps maps in volatile fields.
constexpr std::string_view kReflection = "jdk/internal/reflect/Reflection";

// The collections, their iterators and views, text formats and string builders, and small objects that are made for one
// thread and often shared by mistake: matchers, scanners, digests, checksums, coders. java/util/concurrent is not among
// them: its plain accesses are ordered by its own atomics in ways no user can act on.
constexpr std::string_view kFullPrefixes[] = {
    "java/util/Abstract",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/Calendar",
    "java/util/BitSet",
    "java/util/Date",
    "java/util/DoubleSummaryStatistics",
    "java/util/GregorianCalendar",
    "java/util/Collections",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/IdentityHashMap",
    "java/util/IntSummaryStatistics",
    "java/util/JumboEnumSet",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/LongSummaryStatistics",
    "java/util/PriorityQueue",
    "java/util/RegularEnumSet",
    "java/util/Scanner",
    "java/util/SplittableRandom",
    "java/util/Stack",
    "java/util/StringJoiner",
    "java/util/StringTokenizer",
    "java/util/SubList",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "java/util/WeakHashMap",
    "java/util/regex/Matcher",
    "java/util/zip/Adler32",
    "java/util/zip/CRC32",
    "java/nio/charset/CharsetDecoder",
    "java/nio/charset/CharsetEncoder",
    "java/security/MessageDigest",
    "java/text/",
    "java/lang/AbstractStringBuilder",
    "java/lang/StringBuilder",
    "java/lang/StringBuffer",
};

// Of these, the ones that access arrays of their caller's: Arrays.asList, and streams and spliterators over an array.
constexpr std::string_view kOverArrays[] = {
    "java/util/Arrays$ArrayList",
    "java/util/Arrays$ArrayItr",
    "java/util/Spliterators$ArraySpliterator",
    "java/util/Spliterators$IntArraySpliterator",
    "java/util/Spliterators$LongArraySpliterator",
    "java/util/Spliterators$DoubleArraySpliterator",
};

struct FieldName {
  std::string_view owner;
  std::string_view field;
};
// java.text formats into one shared position when the caller wants none (DontCareFieldPosition.INSTANCE); nobody reads
// it. Views that a map makes on first use and that any thread may make again: "no synchronization is performed, so
// there is a slight chance that multiple calls to this method will not all return the same set" (AbstractMap). The
// broken-down form of a Date, which its getters make. The cache of BreakIterator, which its factories fill.
constexpr FieldName kBenign[] = {
    {"java/text/FieldPosition", "beginIndex"},
    {"java/text/FieldPosition", "endIndex"},
    {"java/text/BreakIterator$BreakIteratorCache", "iter"},
    {"java/text/BreakIterator$BreakIteratorCache", "locale"},
    {"java/util/Date", "cdate"},
    {"java/util/AbstractMap", "keySet"},
    {"java/util/AbstractMap", "values"},
    {"java/util/HashMap", "entrySet"},
    {"java/util/TreeMap", "entrySet"},
    {"java/util/TreeMap", "navigableKeySet"},
    {"java/util/TreeMap", "descendingMap"},
    {"java/util/Hashtable", "keySet"},
    {"java/util/Hashtable", "entrySet"},
    {"java/util/Hashtable", "values"},
    {"java/util/IdentityHashMap", "entrySet"},
    {"java/util/WeakHashMap", "entrySet"},
    {"java/util/EnumMap", "entrySet"},
    {"java/util/Collections$UnmodifiableMap", "keySet"},
    {"java/util/Collections$UnmodifiableMap", "entrySet"},
    {"java/util/Collections$UnmodifiableMap", "values"},
    {"java/util/Collections$SingletonMap", "keySet"},
    {"java/util/Collections$SingletonMap", "entrySet"},
    {"java/util/Collections$SingletonMap", "values"},
    {"java/util/Collections$CheckedMap", "entrySet"},
    {"java/util/TreeMap$NavigableSubMap", "descendingMapView"},
    {"java/util/TreeMap$NavigableSubMap", "entrySetView"},
    {"java/util/TreeMap$NavigableSubMap", "navigableKeySetView"},
};

// Read after an acquire fence, or in chains of volatile accesses, and written by compare-and-set or before a release
// fence (the map of a ClassValue in its class). The value of a ClassValue is final: that is how it is handed over. The
// symbols of a Formatter are read and
// written plainly, which its authors call acceptable (what they lead to is java.text's, and no program's to mend).
constexpr FieldName kActingVolatile[] = {
    {"java/util/concurrent/ConcurrentSkipListMap", "head"},
    {"java/util/concurrent/ConcurrentSkipListMap$Node", "val"},
    {"java/util/concurrent/ConcurrentSkipListMap$Node", "next"},
    {"java/util/concurrent/ConcurrentSkipListMap$Index", "right"},
    {"java/util/concurrent/ForkJoinPool$WorkQueue", "array"},
    {"java/util/concurrent/LinkedTransferQueue$DualNode", "next"},
    {"java/util/concurrent/SubmissionPublisher$BufferedSubscription", "array"},
    {"java/lang/Class", "classValueMap"},
    {"java/lang/ClassValue$Entry", "value"},
    {"java/util/Formatter", "DFS"},
};

// The JDK's own objects that users hand around and that hold what users gave them. Nodes inside collections are not
// among them: whoever meets one has read the table that leads to it.
constexpr std::string_view kFrozenJdkPrefixes[] = {
    "java/util/Collections$",
    "java/util/ImmutableCollections$",
    "java/util/Optional",
    "java/util/KeyValueHolder",
    "java/util/AbstractMap$Simple",
    "java/util/Arrays$ArrayList",
    "java/util/PropertyResourceBundle",
    "java/util/jar/Manifest",
    "java/util/jar/Attributes",
    "java/util/concurrent/atomic/AtomicReferenceArray",
    "sun/reflect/generics/",  // JDK 17 keeps what it has read of signatures in plain fields
    "sun/reflect/annotation/AnnotationInvocationHandler",
};
// Types of fields behind which nothing is watched, or everything is volatile.
constexpr std::string_view kUnfrozenTypes[] = {"Ljava/lang/String;",  "Ljava/lang/Class;",     "Ljava/lang/Integer;",
                                               "Ljava/lang/Long;",    "Ljava/lang/Short;",     "Ljava/lang/Byte;",
                                               "Ljava/lang/Float;",   "Ljava/lang/Double;",    "Ljava/lang/Character;",
                                               "Ljava/lang/Boolean;", "Ljava/math/BigInteger;"};
// No interfaces and nothing that a program extends: behind those there may be anything.
constexpr std::string_view kUnfrozenTypePrefixes[] = {"Ljava/util/concurrent/locks/Reentrant",
                                                      "Ljava/util/concurrent/locks/StampedLock;",
                                                      "Ljava/util/concurrent/atomic/AtomicInteger;",
                                                      "Ljava/util/concurrent/atomic/AtomicLong;",
                                                      "Ljava/util/concurrent/atomic/AtomicBoolean;",
                                                      "Ljava/util/concurrent/atomic/AtomicReference;",
                                                      "Ljava/util/concurrent/atomic/LongAdder;",
                                                      "Ljava/util/concurrent/ConcurrentHashMap;",
                                                      "Ljava/util/concurrent/ConcurrentLinkedQueue;",
                                                      "Ljava/util/concurrent/CountDownLatch;",
                                                      "Ljava/util/concurrent/Semaphore;",
                                                      "Ljava/util/concurrent/TimeUnit;",
                                                      "Ljava/lang/invoke/",
                                                      "Ljava/lang/reflect/Method;",
                                                      "Ljava/lang/reflect/Field;",
                                                      "Ljava/lang/reflect/Constructor;"};

bool any_of(const auto& rows, std::string_view owner, std::string_view field) {
  return std::any_of(std::begin(rows), std::end(rows),
                     [&](const FieldName& row) { return row.owner == owner && row.field == field; });
}

bool any_prefix(std::string_view name, const auto& prefixes) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool any_pattern(std::string_view name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches_pattern(pattern, name); });
}

}  // namespace

WatchList::WatchList(const std::vector<std::string>& include, const std::vector<std::string>& exclude)
    : include_(include), exclude_(exclude) {
  for (auto* patterns : {&include_, &exclude_}) {
    for (std::string& pattern : *patterns) std::replace(pattern.begin(), pattern.end(), '.', '/');
  }
}

Watch WatchList::watch(std::string_view name, bool from_jdk) const {
  if (std::find(std::begin(kUntouched), std::end(kUntouched), name) != std::end(kUntouched) ||
      (any_prefix(name, kUntouchedPrefixes) && name != kReflection)) {
    return Watch::kNone;
  }
  if (any_pattern(name, exclude_)) return Watch::kSync;
  if (!include_.empty() && any_pattern(name, include_)) return Watch::kFull;
  if (from_jdk) return any_prefix(name, kFullPrefixes) || !owns_arrays(name) ? Watch::kFull : Watch::kSync;
  return include_.empty() ? Watch::kFull : Watch::kSync;
}

namespace {

// The small hot classes that everything calls.
bool is_basic(std::string_view name) {
  constexpr std::string_view kLang = "java/lang/";
  if (name.starts_with(kLang) && name.find('/', kLang.size()) == std::string_view::npos) return true;
  return name == "java/util/Objects" || name == "java/util/Arrays" ||
         name.starts_with("java/util/concurrent/atomic/") || name.starts_with("java/util/concurrent/locks/") ||
         name.starts_with("jdk/internal/misc/") || name.starts_with("jdk/internal/util/");
}

// Whether what the methods of a class make is never watched.
bool makes_nothing_watched(std::string_view owner) {
  constexpr std::string_view kHarmless[] = {"[", "java/lang/", "jdk/internal/", "sun/", "java/util/concurrent/"};
  return !any_prefix(owner, kFullPrefixes) && (is_basic(owner) || any_prefix(owner, kHarmless));
}

}  // namespace

bool WatchList::initialises_nothing(const classfile::ClassFile& cls) {
  if (!is_basic(cls.name())) return false;
  const auto used = used_by_initialiser(cls);
  return used && std::all_of(used->begin(), used->end(), makes_nothing_watched);
}

// The characters of a string builder are written by java.lang.String, which is not watched; two threads that use one
// builder meet in its count and value fields all the same. So it is with matchers, whose groups the nodes of the
// pattern write. BreakIterator has an array for its cache alone (kBenign).
bool WatchList::watches_elements(std::string_view name) {
  return name != "java/lang/AbstractStringBuilder" && name != "java/lang/StringBuilder" &&
         name != "java/lang/StringBuffer" && name != "java/util/regex/Matcher" && name != "java/text/BreakIterator";
}

bool WatchList::owns_arrays(std::string_view name) {
  return std::find(std::begin(kOverArrays), std::end(kOverArrays), name) == std::end(kOverArrays);
}

bool WatchList::is_benign(std::string_view owner, std::string_view field) { return any_of(kBenign, owner, field); }

bool WatchList::freezes(std::string_view owner, std::string_view descriptor, bool from_jdk) {
  if (descriptor.front() != 'L' && descriptor.front() != '[') return false;
  if (std::find(std::begin(kUnfrozenTypes), std::end(kUnfrozenTypes), descriptor) != std::end(kUnfrozenTypes))
    return false;
  return !any_prefix(descriptor, kUnfrozenTypePrefixes) && (!from_jdk || any_prefix(owner, kFrozenJdkPrefixes));
}

bool WatchList::acts_as_volatile(std::string_view owner, std::string_view field) {
  return any_of(kActingVolatile, owner, field);
}

// All objects with a finalizer are in one list, which has a lock. To have been made before another was finalized orders
// nothing (JLS 17.4.5).
bool WatchList::orders_by_monitors(std::string_view name) { return name != "java/lang/ref/Finalizer"; }

bool WatchList::publishes_by_stores(std::string_view name) { return name == kWorkQueue; }

// Not the implementation of the locks themselves; not what class loading works with, where a thread must not be held;
// and not the bins of hash maps, whose locks are nobody's to order.
bool WatchList::gates_locks(std::string_view name, bool from_jdk) {
  constexpr std::string_view kNot[] = {"java/util/concurrent/locks/", "java/util/concurrent/ConcurrentHashMap",
                                       "java/util/zip/", "java/util/jar/", "java/util/ServiceLoader"};
  return !from_jdk || (name.starts_with("java/util/") && !any_prefix(name, kNot));
}

bool looks_like_jdk(std::string_view name) {
  return name.starts_with("java/") || name.starts_with("jdk/") || name.starts_with("sun/") ||
         name.starts_with("com/sun/");
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  // Greedy match with one point to go back to: linear for the patterns people write.
  std::size_t p = 0, n = 0, star = std::string_view::npos, mark = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace deadheat::agent
