// SPDX-License-Identifier: Apache-2.0
//
// The rules of a trace: what a sequence of events must keep to so that it can be the record of a run. Readers take any
// sequence; analyses may rely on these rules.
//
//   threads   A thread is forked at most once, not by itself, and before its first event; `start`, where given, is its
//             first event and `exit` its last. Who is joined has had an event or was forked, is not the joining thread,
//             has ended if it said `start`, and has no event afterwards.
//   locks     Acquired only when nobody holds them, and by their holder never again (re-entrancy is folded); held for
//             reading by several threads, once each, while no other holds them for writing; released by who holds them.
//   waiting   `wait` by the holder, which lets go of the lock and has no event but the `wake` that gets the lock again,
//             when it is free; `notify` by the holder; who is woken waits there, and is not woken twice.
//   permits   One thread parks on a permit.
//   nesting   Atomic regions end in reverse order of their beginning, methods likewise, each by the name it has, if
//   both
//             ends have one; a thread that has ended has left them all.
//
// What is open when the trace ends (locks held, regions entered, threads running) breaks no rule. An event that breaks
// one is left out of what follows, so that one mistake is told once.
#pragma once

#include "trace/problem.h"
#include "trace/trace.h"

namespace deadheat::trace {

// Adds the problems of the trace in the order of the events. Linear time. Events' objects must be numbers of the
// trace's tables, as readers make them.
void check_rules(const Trace& trace, Problems& problems);

}  // namespace deadheat::trace
