// SPDX-License-Identifier: Apache-2.0
#include "agent/former_sites.h"

#include <gtest/gtest.h>

#include "agent/class_table.h"

namespace deadheat::agent {
namespace {

Site place(const ClassInfo& cls, std::uint16_t method, std::uint16_t bytecode_index, FieldUse* field = nullptr) {
  Site site;
  site.in = &cls;
  site.method = method;
  site.bytecode_index = bytecode_index;
  site.line = 7;
  site.field = field;
  return site;
}

TEST(FormerSites, GivesOutTheSitesOfOnePlaceOnceEachInTheirOrder) {
  SiteTable sites;
  ClassInfo cls;
  const std::uint32_t first = sites.add(place(cls, 1, 4));
  const std::uint32_t second = sites.add(place(cls, 1, 4));
  FormerSites former(sites, cls);
  EXPECT_EQ(former.take(place(cls, 1, 4), ""), first);
  EXPECT_EQ(former.take(place(cls, 1, 4), ""), second);
  EXPECT_EQ(former.take(place(cls, 1, 4), ""), 0u);
}

TEST(FormerSites, TellsPlacesFieldsAndClassesApart) {
  SiteTable sites;
  ClassInfo cls;
  ClassInfo other;
  FieldUse use;
  use.owner = "A";
  use.name = "f";
  use.descriptor = "I";
  const std::uint32_t with_field = sites.add(place(cls, 1, 4, &use));
  sites.add(place(other, 1, 8));
  FormerSites former(sites, cls);
  EXPECT_EQ(former.take(place(cls, 1, 4), ""), 0u);
  EXPECT_EQ(former.take(place(cls, 1, 4), field_key("A", "g", "I")), 0u);
  EXPECT_EQ(former.take(place(cls, 1, 8), ""), 0u);
  EXPECT_EQ(former.take(place(cls, 2, 4), field_key("A", "f", "I")), 0u);
  Site moved = place(cls, 1, 4);
  moved.line = 8;
  EXPECT_EQ(former.take(moved, field_key("A", "f", "I")), 0u);
  EXPECT_EQ(former.take(place(cls, 1, 4), field_key("A", "f", "I")), with_field);
}

}  // namespace
}  // namespace deadheat::agent
