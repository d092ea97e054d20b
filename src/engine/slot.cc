// SPDX-License-Identifier: Apache-2.0
#include "engine/slot.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace deadheat::engine {
namespace {

// Most columns of most joins are no news; a block of them is passed over with a few vector compares.
constexpr std::uint32_t kBlock = 16;

bool any_greater(const std::uint32_t* a, const std::uint32_t* b) {
  std::uint32_t greater = 0;
  for (std::uint32_t i = 0; i < kBlock; ++i) greater |= a[i] > b[i] ? 1 : 0;
  return greater != 0;
}

}  // namespace

Slot::Slot(SlotId id, std::uint32_t length)
    : id_(id),
      memory_(3, length),
      vc_(memory_.array(0)),
      stamps_(memory_.array(1)),
      width_(static_cast<std::uint32_t>(id) + 1) {}

bool Slot::join(ClockView other, std::uint32_t now, std::uint32_t history_cap) {
  const std::lock_guard lock(mutex_);
  return join_locked(other, now, history_cap);
}

bool Slot::join_locked(ClockView other, std::uint32_t now, std::uint32_t history_cap) {
  bool grew = false;
  for (std::uint32_t from = 0; from < other.width; from += kBlock) {
    const std::uint32_t to = std::min(from + kBlock, other.width);
    if (to - from == kBlock && !any_greater(other.columns + from, vc_ + from)) continue;
    for (std::uint32_t i = from; i < to; ++i) {
      if (other.columns[i] > vc_[i] && i != static_cast<std::uint32_t>(id_)) {
        raise(i, other.columns[i], now);
        grew = true;
      }
    }
  }
  if (grew) width_ = std::max(width_, other.width);
  if (grew && log_.size() > history_cap) trim(now, history_cap);
  return grew;
}

void Slot::raise(std::uint32_t column, std::uint32_t value, std::uint32_t now) {
  // Undoing a clock undoes all of its joins, so only the value before the first of them matters.
  if (id_ != SlotId{} && stamps_[column] != now) {
    stamps_[column] = now;
    log_.push_back({now, column, vc_[column]});
  }
  vc_[column] = value;
}

// Drops the older half. Entries of the current clock stay: it has not been released, so "the oldest known state" must
// not be inside it (whoever got it would skip what this clock has yet to join). States older than the newest clock
// dropped are no longer told apart, so a clock may lose some of its entries and keep others.
void Slot::trim(std::uint32_t now, std::uint32_t history_cap) {
  std::size_t drop = log_.size() - history_cap / 2;
  while (drop > 0 && log_[drop - 1].clock == now) --drop;
  if (drop == 0) return;
  known_from_ = log_[drop - 1].clock;
  log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(drop));
}

std::uint32_t Slot::state_at(std::uint32_t clock, std::uint32_t* out, bool& approximate) {
  const std::lock_guard lock(mutex_);
  // A later state is given whole, own column included: a clock is closed (it holds what those it names held), and a mix
  // of two moments would not be.
  approximate = clock < known_from_;
  if (approximate) clock = known_from_;
  const auto own = static_cast<std::uint32_t>(id_);
  std::memcpy(out, vc_, own * sizeof(*out));
  std::memcpy(out + own + 1, vc_ + own + 1, (width_ - own - 1) * sizeof(*out));
  for (auto change = log_.rbegin(); change != log_.rend() && change->clock > clock; ++change) {
    out[change->column] = change->old_value;
  }
  out[own] = clock;
  return width_;
}

void Slot::take_over(Slot& from, std::uint32_t now, std::uint32_t history_cap) {
  const std::scoped_lock lock(mutex_, from.mutex_);
  const auto own = static_cast<std::uint32_t>(id_);
  // Joining makes our array equal to the thread's, so it can stay behind as the copy; only the own column is not
  // joined, and must say what the thread knew of this slot, not what is to come.
  join_locked({from.vc_, from.width_}, now, history_cap);
  vc_[own] = from.vc_[own];
  width_ = std::max(width_, from.width_);
  from.width_ = width_;
  std::swap(vc_, from.vc_);
  vc_[own] = now;
}

void Slot::lower(std::uint32_t* minimum, std::uint32_t length) {
  const std::lock_guard lock(mutex_);
  const auto own = static_cast<std::uint32_t>(id_);
  for (std::uint32_t i = 1; i < length; ++i) {
    if (i != own) minimum[i] = std::min(minimum[i], i < width_ ? vc_[i] : 0);
  }
}

void Slot::reset() {
  const std::lock_guard lock(mutex_);
  std::memset(vc_, 0, width_ * sizeof(*vc_));
  width_ = 1;
}

std::size_t Slot::history_size() {
  const std::lock_guard lock(mutex_);
  return log_.size();
}

}  // namespace deadheat::engine
