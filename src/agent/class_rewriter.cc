// SPDX-License-Identifier: Apache-2.0
#include "agent/class_rewriter.h"

#include <algorithm>

#include "agent/class_guide.h"
#include "agent/finalizable.h"
#include "agent/former_sites.h"
#include "agent/gate_guide.h"
#include "agent/gate_plan.h"
#include "agent/hook_plan.h"
#include "agent/hunt_guide.h"
#include "agent/hunt_plan.h"
#include "agent/leaking_supers.h"
#include "agent/lock_calls.h"
#include "agent/special_methods.h"
#include "agent/unwatched_initialisers.h"
#include "base/json_writer.h"
#include "classfile/instrumenter.h"
#include "classfile/open_finals.h"

namespace deadheat::agent {

using classfile::ClassFile;
using classfile::Member;

namespace {

constexpr std::uint16_t kWordFlags = classfile::kAccPrivate | classfile::kAccTransient | classfile::kAccSynthetic;
// What java.lang.Thread carries for the shim: see DeadheatVm.java.
constexpr const char* kThreadWords[] = {"$dh$epoch",   "$dh$reads",  "$dh$state", "$dh$clocks", "$dh$sets",
                                        "$dh$start",   "$dh$permit", "$dh$fence", "$dh$gate",   "$dh$history",
                                        "$dh$created", "$dh$making", "$dh$hash",  "$dh$random"};
// The same, each an int.
constexpr const char* kThreadTokens[] = {"$dh$handed", "$dh$kept", "$dh$made"};

// Every call site takes a constant; a class that nears the format's limit of 65535 goes without.
constexpr std::uint32_t kMostConstants = 40000;

// The format's limit; a watched field takes up to three more.
constexpr std::size_t kMostFields = 65535;

WhereKind kind_of(const ClassFile& cls, const Member& field, Watch watch, bool from_jdk, bool open) {
  const bool acts_as_volatile = WatchList::acts_as_volatile(cls.name(), cls.name_of(field));
  if (field.has(classfile::kAccFinal) && !acts_as_volatile) {
    const bool freezes = !field.has(classfile::kAccStatic) && (watch == Watch::kFull || from_jdk) &&
                         WatchList::freezes(cls.name(), cls.descriptor_of(field), from_jdk);
    if (open) return freezes ? WhereKind::kOpenFrozen : WhereKind::kOpen;
    return freezes ? WhereKind::kFrozen : WhereKind::kNone;
  }
  if (field.has(classfile::kAccVolatile) || acts_as_volatile) return WhereKind::kVolatile;
  if (watch != Watch::kFull) return WhereKind::kNone;
  return WatchList::is_benign(cls.name(), cls.name_of(field)) ? WhereKind::kNone : WhereKind::kPlain;
}

std::string source_file(const ClassFile& cls) {
  const classfile::Attribute* attribute = cls.find(cls.attributes, "SourceFile");
  if (attribute == nullptr) return "";
  ByteReader in(attribute->bytes);
  return std::string(cls.pool.utf8(in.u2()).value_or(""));
}

// Whether the class file declares what the class was registered with, so that its numbers of fields and methods hold.
bool has_members_of(const ClassFile& cls, const ClassInfo& info) {
  const auto alike = [&](const Member& member, const auto& known) {
    return cls.name_of(member) == known.name && cls.descriptor_of(member) == known.descriptor;
  };
  return std::equal(cls.fields.begin(), cls.fields.end(), info.fields.begin(), info.fields.end(), alike) &&
         std::equal(cls.methods.begin(), cls.methods.end(), info.methods.begin(), info.methods.end(), alike);
}

// A synchronized method that becomes a block is no longer what the VM's list of intrinsics says, and the VM complains
// on standard output about the annotation.
void drop_intrinsic_marks(ClassFile& cls) {
  for (Member& method : cls.methods) {
    if (!method.has(classfile::kAccSynchronized)) continue;
    std::erase_if(method.attributes, [&](const classfile::Attribute& attribute) {
      if (cls.pool.utf8(attribute.name) != "RuntimeVisibleAnnotations") return false;
      ByteReader in(attribute.bytes);
      const std::uint16_t count = in.u2();
      return count == 1 && cls.pool.utf8(in.u2()) == "Ljdk/internal/vm/annotation/IntrinsicCandidate;";
    });
  }
}

classfile::Plan plan_for(const RewriteOptions& options) {
  if (options.for_scheduler && !options.detects) {
    if (options.records) return make_gate_plan(GatedCalls::kRecorded);
    return make_gate_plan(options.wanted_sites.empty() ? GatedCalls::kNone : GatedCalls::kWanted);
  }
  if (options.relations_only) return make_relations_plan();
  classfile::Plan plan = make_hook_plan();
  if (options.candidates) add_candidate_lock_calls(plan);
  if (options.gates_locks) add_lock_gate(plan);
  if (options.for_scheduler) add_gated_monitors(plan);
  return plan;
}

}  // namespace

Purpose purpose_of(const RewriteOptions& options) {
  if (options.for_scheduler) return options.detects ? Purpose::kBoth : Purpose::kScheduler;
  if (options.relations_only) return Purpose::kRelations;
  return options.candidates ? Purpose::kCandidates : Purpose::kDetector;
}

std::string word_name(char role, std::size_t field) { return std::string(kOurPrefix) + role + std::to_string(field); }

void add_injected_field(ClassFile& cls, std::string_view name, std::string_view descriptor) {
  Member field;
  field.access_flags = kWordFlags;
  field.name = cls.pool.add_utf8(name);
  field.descriptor = cls.pool.add_utf8(descriptor);
  cls.fields.push_back(field);
}

ClassRewriter::ClassRewriter(const WatchList& watch_list, const RewriteOptions& options, ClassTable& classes,
                             SiteTable& sites, NativeWords& words, RunLog& log)
    : watch_list_(watch_list),
      options_(options),
      plan_(plan_for(options)),
      gate_plan_(options.detects ? make_gate_plan(GatedCalls::kNone) : classfile::Plan()),
      classes_(classes),
      sites_(sites),
      words_(words),
      log_(log) {}

std::optional<std::vector<std::uint8_t>> ClassRewriter::rewrite(ByteSpan bytes, LoaderId loader, bool from_jdk,
                                                                Definition definition) {
  totals_.classes_seen.fetch_add(1, std::memory_order_relaxed);
  Result<ClassFile> parsed = ClassFile::parse(bytes);
  if (!parsed.ok()) {
    totals_.classes_bad.fetch_add(1, std::memory_order_relaxed);
    report_bad_class("?", parsed.error().message);
    return std::nullopt;
  }
  ClassFile& cls = parsed.value();
  if (cls.access_flags & classfile::kAccModule) return std::nullopt;
  const bool special = from_jdk && hook_special_methods(cls, purpose_of(options_));
  const bool linker = options_.for_scheduler && is_unscheduled_class(cls.name());
  const Watch watch = linker ? Watch::kSync : watch_list_.watch(cls.name(), from_jdk);
  const bool of_no_interest = options_.relations_only && !WatchList::gates_locks(cls.name(), from_jdk) &&
                              cls.name() != "java/lang/Thread" && cls.name() != "java/lang/ClassLoader";
  if (watch == Watch::kNone || of_no_interest) {
    const bool wrapped = options_.for_scheduler && from_jdk && wrap_unwatched_initialiser(cls);
    return special || wrapped ? std::optional(cls.write()) : std::nullopt;
  }
  (watch == Watch::kFull ? totals_.classes_full : totals_.classes_sync).fetch_add(1, std::memory_order_relaxed);

  // Also a first definition may have been tried before: the VM refuses a loader's second class of a name, and it is not
  // known here which of the two it was.
  ClassInfo* known = classes_.find(cls.name(), loader);
  const bool same = known != nullptr && has_members_of(cls, *known);
  std::optional<FormerSites> former;
  if (same) former.emplace(sites_, *known);
  const bool again = definition == Definition::kAgain;
  ClassInfo* info = same ? known : register_class(cls, loader, watch, from_jdk, again ? known : nullptr);
  const std::size_t fields = cls.fields.size();
  add_words(cls, *info);
  const bool both = options_.for_scheduler && options_.detects && !linker;
  const classfile::InstrumentCounts counts =
      both                      ? instrument_for_both(cls, *info, from_jdk)
      : options_.for_scheduler  ? instrument_for_scheduler(cls, *info, from_jdk)
      : options_.relations_only ? instrument_for_relations(cls, *info, from_jdk)
                                : instrument_for_detector(cls, *info, from_jdk, former ? &*former : nullptr);
  totals_.points.fetch_add(counts.points, std::memory_order_relaxed);
  if (!from_jdk) totals_.program_points.fetch_add(counts.points, std::memory_order_relaxed);
  totals_.points_redundant.fetch_add(counts.redundant, std::memory_order_relaxed);
  totals_.points_fresh.fetch_add(counts.fresh, std::memory_order_relaxed);
  totals_.methods_without_context.fetch_add(counts.without_context, std::memory_order_relaxed);
  const bool changed = special || counts.methods != 0 || cls.fields.size() != fields;
  return changed ? std::optional(cls.write()) : std::nullopt;
}

classfile::InstrumentCounts ClassRewriter::instrument_for_detector(ClassFile& cls, ClassInfo& info, bool from_jdk,
                                                                   FormerSites* former) {
  if (options_.candidates) {  // a HuntGuide has no sites for calls of locks that no hunt is told of
    ClassGuide guide(cls, info, sites_, log_, totals_, former, &words_);
    return instrument(cls, plan_, detector_options(cls, info, from_jdk), guide);
  }
  const bool gated = options_.gates_locks && WatchList::gates_locks(cls.name(), from_jdk);
  if (gated && from_jdk) drop_intrinsic_marks(cls);
  HuntGuide guide(cls, info, sites_, log_, totals_, former, words_, gated);
  return instrument(cls, plan_, detector_options(cls, info, from_jdk), guide);
}

classfile::InstrumentOptions ClassRewriter::detector_options(const ClassFile& cls, const ClassInfo& info,
                                                             bool from_jdk) const {
  classfile::InstrumentOptions options;
  options.arrays = info.watch == Watch::kFull && WatchList::watches_elements(cls.name());
  options.held_arrays = info.held_arrays;
  options.known_arrays = info.known_arrays;
  options.handed_arrays = options_.has_words() && !from_jdk && options.arrays && !options.held_arrays;
  options.monitors = !from_jdk || WatchList::orders_by_monitors(cls.name());
  options.publishing_stores = from_jdk && WatchList::publishes_by_stores(cls.name());
  options.drop_redundant = options_.drop_redundant;
  // Not in the JDK's classes: their small methods are called everywhere, and must stay small to be inlined. The frames
  // of a collection follow from the call in the program that leads there, but for some of them (see docs/agent.md).
  options.contexts = options_.contexts && info.watch == Watch::kFull && !from_jdk && cls.pool.size() < kMostConstants;
  options.init = info.init;
  if (info.freezes()) options.freeze_field = kFreezeField;
  options.freezes_failures = info.super_leaks || info.has_open_finals();
  options.finalizable = info.finalizable;
  return options;
}

classfile::InstrumentCounts ClassRewriter::instrument_for_both(ClassFile& cls, ClassInfo& info, bool from_jdk) {
  if (from_jdk) drop_intrinsic_marks(cls);
  const bool silent = !offers_switches(info.name, from_jdk);
  const MarkedMethods none;
  GateGuide gate_guide(cls, info, sites_, log_, totals_, &options_.wanted_sites, silent, none, from_jdk);
  GatedMonitorsGuide guide(cls, info, sites_, log_, totals_, words_, silent);
  classfile::InstrumentOptions gate_options;
  gate_options.arrays = false;
  gate_options.drop_redundant = false;
  return instrument(cls, {gate_plan_, gate_options, gate_guide}, {plan_, detector_options(cls, info, from_jdk), guide});
}

classfile::InstrumentCounts ClassRewriter::instrument_for_scheduler(ClassFile& cls, ClassInfo& info, bool from_jdk) {
  if (from_jdk) drop_intrinsic_marks(cls);
  const bool all = options_.records && info.watch == Watch::kFull;
  static const MarkedMethods kNone;
  GateGuide guide(cls, info, sites_, log_, totals_, all ? nullptr : &options_.wanted_sites,
                  !offers_switches(info.name, from_jdk), all ? options_.marked : kNone, from_jdk);
  classfile::InstrumentOptions options;
  options.arrays =
      info.watch == Watch::kFull && (all ? WatchList::watches_elements(cls.name()) : !options_.wanted_sites.empty());
  if (options_.records) {
    options.init = info.init;
    options.publishing_stores = from_jdk && WatchList::publishes_by_stores(cls.name());
    options.tells_freezes = info.freezes();
  }
  options.drop_redundant = false;
  return instrument(cls, options_.detects ? gate_plan_ : plan_, options, guide);
}

classfile::InstrumentCounts ClassRewriter::instrument_for_relations(ClassFile& cls, ClassInfo& info, bool from_jdk) {
  HuntGuide guide(cls, info, sites_, log_, totals_, nullptr, words_, WatchList::gates_locks(cls.name(), from_jdk));
  classfile::InstrumentOptions options;
  options.arrays = false;
  options.fields = false;
  return instrument(cls, plan_, options, guide);
}

void ClassRewriter::report_bad_class(std::string_view name, std::string_view reason) {
  JsonWriter json;
  json.begin_object().field("type", "bad_class").field("class", name).field("reason", reason).end_object();
  log_.write(json.text());
}

ClassInfo* ClassRewriter::register_class(const ClassFile& cls, LoaderId loader, Watch watch, bool from_jdk,
                                         ClassInfo* former) {
  auto info = std::make_unique<ClassInfo>();
  info->name = cls.name();
  info->super = cls.super_name();
  info->source = source_file(cls);
  info->loader = loader;
  info->watch = watch;
  info->has_words = info->name != "java/lang/Class";
  info->held_arrays = from_jdk && watch == Watch::kFull && WatchList::watches_elements(info->name) &&
                      WatchList::owns_arrays(info->name);
  info->known_arrays = options_.has_words() && watch == Watch::kFull && !info->held_arrays &&
                       WatchList::watches_elements(info->name) && !(cls.access_flags & classfile::kAccInterface);
  for (const Member& method : cls.methods) {
    info->methods.push_back({std::string(cls.name_of(method)), std::string(cls.descriptor_of(method))});
    if (info->methods.back().name == "<clinit>" && !(from_jdk && WatchList::initialises_nothing(cls)))
      info->init = former != nullptr && former->init != 0 ? former->init : words_.add_init();
    info->has_monitor_word |= options_.has_words() && method.has(classfile::kAccSynchronized) &&
                              !method.has(classfile::kAccStatic) && watch == Watch::kFull &&
                              !(cls.access_flags & classfile::kAccInterface);
  }
  // Where it has no superclass that has one. (If a class further up does, that one's is taken: number_offset_of.)
  info->has_number = options_.records && watch == Watch::kFull && info->has_words &&
                     !(cls.access_flags & classfile::kAccInterface) &&
                     watch_list_.watch(info->super, looks_like_jdk(info->super)) != Watch::kFull;
  // The JDK's initialisers leave nothing to a program's classes that using the JDK's own would not order.
  const bool inherits_init = watch == Watch::kFull && !from_jdk && !(cls.access_flags & classfile::kAccInterface) &&
                             !info->super.starts_with("java/");
  if (inherits_init && info->init == 0) info->init = former != nullptr ? former->init : words_.add_init();
  if (options_.has_words() && may_be_finalized(cls, loader, classes_)) {
    info->finalizable = former != nullptr && former->finalizable != 0 ? former->finalizable : words_.add_init();
  }
  // The JDK's constructors are left out. So are recorded runs: a trace tells of freezes, not of what came before.
  const bool opens = !options_.records && !options_.relations_only && watch == Watch::kFull && !from_jdk;
  const classfile::OpenFinals finals = opens ? classfile::open_finals(cls) : classfile::OpenFinals{};
  info->leaks_this = !opens || finals.leaks;
  info->super_leaks = opens && super_may_leak(info->super, loader, classes_);
  const std::vector<bool>& open = info->super_leaks ? finals.if_super_leaks : finals.if_this_leaks;
  for (const Member& field : cls.fields) {
    FieldInfo& added = info->fields.emplace_back();
    added.name = cls.name_of(field);
    added.descriptor = cls.descriptor_of(field);
    added.flags = field.access_flags;
    added.kind = kind_of(cls, field, watch, from_jdk, !open.empty() && open[info->fields.size() - 1]);
    const FieldInfo* before = former != nullptr ? former->find_field(added.name, added.descriptor) : nullptr;
    if (before != nullptr) added.kind = before->kind;  // its words are there already, or cannot be added any more
    added.number = before != nullptr ? before->number : next_field_.fetch_add(1, std::memory_order_relaxed);
    if (before != nullptr && before->record != nullptr) {
      added.record = before->record;
    } else if (field.has(classfile::kAccStatic) && (added.kind != WhereKind::kNone || info->init != 0)) {
      added.record = words_.add_static(info->init);
    }
  }
  ClassInfo* known = classes_.add(std::move(info));
  if (inherits_init && former == nullptr && known->init != 0) {
    std::atomic_ref(words_.init_words()[known->init])
        .store(init_word_of(kInitInherits, known->id), std::memory_order_relaxed);
  }
  return known;
}

void ClassRewriter::add_words(ClassFile& cls, ClassInfo& info) {
  if (cls.access_flags & classfile::kAccInterface) return;
  if (cls.fields.size() * 4 > kMostFields) {
    for (FieldInfo& field : info.fields) field.kind = WhereKind::kNone;
    info.has_monitor_word = info.has_number = false;
    totals_.classes_bad.fetch_add(1, std::memory_order_relaxed);
    report_bad_class(info.name, "too many fields to watch any of them");
    return;
  }
  for (std::size_t i = 0; i < info.fields.size() && options_.has_words() && info.has_words; ++i) {
    const FieldInfo& field = info.fields[i];
    if (field.flags & classfile::kAccStatic) continue;
    if (field.kind == WhereKind::kVolatile) add_injected_field(cls, word_name('s', i), "J");
    if (has_access_words(field.kind)) {
      add_injected_field(cls, word_name('w', i), "J");
      add_injected_field(cls, word_name('r', i), "J");
    }
    if (info.knows_array(field)) add_injected_field(cls, word_name('a', i), "Ljava/lang/Object;");
  }
  if (info.freezes() && options_.has_words()) add_injected_field(cls, kFreezeField, "J");
  if (info.has_monitor_word) add_injected_field(cls, kMonitorField, "J");
  if (info.has_number) add_injected_field(cls, kNumberField, "I");
  if (info.loader != LoaderId{}) return;
  if (info.name == "java/lang/Thread") {
    for (const char* name : kThreadWords) add_injected_field(cls, name, "J");
    for (const char* name : kThreadTokens) add_injected_field(cls, name, "I");
    for (const char* name :
         {"$dh$monitors", "$dh$lockType", "$dh$held", "$dh$wait", "$dh$loads", "$dh$recent", "$dh$flock"})
      add_injected_field(cls, name, "Ljava/lang/Object;");
    add_injected_field(cls, "$dh$context", "Ljava/lang/DeadheatContext;");
  } else if (info.name == "java/lang/ClassLoader") {
    add_injected_field(cls, kLoaderField, "I");
  } else if (info.name == "java/io/ObjectInputStream" && options_.has_words()) {
    add_injected_field(cls, "$dh$made", "Ljava/lang/Object;");
  } else if (info.name == "java/util/concurrent/locks/AbstractOwnableSynchronizer") {
    add_injected_field(cls, "$dh$name", "J");
  }
}

}  // namespace deadheat::agent
