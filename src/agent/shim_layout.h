// SPDX-License-Identifier: Apache-2.0
//
// The numbers that the shim (src/java) and the agent must agree on, beyond those of the engine's words.
// generate_layout.cc turns them into DeadheatLayout.java at build time; nothing is written twice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace deadheat::agent {

// DeadheatVm.setting(which).
enum class Setting : std::int32_t {
  kFastPath,
  kAlwaysHit,
  kCollectionsAddress,
  kInitWordsAddress,
  kLongArrayBase,
  kReferenceArrayBase,
  kLocksets,
  kByteArrayBase,
  kHistory,
  kWaysAddress,
  kHuntPlacesAddress,
  kHuntEscortAddress,
  kHuntGate,
  kHasWords,
  kRecords,
  kArrayWords,
  kUnhashedMask,
  kUnhashed,
  kHashShift,
  kMostHash,
};

// What the low bits of a shadow word tell: below this the number of a site, from here on that of a way to one
// (way_table.h), from engine::kFirstAtomicSite on that of an atomic site.
inline constexpr std::uint32_t kFirstWay = 1u << 20;

// How many requests to skip at each place (DeadheatHunt.java); sites beyond share.
inline constexpr std::size_t kHuntPlaces = 1u << 16;

// Set in the field $dh$gate of a thread while the scheduler's gate holds it in a real wait, and while it starts agents:
// what the thread runs there is not the program's. Records are aligned, so the bit is free.
inline constexpr int kGateHeld = 1;

// What an access that does not go through a field or array instruction does: the bits that hooks at calls are given
// (DeadheatOffsets.java). Above them the binary logarithm of its size in bytes.
inline constexpr std::int32_t kModeReads = 1;
inline constexpr std::int32_t kModeWrites = 2;  // with kModeReads: an atomic update
inline constexpr std::int32_t kModePlain = 4;   // else atomic
inline constexpr std::int32_t kModeAcquires = 8;
inline constexpr std::int32_t kModeReleases = 16;
inline constexpr std::int32_t kModeCompares = 32;  // an update that may fail; whether it has is not known beforehand
inline constexpr int kModeSizeShift = 8;

// In the number of a site that the hook of an atomic access is given: threads are to meet there, so it matters which
// variable it is.
inline constexpr std::int32_t kWantedSite = 1 << 30;

// What onRead and onWrite return in place of a word (it is none: engine::kNoReadSet) when they have found a race that
// was not seen before: the shim comes back with the object, so that no other access pays for a handle of it.
inline constexpr std::int64_t kNewRace = -1;

// What a site's entry says of its variable, in the low bits.
enum class WhereKind : std::int64_t {
  kUnresolved = 0,
  kPlain = 1,
  kVolatile = 2,
  kNone = 3,    // not watched, or final
  kFrozen = 4,  // a final field that leads to other objects: the word of its owner's freeze (engine/frozen.h)
  // A final field that others may read before the freeze (classfile/open_finals.h): kPlain until then, and afterwards
  // kNone or, if it leads to other objects, kFrozen.
  kOpen = 5,
  kOpenFrozen = 6,
};
inline constexpr std::int64_t kWhereKindMask = 7;
constexpr bool is_open(WhereKind kind) { return kind == WhereKind::kOpen || kind == WhereKind::kOpenFrozen; }
// Whether accesses of an instance field of this kind have words.
constexpr bool has_access_words(WhereKind kind) { return kind == WhereKind::kPlain || is_open(kind); }
// Among the offsets of an object's words (FieldResolver::words_in), in the place of a read word: this is a freeze word.
inline constexpr int kFreezeWord = -2;

// Instance fields: three offsets above the kind (last write, sync word or freeze; last read; what is known of the array
// in the field, 0 if nothing is kept, or the freeze of an open field); a volatile field whose sync word is not in the
// object has 0 and its own offset.
// Static fields: the address of a StaticRecord with the kind in its low bits.
inline constexpr int kWriteOffsetShift = 3;
inline constexpr int kReadOffsetShift = 23;
inline constexpr int kHeldOffsetShift = 43;
inline constexpr std::int64_t kOffsetMask = (1 << 20) - 1;
// Under the controlled scheduler there are no words: above the kind is FieldInfo::number, and in a recorded run, in the
// place of the third offset, where the object has its own number.
inline constexpr int kFieldShift = 3;

// The words of one static field. Written by the shim with plain and CAS stores.
struct StaticRecord {
  std::uint64_t write = 0;
  std::uint64_t read = 0;
  std::uint64_t* init = nullptr;  // the init word of the class
  std::uint64_t unused = 0;
};
static_assert(sizeof(StaticRecord) == 32);

// The init word that stands for all initialisers that have thrown. 0 is nobody's.
inline constexpr std::uint32_t kFailedInit = 1;
// Beside them, ClassInfo::finalizable of all hidden classes, which nobody can look up: never 0. Those of classes
// follow.
inline constexpr std::uint32_t kHiddenFinalizable = 2;

// An init word is a sync word (engine/sync_word.h), or, while the initialiser runs, what no sync word looks like:
// kInitUnderWay above the address of the ThreadState of the thread that runs it.
inline constexpr int kInitShift = 60;
inline constexpr std::uint32_t kInitUnderWay = 4;
constexpr bool is_under_way(std::uint64_t init_word) { return init_word >> kInitShift == kInitUnderWay; }
// Or, while no initialiser of the class itself has begun or when it has none: whose it inherits, because a class is
// initialised after its superclass. kInitInherits above the number of the class (ClassInfo::id) as long as nobody has
// looked; then kInitAlias above the number of the superclass's init word, or 0.
inline constexpr std::uint32_t kInitInherits = 5;
inline constexpr std::uint32_t kInitAlias = 6;
constexpr std::uint64_t init_word_of(std::uint32_t kind, std::uint32_t number) {
  return std::uint64_t{kind} << kInitShift | number;
}

// A thread's small table of read sets (by the low bits of their word) that hold its current epoch: reads of data that
// several threads read end here. Kept by the shim.
struct KnownSet {
  std::uint64_t word = 0;
  std::uint64_t epoch = 0;
};
inline constexpr std::size_t kKnownSets = 256;
static_assert(sizeof(KnownSet) == 16);

// What is behind a VarHandle or MethodHandle: DeadheatHandles…describe(handle, long[] shape).
enum class HandleKind : std::int32_t {
  kUnknown,
  kInstanceField,
  kStaticField,
  kArrayElement,
  kByteArrayView,
  kBufferView,
  kBoundHandle,  // a VarHandle bound into a method handle
};
enum class HandlePart : std::int32_t {
  kKind,
  kOffset,  // of the field, of the first element, or of the bound VarHandle in the method handle
  kScale,   // kArrayElement: log2 of an element's size. kStaticField of a method handle: where it keeps the base
  kSize,    // views: log2 of the access's size
  kMode,    // method handles: what invoking it does
  kGuard,   // where the VarHandle keeps the class of its objects, or that of the elements of its arrays; 0: nowhere
  kCount
};

// Deadheat…resolveVariable(…, long[] answer).
enum class VariablePart : std::int32_t { kWhere, kPlainSite, kAtomicSite, kCount };

// Under the controlled scheduler: the ids of threads that managed threads make begin with the one, those of all others
// from then on with the other (thread_ids.h).
inline constexpr std::int64_t kFirstThreadId = 1000;
inline constexpr std::int64_t kOtherThreadIds = 1'000'000'000;

// Fields from this offset on have no entry in a class's map of sync words; where theirs are is in a list.
inline constexpr std::int32_t kMaxMappedOffset = 1024;

}  // namespace deadheat::agent
