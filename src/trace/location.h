// SPDX-License-Identifier: Apache-2.0
//
// What the text of a location says. Recorded traces write `package/Class.method(descriptor)@index:File:line`; traces
// from elsewhere write a number or whatever they like, which is then all that is known.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::trace {

struct Location {
  std::string text;        // as in the trace
  std::string class_name;  // a.b.C; empty: not known
  std::string method;
  std::string site;  // package/Class.method(descriptor)@index: what the agent calls it; empty: not known
  std::string file;  // C.java
  int line = 0;      // 0: not known
};

// The method name that recorded traces put around what a thread does where no switch is offered (class loading and
// initialisers, the linking of lambdas): who does it, and how much of it there is, depends on who comes first.
inline constexpr std::string_view kUnscheduled = "(unscheduled)";

// Whether a recorded trace has a synchronisation object of this name only to say that an order stays, and not because
// the program has one: what became of a lock that somebody looked at, who woke whom, what code that is not watched did.
bool is_order_mark(std::string_view sync);
// Of these: a condition of one of the JDK's locks. A thread updates it when it begins to wait there, when it goes on,
// and when it wakes others.
bool is_condition_mark(std::string_view sync);

// Whether a site (package/Class.method…) is in a class of the JDK.
bool is_jdk_site(std::string_view site);

Location parse_location(std::string_view text);

// Equal for two locations of one source line; for locations without a line, the text itself.
std::string source_line_key(const Location& location);

}  // namespace deadheat::trace
