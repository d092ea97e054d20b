// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a class in, bytes of the watched class out: decides how the class is watched, adds the fields for its words,
// has the hooks put in, and registers the class and its sites. Works on bytes only and never calls into the JVM, so
// that it can run in the earliest class-load hook and in tests. Any thread may call it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "agent/class_table.h"
#include "agent/marked_methods.h"
#include "agent/native_words.h"
#include "agent/run_log.h"
#include "agent/site_table.h"
#include "agent/special_methods.h"
#include "agent/wanted_sites.h"
#include "agent/watch_list.h"
#include "base/bytes.h"
#include "classfile/class_file.h"
#include "classfile/instrumenter.h"
#include "classfile/plan.h"

namespace deadheat::agent {

// Names of the fields that classes get. Those of java.lang.Thread are named in the shim.
std::string word_name(char role, std::size_t field);  // role: 'w' last write, 'r' last read, 's' sync word, 'a' array
inline constexpr std::string_view kLoaderField = "$dh$loader";
// The freeze word of a class with final fields that lead to other objects.
inline constexpr std::string_view kFreezeField = "$dh$freeze";
// The word of the monitor of an object whose class has synchronized methods.
inline constexpr std::string_view kMonitorField = "$dh$monitor";
// Of an object of a recorded run: its number (DeadheatNumbers.java).
inline constexpr std::string_view kNumberField = "$dh$number";
inline constexpr std::string_view kOurPrefix = "$dh$";

// An instance field of ours: private, transient, synthetic.
void add_injected_field(classfile::ClassFile& cls, std::string_view name, std::string_view descriptor);

class FormerSites;

// Whether the JVM has the class already: redefinitions and retransformations.
enum class Definition : bool { kFirst, kAgain };

struct RewriteTotals {
  std::atomic<std::uint64_t> classes_seen{0};
  std::atomic<std::uint64_t> classes_full{0};
  std::atomic<std::uint64_t> classes_sync{0};
  std::atomic<std::uint64_t> classes_bad{0};
  std::atomic<std::uint64_t> methods_skipped{0};
  std::atomic<std::uint64_t> methods_without_accesses{0};  // too large for more than what orders threads
  std::atomic<std::uint64_t> points{0};
  std::atomic<std::uint64_t> program_points{0};  // those in classes that are not the JDK's
  std::atomic<std::uint64_t> points_redundant{0};
  std::atomic<std::uint64_t> points_fresh{0};
  std::atomic<std::uint64_t> methods_without_context{0};  // too large for it
};

// What the classes are rewritten for.
struct RewriteOptions {
  bool drop_redundant = true;
  bool contexts = true;  // keep calling contexts
  // The controlled scheduler instead of the detector: no words, other hooks; of the plain accesses only these sites.
  bool for_scheduler = false;
  bool detects = false;  // for_scheduler: the detector as well, words and all
  WantedSites wanted_sites{};
  bool records = false;     // for_scheduler: all sites of fully watched classes are wanted, and class initialisers told
  MarkedMethods marked{};   // records
  bool candidates = false;  // a detector of candidates, to whom the JDK's locks are locks
  bool gates_locks = false;     // lock requests are told, beside what the detector wants
  bool relations_only = false;  // lock requests are told and nothing else: no words, no detector
  bool has_words() const { return (!for_scheduler || detects) && !relations_only; }
};
Purpose purpose_of(const RewriteOptions& options);

class ClassRewriter {
 public:
  ClassRewriter(const WatchList& watch_list, const RewriteOptions& options, ClassTable& classes, SiteTable& sites,
                NativeWords& words, RunLog& log);

  // Nothing: the class stays as it is. A class that is defined again keeps its words and, at the places that did not
  // change, its sites.
  std::optional<std::vector<std::uint8_t>> rewrite(ByteSpan bytes, LoaderId loader, bool from_jdk,
                                                   Definition definition = Definition::kFirst);

  const RewriteTotals& totals() const { return totals_; }

 private:
  classfile::InstrumentCounts instrument_for_detector(classfile::ClassFile& cls, ClassInfo& info, bool from_jdk,
                                                      FormerSites* former);
  classfile::InstrumentCounts instrument_for_relations(classfile::ClassFile& cls, ClassInfo& info, bool from_jdk);
  classfile::InstrumentCounts instrument_for_scheduler(classfile::ClassFile& cls, ClassInfo& info, bool from_jdk);
  classfile::InstrumentCounts instrument_for_both(classfile::ClassFile& cls, ClassInfo& info, bool from_jdk);
  classfile::InstrumentOptions detector_options(const classfile::ClassFile& cls, const ClassInfo& info,
                                                bool from_jdk) const;
  void report_bad_class(std::string_view name, std::string_view reason);
  // `former`: what the class was registered as before, whose words it keeps; null: it is new.
  ClassInfo* register_class(const classfile::ClassFile& cls, LoaderId loader, Watch watch, bool from_jdk,
                            ClassInfo* former);
  void add_words(classfile::ClassFile& cls, ClassInfo& info);

  const WatchList& watch_list_;
  const RewriteOptions options_;
  const classfile::Plan plan_;
  const classfile::Plan gate_plan_;  // beside plan_, which is the detector's, when both are at work
  ClassTable& classes_;
  SiteTable& sites_;
  NativeWords& words_;
  RunLog& log_;
  RewriteTotals totals_;
  std::atomic<std::uint32_t> next_field_{1};
};

}  // namespace deadheat::agent
