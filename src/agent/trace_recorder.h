// SPDX-License-Identifier: Apache-2.0
//
// Turns the operations of a scheduled run into the events of a binary trace (trace/binary_writer.h), in the file
// `trace` beside the records. Under the scheduler one thread runs at a time and every operation is told before it
// happens, so the order of the events is the real one for every two of them.
//
// on_operation is called under the scheduler's lock; start before and finish after the scheduled run; add_thread by
// anybody.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/ahead_buffer.h"
#include "agent/class_table.h"
#include "agent/gate_view.h"
#include "agent/region_mark.h"
#include "agent/run_log.h"
#include "agent/site_table.h"
#include "agent/trace_file.h"
#include "agent/variable_tally.h"
#include "base/number_map.h"
#include "schedule/scheduler.h"
#include "schedule/world.h"
#include "trace/binary_writer.h"

namespace deadheat::agent {

// Somebody who wants to know each event as it comes.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // site: the stable number. object: as in the trace. soft: in the JDK, which may do more or less than another time.
  virtual void on_event(const schedule::World& world, schedule::ThreadIndex thread, model::EventKind kind,
                        model::SiteId site, std::uint64_t object, bool soft) = 0;
};

// What a method of one of the JDK's locks means (lock_calls.h).
enum class LockEvent : std::uint8_t {
  kEnters,  // such a method
  kLeaves,
  kAcquired,  // the thread has become the owner; again, if it was
  kReleasing,
  kSharedAcquired,  // it holds the read side; again, if it did
  kSharedReleasing,
  kTried,    // has tried to become the owner
  kLooked,   // it saw what others do with the lock, or did not get it
  kAwaits,   // is about to wait for a condition
  kAwaited,  // does so no more
  kSignals,  // wakes who waits for it, if anybody does
  // Of a StampedLock (stamped_lock.h). Each hold counts, and another thread may give it up.
  kWriteStamped,
  kReadStamped,
  kWriteValid,  // by an optimistic stamp
  kReadValid,
  kWriteGone,
  kReadGone,
  kUpgraded,    // the only reader writes now
  kDowngraded,  // the writer reads now
  kSeesVersion,
};

class TraceRecorder {
 public:
  // sink: may be null. It is not told of what happens in class loading and the like (World::is_unscheduled).
  TraceRecorder(const SiteTable& sites, const ClassTable& classes, RunLog& log, EventSink* sink = nullptr)
      : sites_(sites), classes_(classes), log_(log), sink_(sink), file_(log), writer_(names_, file_) {}
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  Status start();
  // thread_object: the key of the Thread object of a thread that has been added.
  void add_thread(schedule::ThreadIndex thread, std::uint64_t thread_object);
  // cookie: the number of the site.
  void on_operation(const schedule::World& world, schedule::ThreadIndex thread, const schedule::Operation& op,
                    schedule::Passage passage);
  // The same for accesses that the thread has made ahead (Scheduler::catch_up), for which the scheduler is told what
  // comes of it.
  schedule::AccessCounts on_accesses(const schedule::World& world, schedule::ThreadIndex thread,
                                     std::span<const AheadBuffer::Entry> entries);
  // Atomic regions and methods that the thread entered and left before the operation that comes next.
  void on_regions(const schedule::World& world, schedule::ThreadIndex thread, std::span<const RegionMark> marks);
  // Between kEnters and kLeaves the thread's own atomic accesses and parking are left out. `site`: the number of the
  // site. `condition`: the key of kAwaits and kSignals.
  void on_lock(const schedule::World& world, schedule::ThreadIndex thread, LockEvent event, std::uint64_t lock,
               std::uint32_t site, std::uint64_t condition);
  // Nothing follows. Once.
  void finish();

