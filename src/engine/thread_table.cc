// SPDX-License-Identifier: Apache-2.0
#include "engine/thread_table.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "engine/engine_parts.h"
#include "engine/sync.h"

namespace deadheat::engine {
namespace {

constexpr std::uint32_t kMinHistory = 64;  // a thread's share when history_total is spread thin
constexpr std::size_t kMaxTenants = 256;

}  // namespace

ThreadTable::ThreadTable(const EngineOptions& options, EngineParts* parts)
    : max_slots_(std::min(options.max_slots, kMaxSlot)),
      length_(max_slots_ + 1),
      history_per_thread_(options.history_per_thread),
      history_total_(options.history_total),
      first_clock_(std::clamp(options.first_clock_for_testing, 1u, kMaxClock)),
      read_set_moves_(std::bit_ceil(options.read_set_moves)),
      parts_(parts),
      slots_(new std::atomic<Slot*>[length_]()),
      final_clock_(1, kLive),
      tenants_(1),
      scratch_(1, length_) {}

std::uint32_t ThreadTable::history_cap() const {
  const std::uint32_t slots = std::max(slots_used_.load(std::memory_order_relaxed), 1u);
  return std::min(history_per_thread_, std::max(history_total_ / slots, kMinHistory));
}

// The clock the start word stands for, in scratch_. The word is consumed: nobody else will acquire it.
ClockView ThreadTable::recover(SyncWord start, bool& approximate) {
  std::uint32_t* const out = scratch_.array(0);
  if (start == kNeverReleased) return {out, 0};
  std::uint32_t width = 0;
  if (is_inflated(start)) {
    parts_->joined_clocks.copy(start, out, width);
    parts_->joined_clocks.free(start);
  } else {
    width = slot(slot_of(epoch_of(start))).state_at(clock_of(epoch_of(start)), out, approximate);
  }
  return {out, width};
}

std::uint32_t ThreadTable::find_covered(ClockView clock) {
  // kLive is above every clock. Columns beyond the view's width are 0, which covers a final clock of 0 only.
  const auto used = static_cast<std::uint32_t>(final_clock_.size());
  for (std::uint32_t i = 1; i < used; ++i) {
    if (final_clock_[i] <= (i < clock.width ? clock.columns[i] : 0)) return i;
  }
  return 0;
}

std::uint32_t ThreadTable::make_slot() {
  const auto number = static_cast<std::uint32_t>(final_clock_.size());
  if (number > max_slots_) return 0;
  owned_slots_.push_back(std::make_unique<Slot>(SlotId{static_cast<std::uint16_t>(number)}, length_));
  slots_[number].store(owned_slots_.back().get(), std::memory_order_release);
  slots_used_.store(number, std::memory_order_relaxed);
  final_clock_.push_back(first_clock_ - 1);
  tenants_.emplace_back();
  return number;
}

std::uint32_t ThreadTable::find_ended() {
  const auto ended =
      std::find_if(final_clock_.begin() + 1, final_clock_.end(), [](std::uint32_t c) { return c != kLive; });
  return ended == final_clock_.end() ? 0 : static_cast<std::uint32_t>(ended - final_clock_.begin());
}

Slot* ThreadTable::spare_slot() {
  if (spare_slots_.empty()) {
    owned_slots_.push_back(std::make_unique<Slot>(SlotId{}, length_));
    return owned_slots_.back().get();
  }
  Slot* const spare = spare_slots_.back();
  spare_slots_.pop_back();
  return spare;
}

void ThreadTable::enter(ThreadState& ts, std::uint32_t number) {
  ts.watched = number != 0;
  ts.slot_id = SlotId{static_cast<std::uint16_t>(number)};
  ts.last_shared_ok = kNoReadSet;
  if (!ts.watched) {
    ++totals_.unwatched_threads;
    ts.slot = spare_slot();
    ts.clock = 0;
    ts.epoch = ts.read_epoch = kNoEpoch;
    return;
  }
  ts.slot = slots_[number].load(std::memory_order_relaxed);
  ts.clock = final_clock_[number] + 1;
  ts.epoch = ts.read_epoch = make_epoch(ts.slot_id, ts.clock);
  ts.first_clock = ts.clock;
  final_clock_[number] = kLive;
  std::vector<Tenant>& tenants = tenants_[number];
  if (tenants.size() >= kMaxTenants) tenants.erase(tenants.begin(), tenants.begin() + kMaxTenants / 2);
  tenants.push_back({ts.clock, ts.id});
}

ThreadState* ThreadTable::begin(SyncWord start, model::ThreadId id) {
  auto state = std::make_unique<ThreadState>();
  ThreadState* const ts = state.get();
  ts->parts = parts_;
  ts->id = id;
  ts->read_sets.size = read_set_moves_;
  if (parts_->candidates != nullptr) ts->candidate = std::make_unique<CandidateThread>();

  const std::lock_guard lock(mutex_);
  bool approximate = false;
  const ClockView clock = recover(start, approximate);
  std::uint32_t number = find_covered(clock);
  if (number != 0) {
    ++totals_.slots_recycled;
  } else if ((number = make_slot()) == 0 && (number = find_ended()) != 0) {
    ++totals_.approximate_starts;
  }
  enter(*ts, number);
  ts->vc = ts->slot->vc();
  ts->slot->join(clock, ts->clock, history_cap());
  if (ts->watched) ts->slot->vc()[number] = ts->clock;
  if (approximate) ts->counts.add(Rule::kApproximateAcquire);

  live_.push_back(std::move(state));
  ++totals_.threads_begun;
  totals_.threads_live_peak = std::max<std::uint64_t>(totals_.threads_live_peak, live_.size());
  return ts;
}

SyncWord ThreadTable::end(ThreadState* ts) {
  parts_->read_sets.settle_all(*ts);
  SyncWord last;
  std::uint32_t final_clock = kLive;
  if (ts->watched && ts->dirty && ts->clock == kMaxClock) {
    last = make_sync_word(ts->epoch);  // no next clock to move on to, and no need of one
  } else {
    last = release(*ts);
    if (ts->watched) final_clock = ts->clock - 1;
  }

  const std::lock_guard lock(mutex_);
  if (ts->watched) {
    final_clock_[static_cast<std::uint32_t>(ts->slot_id)] = final_clock;
    if (final_clock == kLive) ++totals_.slots_exhausted;
  } else {
    ts->slot->reset();
    spare_slots_.push_back(ts->slot);
  }
  ts->counts.add_to(totals_.rules);
  std::erase_if(live_, [ts](const std::unique_ptr<ThreadState>& state) { return state.get() == ts; });
  return last;
}

void ThreadTable::move_to_next_slot(ThreadState& ts) {
  const std::lock_guard lock(mutex_);
  ++totals_.slots_exhausted;  // the old slot stays kLive: its clocks are used up, its past may still be acquired
  Slot& old_slot = *ts.slot;
  std::uint32_t number = find_covered({ts.vc, old_slot.width()});
  if (number == 0) number = make_slot();
  enter(ts, number);
  ts.slot->take_over(old_slot, ts.clock, history_cap());
  DH_CHECK(ts.slot->vc() == ts.vc);
  // The slot's clock has grown since its last release; the next one must say so, or a thread that recycles the slot
  // would start with more than it covers.
  ts.dirty = true;
}

void ThreadTable::known_to_all(std::uint32_t* minimum) {
  const std::lock_guard lock(mutex_);
  std::fill(minimum, minimum + length_, kMaxClock);
  for (const std::unique_ptr<ThreadState>& ts : live_) ts->slot->lower(minimum, length_);
}

model::ThreadId ThreadTable::thread_at(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t number = slot_of(epoch);
  if (number >= tenants_.size()) return {};
  model::ThreadId id{};
  for (const Tenant& tenant : tenants_[number]) {
    if (tenant.first_clock <= clock_of(epoch)) id = tenant.id;
  }
  return id;
}

void ThreadTable::add_to(EngineStats& stats) {
  const std::lock_guard lock(mutex_);
  stats = totals_;
  stats.threads_live = live_.size();
  stats.slots_used = slots_used_.load(std::memory_order_relaxed);
  for (const std::unique_ptr<ThreadState>& ts : live_) ts->counts.add_to(stats.rules);
  for (const std::unique_ptr<Slot>& slot : owned_slots_) stats.history_entries += slot->history_size();
}

}  // namespace deadheat::engine
