// SPDX-License-Identifier: Apache-2.0
//
// Accesses of memory in a trace. Nearly all are plain ones that their threads made ahead, and nearly all of a run's
// events are these: put_ahead has what such an access takes and no more. Everything else is an operation, as it would
// be if the scheduler had been asked.
#include "agent/trace_recorder.h"

namespace deadheat::agent {

using model::EventKind;
using schedule::OperationKind;
using schedule::Passage;
using schedule::ThreadIndex;

namespace {

constexpr std::uint64_t kLowHalf = 0xffffffff;

bool is_freeze(const schedule::Operation& op) {
  return (op.object & kLowHalf) == kFreezeOf && op.object < kOutsideHeapKey &&
         (op.kind == OperationKind::kVolatileRead || op.kind == OperationKind::kVolatileWrite);
}

trace::AccessKey key_of(std::uint64_t object) {
  return {static_cast<std::uint32_t>(object >> 32), static_cast<std::uint32_t>(object)};
}

}  // namespace

schedule::AccessCounts TraceRecorder::on_accesses(const schedule::World& world, ThreadIndex index,
                                                  std::span<const AheadBuffer::Entry> entries) {
  schedule::AccessCounts counts;
  const bool records = !file_.is_closed();
  Thread& thread = thread_of(world, index);
  if (records && !thread.in_lock_call && !entries.empty()) mark_unscheduled(thread, world.is_unscheduled(index));
  for (const AheadBuffer::Entry& entry : entries) {
    const SiteFacts facts = facts_of(entry.site);
    counts.add(facts.is_silent);
    if (!records || put_ahead(thread, entry, facts)) continue;
    on_access(world, thread,
              {.kind = entry.kind(), .object = entry.object, .extent = entry.extent(), .cookie = entry.site});
  }
  if (records) look_at_clock(entries.size());
  return counts;
}

// False: there is more to it.
bool TraceRecorder::put_ahead(const Thread& thread, const AheadBuffer::Entry& entry, const SiteFacts& facts) {
  if (sink_ != nullptr) return false;
  const OperationKind kind = entry.kind();
  const trace::AccessKey variable = key_of(entry.object);
  if (kind != OperationKind::kRead && kind != OperationKind::kWrite) {
    if (kind != OperationKind::kVolatileRead || variable.part != kFreezeOf || thread.in_lock_call) return false;
    const SettledFreeze& settled = settled_freeze(variable.object);
    return settled.object == variable.object && settled.thread == thread.index && variable.object != 0;
  }
  if (variable.object == 0 && !facts.is_static) return false;
  const trace::Access access{thread.id, model::SiteId{facts.id}, variable, kind == OperationKind::kWrite,
                             !facts.has_field};
  if (facts.has_field) {
    // Named, and not accessed by calls.
    if (variable.part >= field_facts_.size() || field_facts_[variable.part] != kNamed || entry.extent() != 1)
      return false;
  } else if (entry.extent() != 1) {
    variables_.add_range(variable, entry.extent());
    writer_.add_range(access, entry.extent());
    return true;
  }
  if (!writer_.add(access)) variables_.add(variable);
  return true;
}

void TraceRecorder::on_access(const schedule::World& world, Thread& thread, const schedule::Operation& op) {
  if (leave_out(thread, op, Passage::kGranted)) return;
  world_ = &world;
  cookie_ = op.cookie;
  put_access(thread, site_of(op.cookie), op);
}

void TraceRecorder::put_access(const Thread& thread, model::SiteId site, const schedule::Operation& op) {
  if (is_freeze(op)) return put_freeze(thread, op);
  switch (op.kind) {
    case OperationKind::kVolatileRead:
      note_call(op);
      if (!is_join(thread, site, op)) put(EventKind::kVolatileRead, thread, site, volatile_location(op));
      return;
    case OperationKind::kVolatileWrite: {
      note_call(op);
      // A write of one field must not stand between a write and a read of another: an update hands on what it finds.
      const EventKind kind = is_some_field(op) ? EventKind::kVolatileUpdate : EventKind::kVolatileWrite;
      return put(kind, thread, site, volatile_location(op));
    }
    case OperationKind::kVolatileUpdate:
      note_call(op);
      return put(EventKind::kVolatileUpdate, thread, site, volatile_location(op));
    default:
      return put_plain(thread, site, op);
  }
}

void TraceRecorder::put_plain(const Thread& thread, model::SiteId site, const schedule::Operation& op) {
  const SiteFacts facts = facts_of(op.cookie);
  if (op.object >> 32 == 0 && !facts.is_static) {
    ++unnamed_;
    return;
  }
  const bool writes = op.kind == OperationKind::kWrite;
  for (std::uint32_t i = 0; i < op.extent; ++i) {
    const trace::AccessKey variable = key_of(op.object + i);
    if (facts.has_field && (field_facts(variable.part) & kNamed) == 0) {
      const FieldName& label = label_of(variable.part, op.cookie);
      writer_.name_field(variable.part, label.owner + "." + label.name);
      field_facts(variable.part) |= kNamed;
    }
    variables_.add(variable);
    writer_.add(trace::Access{thread.id, site, variable, writes, !facts.has_field});
    // To the sink a variable is what its key is.
    if (sink_ != nullptr) tell_sink(writes ? EventKind::kWrite : EventKind::kRead, thread, site, op.object + i);
  }
  look_at_clock(op.extent);
  put_value(thread, op);
}

std::uint8_t& TraceRecorder::field_facts(std::uint64_t field) {
  if (field >= field_facts_.size()) field_facts_.resize(field + 1);
  return field_facts_[field];
}

// A field that is accessed atomically by calls and plainly by instructions is a variable and a location. What a
// compare-and-set finds may have been written plainly, so such a write is one of the location too, in plain mode: it
// orders nothing, but says whose value it is.
void TraceRecorder::put_value(const Thread& thread, const schedule::Operation& op) {
  if (!facts_of(op.cookie).has_field || (field_facts(op.object & kLowHalf) & kCalled) == 0) return;
  const EventKind kind = op.kind == OperationKind::kWrite ? EventKind::kVolatileWrite : EventKind::kVolatileRead;
  writer_.add({kind, model::AccessMode::kPlain, thread.id, model::SiteId{}, volatile_location(op), {}});
}

void TraceRecorder::note_call(const schedule::Operation& op) {
  const std::uint64_t field = op.object & kLowHalf;
  const bool is_field = op.object < kOutsideHeapKey && field < kFreezeOf;
  if (is_field && op.cookie != 0 && !facts_of(op.cookie).has_field) field_facts(field) |= kCalled;
}

// Whoever reads a final field finds what the constructor had done behind it, however the object got there (JLS 17.5): a
// location that the end of the constructor writes. Every other order of the run has the two in this order, since
// without the object there is nothing to read. Read once by each thread, as a rule, and not by the one that made it.
void TraceRecorder::put_freeze(const Thread& thread, const schedule::Operation& op) {
  if (op.object >> 32 == 0) {
    ++unnamed_;
    return;
  }
  std::uint64_t& place = freeze_of_[op.object];
  if (place == 0) {
    freezes_.emplace_back();
    place = freezes_.size();
  }
  Freeze& freeze = freezes_[place - 1];
  const auto object = static_cast<std::uint32_t>(op.object >> 32);
  if (op.kind == OperationKind::kVolatileWrite) {
    if (settled_freeze(object).object == object) settled_freeze(object) = {};
    if (freeze.location == 0) freeze.location = names_.syncs.add_untold("freeze@" + std::to_string(object));
    const bool again = freeze.maker != schedule::kNoThread;
    freeze.maker = thread.index;
    freeze.reader = schedule::kNoThread;
    return put(again ? EventKind::kVolatileUpdate : EventKind::kVolatileWrite, thread, {}, freeze.location);
  }
  // Whatever this read has to say, another one by this thread has nothing, until somebody else reads or freezes.
  settled_freeze(object) = {object, thread.index};
  // Made before the run was recorded, or not yet made: the constructor has let it out.
  if (freeze.location == 0 || freeze.maker == thread.index || freeze.reader == thread.index) return;
  freeze.reader = thread.index;
  put(EventKind::kVolatileRead, thread, {}, freeze.location);
}

// isAlive() and join() read a field of the Thread object that the VM clears when the thread ends; getState() reads one
// that it sets.
bool TraceRecorder::is_join(const Thread& thread, model::SiteId site, const schedule::Operation& op) {
  const FieldUse* field = op.cookie == 0 ? nullptr : sites_.at(op.cookie).field;
  if (field == nullptr || (field->name != "eetop" && field->name != "threadStatus")) return false;
  ThreadIndex index = schedule::kNoThread;
  {
    const std::lock_guard<std::mutex> lock(thread_objects_mutex_);
    const auto found = thread_objects_.find(op.object >> 32);
    if (found == thread_objects_.end()) return false;
    index = found->second;
  }
  if (to_number(index) >= threads_.size()) return false;  // it has not begun
  const Thread& other = threads_[to_number(index)];
  if (!other.ended || other.id == thread.id) return false;
  put(EventKind::kJoin, thread, site, to_number(other.id));
  return true;
}

}  // namespace deadheat::agent
