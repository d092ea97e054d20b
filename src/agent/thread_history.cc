// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_history.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/shadow_word.h"

namespace deadheat::agent {

namespace {

constexpr std::uint32_t kGrowth = 4;
// Entries of the ring for each of the table of known accesses.
constexpr std::uint32_t kEntriesPerKnown = 4;
constexpr std::uint32_t kMostKnown = 1024;

std::uint32_t known_size(std::uint32_t entries) { return std::clamp(entries / kEntriesPerKnown, 1u, kMostKnown); }

model::SiteId site_of(std::uint64_t word) { return engine::site_of(engine::ShadowWord{word}); }

// Whether two words of one thread are of one place: the later one has the larger epoch. (A thread that has worn out its
// slot has another one.)
bool same_place(std::uint64_t one, std::uint64_t other) {
  return site_of(one) == site_of(other) &&
         engine::slot_of(engine::ShadowWord{one}) == engine::slot_of(engine::ShadowWord{other});
}

template <typename T>
T read(T& shared) {
  return std::atomic_ref<T>(shared).load(std::memory_order_relaxed);
}

}  // namespace

// The entries in the order in which they were written, oldest first.
struct ThreadHistory::Snapshot {
  std::vector<HistoryEntry> entries;
};

ThreadHistory::ThreadHistory(std::uint32_t most) : most_(std::max(most, kFirstSize)) {
  view.owner = this;
  resize(kFirstSize);
}

void ThreadHistory::resize(std::uint32_t size) {
  auto entries = std::unique_ptr<HistoryEntry[]>(new HistoryEntry[size]);  // untouched: pages come as they are used
  if (view.head > 0) std::memcpy(entries.get(), entries_.get(), std::min(view.head, size) * sizeof(HistoryEntry));
  entries_ = std::move(entries);
  known_ = std::make_unique<KnownAccess[]>(known_size(size));
  view.entries = entries_.get();
  view.known = known_.get();
  view.known_mask = known_size(size) - 1;
  view.limit = size;
}

void ThreadHistory::append(std::uint64_t word, std::uint32_t context) {
  const auto put = [this](const HistoryEntry& entry) {
    view.entries[view.head] = entry;
    std::atomic_ref<std::uint32_t>(view.head).store(view.head + 1, std::memory_order_release);
    if (view.head == view.limit) make_room(true);
  };
  const auto known = [this, word]() -> KnownAccess& { return view.known[word & view.known_mask]; };

  view.locks_now = locks_digest(view);
  const KnownAccess& last = known();
  if (same_place(last.word, word) && last.word <= word && last.context == context && last.locks == view.locks_now &&
      view.head - last.position < view.limit / 2) {
    known().word = word;
    return;
  }
  if (view.locks_now != view.locks_written) {
    const std::uint32_t count = std::min(view.depth, kMostHeldLocks);
    if (view.head + count + 2 >= view.limit) make_room(true);
    view.locks_written = view.locks_now;
    put({0, 0, kLocksTag + count});
    for (std::uint32_t i = 0; i < count; ++i) put({view.held[i], 0, kLockTag});
  }
  KnownAccess& place = known();
  const bool again = place.word == word || site_of(place.word) != site_of(word);
  place = {word, context, view.head, view.locks_now, place.asked};
  put({word, context, again ? kAgainTag : kAccessTag});
}

std::size_t ThreadHistory::make_room(bool may_grow) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::size_t before = view.limit;
  if (may_grow && view.limit < most_) {
    resize(std::min(view.limit * kGrowth, most_));
    lap_end_ = 0;
  } else {
    ++laps_;
    lap_end_ = view.head;
    std::atomic_ref<std::uint32_t>(view.head).store(0, std::memory_order_release);
    std::fill_n(known_.get(), view.known_mask + 1, KnownAccess{});
    view.locks_written = kNoLocksDigest;  // each lap begins with the locks held
  }
  return (view.limit - before) * sizeof(HistoryEntry);
}

ThreadHistory::Snapshot ThreadHistory::snapshot() const {
  Snapshot result;
  auto& shared = const_cast<HistoryView&>(view);
  const std::uint32_t head = std::atomic_ref<std::uint32_t>(shared.head).load(std::memory_order_acquire);
  std::vector<HistoryEntry> all(std::max(lap_end_, head));
  for (std::size_t i = 0; i < all.size(); ++i) {
    HistoryEntry& entry = view.entries[i];
    all[i] = {read(entry.word), read(entry.context), read(entry.tag)};
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  if (lap_end_ > head) {
    // What the thread has overwritten meanwhile, and the entry it may be writing now, is not of the lap before.
    const std::uint32_t now = read(shared.head);
    for (std::size_t i = std::size_t{now} + 1; i < lap_end_; ++i) result.entries.push_back(all[i]);
  }
  result.entries.insert(result.entries.end(), all.begin(), all.begin() + head);
  return result;
}

// Entries of a place are in the order of their epochs. Those of the epoch asked for, the youngest first, down to the
// one that was the first of its epoch; below it the one that still held when the epoch began.
std::optional<PastAccess> ThreadHistory::find(std::uint64_t word) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::vector<HistoryEntry> entries = snapshot().entries;
  std::optional<PastAccess> found;
  std::vector<std::uint32_t> contexts;
  std::size_t at = 0;
  for (std::size_t i = entries.size(); i-- > 0;) {
    const HistoryEntry& entry = entries[i];
    if (entry.tag > kAgainTag || !same_place(entry.word, word) || entry.word > word) continue;
    if (!found) {
      found = PastAccess{entry.context, 0, std::nullopt};
      at = i;
    }
    if (std::find(contexts.begin(), contexts.end(), entry.context) == contexts.end()) contexts.push_back(entry.context);
    if (entry.word < word || entry.tag == kAccessTag) break;
  }
  if (!found) return found;
  found->contexts = static_cast<std::uint32_t>(contexts.size());
  while (at > 0 && entries[at].tag < kLocksTag) --at;
  if (entries[at].tag >= kLocksTag) {
    found->locks.emplace();
    for (std::uint32_t i = 1; i <= entries[at].tag - kLocksTag; ++i) found->locks->push_back(entries[at + i].word);
  } else if (laps_ == 0) {
    found->locks.emplace();  // none since the thread began
  }
  return found;
}

bool ThreadHistory::overwritten() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return laps_ > 0;
}

std::vector<std::uint64_t> ThreadHistory::held() const {
  return {view.held, view.held + std::min(view.depth, kMostHeldLocks)};
}

void ThreadHistory::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (laps_ == 0) resize(std::max(view.head, 1u));
  known_.reset();
  view.known = nullptr;
}

std::size_t ThreadHistory::bytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sizeof *this + view.limit * sizeof(HistoryEntry);
}

}  // namespace deadheat::agent