 private:
  struct Thread {
    model::ThreadId id{};
    std::uint64_t permit = 0;
    std::uint64_t interrupt = 0;
    std::uint64_t waits_on = 0;  // a monitor; 0: does not wait
    schedule::ThreadIndex index{};
    bool apart = false;  // the trace says that it is in unscheduled code
    bool ended = false;
    std::vector<std::uint64_t> regions;  // those it is in
    std::vector<std::uint64_t> methods;  // likewise
    // Of the JDK's locks (trace_recorder_locks.cc).
    bool in_lock_call = false;
    bool uses_locks = false;
    std::uint64_t past = 0;                                // a location: see order_after
    std::uint64_t condition = 0;                           // that it waits for
    schedule::ThreadIndex unparker = schedule::kNoThread;  // who gave it a permit from within such a lock
  };
  struct JdkLock {
    std::uint64_t name = 0;
    std::uint64_t order = 0;  // a location, as soon as its sections must keep their order
    schedule::ThreadIndex owner = schedule::kNoThread;
    std::vector<schedule::ThreadIndex> readers;  // of a StampedLock: once for each hold
    std::vector<schedule::ThreadIndex> users;    // all threads that have held it
    std::uint64_t version = 0;                   // of a StampedLock: a location
    bool handed_on = false;                      // a StampedLock that was given up by another thread than took it
  };
  // Of a thread group that counts under its monitor (thread_groups.h).
  struct ThreadCounts {
    std::vector<std::uint64_t> written;                              // locations, as they were written
    std::unordered_map<schedule::ThreadIndex, std::ptrdiff_t> seen;  // how many of them, by who has asked
  };

  // Of the final fields of one object.
  struct Freeze {
    std::uint64_t location = 0;
    schedule::ThreadIndex maker = schedule::kNoThread;   // the last thread that froze them
    schedule::ThreadIndex reader = schedule::kNoThread;  // the last one that was ordered after it
  };

  struct FieldName {
    std::string owner, name;
  };

  // What accesses at a site have to know of it.
  struct SiteFacts {
    std::uint32_t id = 0;  // in the trace
    bool is_known = false;
    bool is_silent = false;
    bool is_static = false;
    bool has_field = false;  // else what is accessed is an element
  };
  // What accesses of a field have to know of it.
  enum FieldFacts : std::uint8_t {
    kNamed = 1,   // in the trace
    kCalled = 2,  // accessed by calls too: see put_value
  };
  // A read of the final fields of an object that has nothing to say: the last one was by this thread.
  struct SettledFreeze {
    std::uint32_t object = 0;
    schedule::ThreadIndex thread = schedule::kNoThread;
  };
  static constexpr std::size_t kSettledFreezes = 1u << 14;

