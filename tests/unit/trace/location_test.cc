// SPDX-License-Identifier: Apache-2.0
#include "trace/location.h"

#include <gtest/gtest.h>

namespace deadheat::trace {
namespace {

TEST(LocationTest, ReadsWhatTheRecorderWrites) {
  const Location location = parse_location("a/b/C$D.m(ILjava/lang/String;)V@12:C.java:34");
  EXPECT_EQ(location.class_name, "a.b.C$D");
  EXPECT_EQ(location.method, "m");
  EXPECT_EQ(location.site, "a/b/C$D.m(ILjava/lang/String;)V@12");
  EXPECT_EQ(location.file, "C.java");
  EXPECT_EQ(location.line, 34);
  EXPECT_EQ(parse_location("C.<init>()V@0:C.java:1").method, "<init>");
}

TEST(LocationTest, AnythingElseIsItsText) {
  for (const char* text : {"", "12", "?", "Account.java:12", "a:b:c", "a:b:3", "C.m()V:C.java:3", "@:C.java:3",
                           ".m()V@1:C.java:3", "C.m()V@1:C.java:-3", "C.m()V@1:C.java:99999999999"}) {
    const Location location = parse_location(text);
    EXPECT_EQ(location.text, text);
    EXPECT_EQ(location.site, "") << text;
    EXPECT_EQ(source_line_key(location), text);
  }
}

TEST(LocationTest, TwoSitesOfOneLineAreOnePlace) {
  const auto key = [](const char* text) { return source_line_key(parse_location(text)); };
  EXPECT_EQ(key("a/C.m()V@1:C.java:3"), key("a/C$1.n()V@9:C.java:3"));
  EXPECT_NE(key("a/C.m()V@1:C.java:3"), key("a/C.m()V@1:C.java:4"));
  EXPECT_NE(key("a/C.m()V@1:C.java:3"), key("b/C.m()V@1:C.java:3"));
  // Classes without line numbers keep their sites apart.
  EXPECT_NE(key("a/C.m()V@1:C.java:0"), key("a/C.m()V@2:C.java:0"));
}

TEST(LocationTest, KnowsTheJdk) {
  EXPECT_TRUE(is_jdk_site("java/util/ArrayList.add(Ljava/lang/Object;)Z@1"));
  EXPECT_FALSE(is_jdk_site("javassist/Loader.m()V@1"));
}

}  // namespace
}  // namespace deadheat::trace
