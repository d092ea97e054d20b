// SPDX-License-Identifier: Apache-2.0
#include "report/source_lines.h"

#include <gtest/gtest.h>

#include "tests/unit/report/scratch_folder.h"

namespace deadheat::report {
namespace {

TEST(SourceLines, ThePackageDecides) {
  ScratchFolder scratch;
  scratch.write("one/src/a/b/C.java", "first\n  second; \n");
  scratch.write("two/src/a/x/C.java", "other\nother\n");
  SourceLines sources({scratch.path()});
  EXPECT_EQ(sources.line_of({"a.b.C", "m", "C.java", 2}), "second;");
  EXPECT_EQ(sources.line_of({"a.x.C$Inner", "m", "C.java", 1}), "other");
  EXPECT_EQ(sources.line_of({"zzz.C", "m", "C.java", 1}), std::nullopt) << "two candidates, none fits";
  EXPECT_EQ(sources.line_of({"a.b.C", "m", "C.java", 3}), std::nullopt) << "the file is shorter";
  EXPECT_EQ(sources.line_of({"a.b.C", "m", "C.java", 0}), std::nullopt);
  EXPECT_EQ(sources.line_of({"a.b.D", "m", "", 1}), std::nullopt);
}

TEST(SourceLines, TheOnlyFileOfThatNameWillDo) {
  ScratchFolder scratch;
  scratch.write("flat/Main.kt", "fun main()\n");
  scratch.write("flat/ArrayList.java", "not the JDK's\n");
  SourceLines sources({scratch.path()});
  EXPECT_EQ(sources.line_of({"deep.package.MainKt", "main", "Main.kt", 1}), "fun main()");
  EXPECT_EQ(sources.line_of({"java.util.ArrayList", "add", "ArrayList.java", 1}), std::nullopt);
}

TEST(SourceLines, HiddenFoldersAndMissingRootsAreSkipped) {
  ScratchFolder scratch;
  scratch.write(".git/a/C.java", "hidden\n");
  SourceLines sources({scratch.path() / "nowhere", scratch.path()});
  EXPECT_EQ(sources.line_of({"a.C", "m", "C.java", 1}), std::nullopt);
}

}  // namespace
}  // namespace deadheat::report