  Thread& thread_of(const schedule::World& world, schedule::ThreadIndex thread);
  const SiteFacts& facts_of(std::uint32_t site) {
    return site < site_facts_.size() && site_facts_[site].is_known ? site_facts_[site] : learn_site(site);
  }
  const SiteFacts& learn_site(std::uint32_t site);
  model::SiteId site_of(std::uint32_t number) { return model::SiteId{facts_of(number).id}; }
  std::uint8_t& field_facts(std::uint64_t field);
  std::uint64_t monitor(std::uint64_t key);
  std::uint64_t volatile_location(const schedule::Operation& op);
  static bool is_some_field(const schedule::Operation& op);
  const FieldName& label_of(std::uint32_t number, std::uint32_t site);
  std::string field_name(std::uint64_t key, std::uint32_t site);
  void put_unseen(const Thread& thread, model::SiteId site, const schedule::Operation& op);
  void put_count(const Thread& thread, model::SiteId site, std::uint64_t group, std::string_view method);
  void put(model::EventKind kind, const Thread& thread, model::SiteId site, std::uint64_t object = 0,
           model::ThreadId peer = {});
  bool put_ahead(const Thread& thread, const AheadBuffer::Entry& entry, const SiteFacts& facts);
  void on_access(const schedule::World& world, Thread& thread, const schedule::Operation& op);
  void put_access(const Thread& thread, model::SiteId site, const schedule::Operation& op);
  void put_plain(const Thread& thread, model::SiteId site, const schedule::Operation& op);
  void put_value(const Thread& thread, const schedule::Operation& op);
  void note_call(const schedule::Operation& op);
  void put_freeze(const Thread& thread, const schedule::Operation& op);
  SettledFreeze& settled_freeze(std::uint32_t object) { return settled_freezes_[object % kSettledFreezes]; }
  void mark_unscheduled(Thread& thread, bool apart);
  void tell_sink(model::EventKind kind, const Thread& thread, model::SiteId site, std::uint64_t object);
  bool is_join(const Thread& thread, model::SiteId site, const schedule::Operation& op);
  void on_release(const schedule::World& world, schedule::ThreadIndex index, const Thread& thread, model::SiteId site,
                  std::uint64_t key);
  void on_notify(const schedule::World& world, const Thread& thread, model::SiteId site, std::uint64_t key);
  void on_end(const schedule::World& world, schedule::ThreadIndex index, Thread& thread, std::uint64_t key);
  bool leave_out(Thread& thread, const schedule::Operation& op, schedule::Passage passage);
  void put_held(Thread& thread, JdkLock& lock, model::EventKind kind, model::SiteId site);
  void keep_order(Thread& thread, JdkLock& lock, std::uint64_t key, model::SiteId site = {});
  // Of a StampedLock (trace_recorder_stamps.cc).
  struct StampedLock {
    JdkLock& lock;
    std::uint64_t key;
    std::uint32_t number;  // of the site
  };
  void on_stamped(Thread& thread, const StampedLock& stamped, LockEvent event);
  void take_stamped(Thread& thread, const StampedLock& stamped, bool write, bool validates = false);
  void give_stamped(Thread& thread, const StampedLock& stamped, bool write);
  void put_stamped(Thread& thread, const StampedLock& stamped, model::EventKind kind);
  void hand_on(Thread& thread, const StampedLock& stamped);
  void order_after(const Thread& later, Thread& earlier);
  void put_past(Thread& thread);
  void put_condition(const Thread& thread, std::uint64_t key);
  void look_at_clock(std::size_t events);

  const SiteTable& sites_;
  const ClassTable& classes_;
  RunLog& log_;
  EventSink* const sink_;
  const schedule::World* world_ = nullptr;  // during on_operation
  std::uint32_t cookie_ = 0;                // of that operation
  TraceFile file_;
  trace::Trace names_;  // without those of variables, which are told by their keys
  trace::BinaryWriter writer_;
  VariableTally variables_;
  std::int64_t flushed_at_ = 0;  // milliseconds
  std::size_t since_clock_ = 0;  // events since the clock was looked at
  std::uint64_t unnamed_ = 0;    // operations on objects that could not be numbered

  std::vector<Thread> threads_;                                       // by index
  std::unordered_map<std::uint32_t, FieldName> field_names_;          // by number
  std::unordered_set<std::string> labels_;                            // "a.B.x", of field_names_
  std::vector<std::uint8_t> field_facts_;                             // FieldFacts, by number
  std::vector<SiteFacts> site_facts_;                                 // by site number
  NumberMap<std::uint64_t> monitors_;                                 // by key
  NumberMap<std::uint64_t> volatiles_;                                // by key
  NumberMap<std::uint64_t> unseen_;                                   // by key of the monitor: see put_unseen
  std::unordered_map<std::uint64_t, schedule::ThreadIndex> holders_;  // of monitors, by key
  std::unordered_map<std::uint64_t, ThreadCounts> thread_counts_;     // by key of the group's monitor
  std::unordered_map<std::uint64_t, JdkLock> locks_;                  // by key
  NumberMap<std::uint64_t> conditions_;                               // by key
  NumberMap<std::uint64_t> freeze_of_;                                // by key of the object: place in freezes_, from 1
  std::vector<Freeze> freezes_;
  std::vector<SettledFreeze> settled_freezes_{kSettledFreezes};  // by number of the object
  std::mutex thread_objects_mutex_;
  std::unordered_map<std::uint64_t, schedule::ThreadIndex> thread_objects_;  // by number; under its mutex
};

}  // namespace deadheat::agent
