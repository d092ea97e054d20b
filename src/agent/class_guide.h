// SPDX-License-Identifier: Apache-2.0
//
// Answers the instrumenter's questions about one class: which points get a site, and which writes may publish.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/class_rewriter.h"
#include "agent/former_sites.h"
#include "agent/leaf_calls.h"
#include "agent/native_words.h"
#include "agent/site_name.h"
#include "classfile/line_table.h"
#include "classfile/plan.h"

namespace deadheat::agent {

class ClassGuide : public classfile::PointGuide {
 public:
  // `former`: the sites to be used again, for a class that exists already. `words`: for what the program links itself;
  // null: that is left alone.
  ClassGuide(const classfile::ClassFile& cls, ClassInfo& info, SiteTable& sites, RunLog& log, RewriteTotals& totals,
             FormerSites* former = nullptr, NativeWords* words = nullptr);

  std::uint32_t site(const classfile::Point& point) override;
  std::uint32_t call_site(const classfile::Point& point) override;
  std::uint32_t lock_site(const classfile::Point& point) override;
  bool only_hands_on(std::uint32_t method) override;
  std::uint32_t record_site(const classfile::Point& point) override;
  std::uint32_t dynamic_use(const classfile::MemberRef& bootstrap, std::uint32_t constant) override;
  bool may_watch(const classfile::MemberRef& field) override;
  bool may_order(const classfile::MemberRef& field) override;
  bool is_quiet_call(const classfile::MemberRef& method) override { return agent::is_quiet_call(method); }
  void skipped(std::uint32_t method, std::string_view reason) override;
  void accesses_skipped(std::uint32_t method, std::string_view reason) override;

 protected:
  // A new entry for the site table, with the place filled in.
  Site site_at(const classfile::Point& point);
  // The number that the point had when the class was rewritten before; 0: none.
  std::uint32_t former_site(const classfile::Point& point);
  // stable_site_number() of the site's name.
  std::uint32_t stable_number_of(const Site& site);
  static bool is_field(classfile::PointKind kind);
  static bool is_static(classfile::PointKind kind);

  ClassInfo& info_;
  SiteTable& sites_;

 private:
  // Whether the access can matter at all, as far as this class alone tells.
  bool wants(const classfile::Point& point) const;
  // Whether it is the read of a final static field of the class by which its initialiser may become known, and what
  // that left behind can be reached from there.
  bool leads_to_initialiser(const classfile::Point& point, const FieldInfo& constant) const;
  // Without the field.
  Site place_of(const classfile::Point& point);
  FieldUse* use_of(const classfile::MemberRef& field);
  void log_unwatched(std::string_view type, std::uint32_t method, std::string_view reason);
  std::uint16_t line_at(std::uint32_t method, std::uint32_t bytecode_index);

  const classfile::ClassFile& cls_;
  RunLog& log_;
  RewriteTotals& totals_;
  FormerSites* const former_;
  NativeWords* const words_;
  std::unordered_map<std::uint32_t, std::uint32_t> constants_;  // by index in the pool: their words
  // By what the pool says, whose texts outlive this.
  struct SameMember {
    std::size_t operator()(const classfile::MemberRef& member) const {
      const std::hash<std::string_view> hash;
      return hash(member.name) * 31 + hash(member.owner);
    }
    bool operator()(const classfile::MemberRef& a, const classfile::MemberRef& b) const {
      return a.name == b.name && a.owner == b.owner && a.descriptor == b.descriptor;
    }
  };
  std::unordered_map<classfile::MemberRef, FieldUse*, SameMember, SameMember> uses_;
  // Lines of the method asked about last: points come method by method.
  std::uint32_t lines_of_ = UINT32_MAX;
  classfile::LineTable lines_;
  std::uint32_t hash_of_ = UINT32_MAX;  // likewise
  StableHash hash_;
};

}  // namespace deadheat::agent
