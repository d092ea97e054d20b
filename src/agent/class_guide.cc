// SPDX-License-Identifier: Apache-2.0
#include "agent/class_guide.h"

#include "agent/leaf_calls.h"
#include "agent/thread_groups.h"
#include "agent/watch_list.h"
#include "base/json_writer.h"

namespace deadheat::agent {

using classfile::MemberRef;
using classfile::Point;
using classfile::PointKind;

bool ClassGuide::is_static(PointKind kind) { return kind == PointKind::kStaticRead || kind == PointKind::kStaticWrite; }

bool ClassGuide::is_field(PointKind kind) {
  return kind == PointKind::kFieldRead || kind == PointKind::kFieldWrite || is_static(kind);
}

ClassGuide::ClassGuide(const classfile::ClassFile& cls, ClassInfo& info, SiteTable& sites, RunLog& log,
                       RewriteTotals& totals, FormerSites* former, NativeWords* words)
    : info_(info), sites_(sites), cls_(cls), log_(log), totals_(totals), former_(former), words_(words) {}

bool ClassGuide::wants(const Point& point) const {
  if (!is_field(point.kind)) return info_.watch == Watch::kFull;
  if (point.member->owner != info_.name) return true;
  const FieldInfo* declared = info_.find_field(point.member->name, point.member->descriptor);
  if (declared == nullptr) return true;  // inherited
  if (declared->kind == WhereKind::kNone) return leads_to_initialiser(point, *declared);
  if (declared->kind == WhereKind::kFrozen) return point.kind == PointKind::kFieldRead;
  if (is_open(declared->kind) && point.kind == PointKind::kFieldWrite)
    return !point.orders_only && info_.methods[point.method].name == "<init>";  // of old classes others set finals too
  if (declared->kind == WhereKind::kPlain && point.orders_only) return false;
  return info_.watch == Watch::kFull || declared->kind == WhereKind::kVolatile;
}

bool ClassGuide::may_watch(const MemberRef& field) {
  if (info_.watch == Watch::kFull || field.owner != info_.name) return true;
  const FieldInfo* declared = info_.find_field(field.name, field.descriptor);
  return declared == nullptr || declared->kind == WhereKind::kVolatile || declared->kind == WhereKind::kFrozen;
}

// A class's own static methods and constructors have passed its initialisation already, so its finals need nothing
// there. A method of an object that the thread has not made itself (it was deserialised, for one) passes it where it
// reads one.
bool ClassGuide::leads_to_initialiser(const Point& point, const FieldInfo& constant) const {
  if (point.kind != PointKind::kStaticRead || info_.init == 0 || info_.watch != Watch::kFull) return false;
  const bool passed = cls_.methods[point.method].has(classfile::kAccStatic) ||
                      info_.methods[point.method].name == "<init>" || info_.methods[point.method].name == "<clinit>";
  return !passed && WatchList::freezes(info_.name, constant.descriptor, false);
}

std::uint32_t ClassGuide::site(const Point& point) {
  if (!wants(point)) return 0;
  if (const std::uint32_t number = former_site(point)) return number;
  Site site = site_at(point);
  site.sync_only = info_.watch != Watch::kFull || point.orders_only;
  return sites_.add(site);
}

std::uint32_t ClassGuide::former_site(const Point& point) {
  if (former_ == nullptr) return 0;
  const MemberRef* field = is_field(point.kind) ? point.member : nullptr;
  return former_->take(place_of(point),
                       field == nullptr ? "" : field_key(field->owner, field->name, field->descriptor));
}

std::uint32_t ClassGuide::stable_number_of(const Site& site) {
  if (hash_of_ != site.method) {
    hash_ = stable_hash_of(info_, info_.methods[site.method]);
    hash_of_ = site.method;
  }
  return StableHash(hash_).add(site.bytecode_index).value();
}

Site ClassGuide::place_of(const Point& point) {
  Site site;
  site.in = &info_;
  site.method = static_cast<std::uint16_t>(point.method);
  site.bytecode_index = static_cast<std::uint16_t>(point.bytecode_index);
  site.line = line_at(point.method, point.bytecode_index);
  site.is_static = is_static(point.kind);
  return site;
}

Site ClassGuide::site_at(const Point& point) {
  Site site = place_of(point);
  if (is_field(point.kind)) site.field = use_of(*point.member);
  return site;
}

// The numbers go into a sum (DeadheatHistory.call): consecutive ones would make sums of different stacks meet. They
// depend on nothing but the place, so that a class that is redefined gets them again (see former_sites.h).
std::uint32_t ClassGuide::call_site(const Point& point) {
  if (point.member != nullptr && is_leaf_call(*point.member)) return 0;
  std::uint64_t hash = (std::uint64_t{info_.id} + 1) << 32 | std::uint64_t{point.method & 0xffff} << 16 |
                       (point.bytecode_index & 0xffff);
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;  // splitmix64's finaliser
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>(hash >> 32) | 1;
}

std::uint32_t ClassGuide::lock_site(const Point& point) {
  const std::uint32_t former = former_site(point);
  return former != 0 ? former : sites_.add(site_at(point));
}

bool ClassGuide::only_hands_on(std::uint32_t method) {
  return info_.name == kThreadGroup && info_.loader == LoaderId{} && counts_threads(info_.methods[method].name);
}

// All frozen fields of a class have one word: any of them will do. Which components are read is not known.
std::uint32_t ClassGuide::record_site(const Point& point) {
  for (const FieldInfo& field : info_.fields) {
    if (field.kind != WhereKind::kFrozen && field.kind != WhereKind::kOpenFrozen) continue;
    const MemberRef frozen{info_.name, field.name, field.descriptor};
    return site(
        {PointKind::kFieldRead, point.method, point.bytecode_index, &frozen, /*orders_only=*/is_open(field.kind)});
  }
  return 0;
}

// What the JDK links (lambdas, concatenations, switches) has nothing in it that a program could share.
std::uint32_t ClassGuide::dynamic_use(const MemberRef& bootstrap, std::uint32_t constant) {
  if (words_ == nullptr || looks_like_jdk(bootstrap.owner)) return 0;
  if (constant == 0) return words_->add_init();
  std::uint32_t& word = constants_[constant];
  if (word == 0) word = words_->add_init();
  return word;
}

bool ClassGuide::may_order(const MemberRef& field) {
  if (field.owner != info_.name) return true;
  const FieldInfo* declared = info_.find_field(field.name, field.descriptor);
  return declared == nullptr || declared->kind == WhereKind::kVolatile;
}

void ClassGuide::skipped(std::uint32_t method, std::string_view reason) {
  totals_.methods_skipped.fetch_add(1, std::memory_order_relaxed);
  log_unwatched("skipped_method", method, reason);
}

void ClassGuide::accesses_skipped(std::uint32_t method, std::string_view reason) {
  totals_.methods_without_accesses.fetch_add(1, std::memory_order_relaxed);
  log_unwatched("skipped_accesses", method, reason);
}

void ClassGuide::log_unwatched(std::string_view type, std::uint32_t method, std::string_view reason) {
  JsonWriter json;
  json.begin_object().field("type", type).field("class", info_.name);
  json.field("method", info_.methods[method].name + info_.methods[method].descriptor)
      .field("reason", reason)
      .end_object();
  log_.write(json.text());
}

FieldUse* ClassGuide::use_of(const MemberRef& field) {
  FieldUse*& use = uses_[field];
  if (use == nullptr) {
    use = new FieldUse;  // lives as long as the sites that name it: for good
    use->user = &info_;
    use->owner = field.owner;
    use->name = field.name;
    use->descriptor = field.descriptor;
  }
  return use;
}

std::uint16_t ClassGuide::line_at(std::uint32_t method, std::uint32_t bytecode_index) {
  if (lines_of_ != method) {
    lines_ = classfile::LineTable::of(cls_, cls_.methods[method]);
    lines_of_ = method;
  }
  return lines_.line_at(bytecode_index);
}

}  // namespace deadheat::agent
