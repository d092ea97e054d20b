// SPDX-License-Identifier: Apache-2.0
#include "report/schedule_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_fields.h"
#include "report/race_json.h"

namespace deadheat::report {
namespace {

using nlohmann::json;

ScheduleOutcome outcome_from_json(const json& value) {
  ScheduleOutcome outcome;
  outcome.aims = texts_member(value, "aims");
  outcome.strategy = text_member(value, "strategy");
  outcome.seed = count_member(value, "seed");
  outcome.clock = int_member(value, "clock");
  outcome.ended = bool_member(value, "ended", false);
  outcome.stop = text_member(value, "stop");
  outcome.steps = count_member(value, "steps");
  outcome.clock_steps = count_member(value, "clock_steps");
  outcome.switches = count_member(value, "switches");
  outcome.put_aside = count_member(value, "put_aside");
  outcome.thrashing_releases = count_member(value, "thrashing_releases");
  outcome.livelock_releases = count_member(value, "livelock_releases");
  outcome.diverged = text_member(value, "diverged");
  const json& sites = member(value, "sites");
  if (!sites.is_array()) return outcome;
  for (const json& site : sites) {
    WantedSite wanted;
    wanted.name = text_member(site, "site");
    wanted.found = bool_member(site, "found", false);
    wanted.reached = bool_member(site, "reached", false);
    wanted.unheld = bool_member(site, "unheld", false);
    wanted.outside = text_member(site, "outside");
    const json& beside = member(site, "beside");
    for (const json& other : beside.is_array() ? beside : json::array()) {
      wanted.beside.push_back({text_member(other, "site"), bool_member(other, "write", false)});
    }
    outcome.sites.push_back(std::move(wanted));
  }
  return outcome;
}

Followed followed_from_json(const json& value) {
  return {text_member(value, "result"), count_member(value, "event"),   count_member(value, "events"),
          text_member(value, "thread"), text_member(value, "expected"), text_member(value, "actual")};
}

}  // namespace

Meeting meeting_from_json(const json& value) {
  Meeting meeting;
  meeting.step = count_member(value, "step");
  const json& accesses = member(value, "accesses");
  if (accesses.is_array()) {
    for (const json& access : accesses) meeting.accesses.push_back(access_from_json(access));
  }
  meeting.first = int_member(value, "first") == 1 ? 1 : 0;
  return meeting;
}

json meeting_to_json(const Meeting& meeting) {
  json accesses = json::array();
  for (const Access& access : meeting.accesses) accesses.push_back(access_to_json(access));
  return {{"step", meeting.step}, {"accesses", std::move(accesses)}, {"first", meeting.first}};
}

Uncaught uncaught_from_json(const json& value) {
  return {thread_from_json(member(value, "thread")), text_member(value, "exception"), text_member(value, "message"),
          stack_from_json(member(value, "stack")), 0};
}

json uncaught_to_json(const Uncaught& uncaught) {
  json value = {{"thread", thread_to_json(uncaught.thread)},
                {"exception", uncaught.exception},
                {"stack", stack_to_json(uncaught.stack)}};
  if (!uncaught.message.empty()) value["message"] = uncaught.message;
  return value;
}

Deadlock deadlock_from_json(const json& value) {
  Deadlock deadlock;
  const json& threads = member(value, "threads");
  if (threads.is_array()) {
    for (const json& thread : threads) {
      deadlock.threads.push_back({text_member(thread, "scheduled_name"), thread_from_json(member(thread, "thread")),
                                  text_member(thread, "operation"), text_member(thread, "waits_for"),
                                  texts_member(thread, "locks"), stack_from_json(member(thread, "stack")),
                                  text_member(thread, "awaits"), text_member(thread, "lock"),
                                  text_member(thread, "holder")});
    }
  }
  deadlock.cycle = texts_member(value, "cycle");
  return deadlock;
}

DeadlockParts parts_of(const Deadlock& deadlock) {
  DeadlockParts parts;
  for (const std::string& name : deadlock.cycle) {
    for (const BlockedThread& blocked : deadlock.threads) {
      if (blocked.scheduled_name == name) parts.cycle.push_back(&blocked);
    }
  }
  for (const BlockedThread& blocked : deadlock.threads) {
    if (std::find(parts.cycle.begin(), parts.cycle.end(), &blocked) == parts.cycle.end())
      parts.beside.push_back(&blocked);
  }
  return parts;
}

std::string waiting_words(const BlockedThread& blocked) {
  const std::string held = blocked.holder.empty() ? "" : fmt::format(", held by thread \"{}\"", blocked.holder);
  const std::string& lock = blocked.lock;
  if (blocked.awaits == "monitor") {
    return lock.empty() ? "waits to enter a monitor" + held
                        : fmt::format("waits to enter the monitor of {}{}", lock, held);
  }
  if (blocked.awaits == "lock") return fmt::format("waits for the lock {}{}", lock, held);
  if (blocked.awaits == "notify") return "waits to be notified" + (lock.empty() ? "" : " on " + lock);
  if (blocked.awaits == "end") return fmt::format("waits for thread \"{}\" to end", blocked.holder);
  if (blocked.awaits == "permit") return "is parked" + (lock.empty() ? "" : ", waiting on " + lock);
  return "waits";
}

std::vector<std::string> blocked_lines(const Deadlock& deadlock) {
  std::vector<std::string> lines;
  const auto add = [&](const BlockedThread& blocked, std::string_view how) {
    const Frame* place = first_application_frame(blocked.stack);
    lines.push_back(fmt::format(
        "{}thread \"{}\"{}{}", how, blocked.thread.name, blocked.awaits.empty() ? "" : " " + waiting_words(blocked),
        place == nullptr ? std::string()
                         : fmt::format(" at {} ({})", qualified_method(*place), source_position(*place))));
  };
  const DeadlockParts parts = parts_of(deadlock);
  for (const BlockedThread* blocked : parts.cycle) add(*blocked, "");
  for (const BlockedThread* blocked : parts.beside) add(*blocked, parts.cycle.empty() ? "" : "also waiting: ");
  return lines;
}

json deadlock_to_json(const Deadlock& deadlock) {
  json threads = json::array();
  for (const BlockedThread& blocked : deadlock.threads) {
    json thread = {{"scheduled_name", blocked.scheduled_name},
                   {"thread", thread_to_json(blocked.thread)},
                   {"operation", blocked.operation},
                   {"locks", blocked.locks},
                   {"stack", stack_to_json(blocked.stack)}};
    if (!blocked.waits_for.empty()) thread["waits_for"] = blocked.waits_for;
    if (!blocked.awaits.empty()) thread["awaits"] = blocked.awaits;
    if (!blocked.lock.empty()) thread["lock"] = blocked.lock;
    if (!blocked.holder.empty()) thread["holder"] = blocked.holder;
    threads.push_back(std::move(thread));
  }
  return {{"threads", std::move(threads)}, {"cycle", deadlock.cycle}};
}

bool add_schedule_record(const json& record, ScheduleRecords& records) {
  const std::string type = text_member(record, "type");
  if (type == "meeting") {
    records.meetings.push_back(meeting_from_json(record));
  } else if (type == "uncaught") {
    records.uncaught.push_back(uncaught_from_json(record));
    records.uncaught.back().meetings_before = records.meetings.size();
  } else if (type == "deadlock") {
    records.deadlocks.push_back(deadlock_from_json(record));
    records.deadlocks.back().meetings_before = records.meetings.size();
  } else if (type == "aside") {
    records.asides.push_back(stack_from_json(member(record, "stack")));
  } else if (type == "held") {
    records.held = true;
  } else if (type == "followed") {
    records.followed = followed_from_json(record);
  } else if (type == "step") {
    records.steps[count_member(record, "step")] = access_from_json(record);
  } else if (type == "trace") {
    records.trace = {count_member(record, "events"), count_member(record, "threads"), count_member(record, "variables"),
                     count_member(record, "unnamed")};
  } else if (type == "schedule") {
    records.outcome = outcome_from_json(record);
  } else {
    return false;
  }
  return true;
}

}  // namespace deadheat::report
