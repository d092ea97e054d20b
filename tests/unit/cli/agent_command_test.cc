// SPDX-License-Identifier: Apache-2.0
#include "cli/agent_command.h"

#include <gtest/gtest.h>

namespace deadheat::cli {
namespace {

// How HotSpot splits the variable (Arguments::parse_options_buffer): at white space outside quotes, quotes dropped.
std::vector<std::string> as_hotspot_reads(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    if (at == text.size()) return words;
    std::string& word = words.emplace_back();
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) == 0) {
      if (text[at] != '"' && text[at] != '\'') {
        word += text[at++];
        continue;
      }
      const char quote = text[at++];
      while (text.at(at) != quote) word += text[at++];
      ++at;
    }
  }
}

TEST(AgentCommand, PercentEncoding) {
  EXPECT_EQ(percent_encoded("/plain/path-1_2.x"), "/plain/path-1_2.x");
  EXPECT_EQ(percent_encoded("a b,c=d%e;f'g\"h\n"), "a%20b%2Cc%3Dd%25e%3Bf%27g%22h%0A");
  EXPECT_EQ(percent_encoded("grün"), "grün");
}

TEST(AgentCommand, OptionText) {
  Options options;
  EXPECT_EQ(agent_option_text("/r/1", options), "dir=/r/1");
  options.include = {"a.*", "b"};
  options.exclude = {"c"};
  options.fast_path = false;
  options.history = 0;
  options.allocations = true;
  options.halt_on_error = true;
  EXPECT_EQ(agent_option_text("/r 1", options),
            "dir=/r%201,include=a.*;b,exclude=c,history=0,allocations=on,fast_path=off,halt_on_error=on");
}

TEST(AgentCommand, QuotingSurvivesTheJvm) {
  for (const std::string word :
       {"plain", "with space", "it's", "say \"hi\"", "'\" mixed \"'", "tab\there", "a'b\"c d"}) {
    const std::string text = "-Dfirst=1 " + quoted_for_java_tool_options(word);
    EXPECT_EQ(as_hotspot_reads(text), (std::vector<std::string>{"-Dfirst=1", word})) << text;
  }
}

TEST(AgentCommand, JavaLauncherGetsAnArgument) {
  Result<LaunchPlan> plan = plan_launch({"/opt/jdk/bin/java", "-jar", "x.jar"}, "/l/libdeadheat.so", "dir=/r", "-Dx");
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan.value().command,
            (std::vector<std::string>{"/opt/jdk/bin/java", "-agentpath:/l/libdeadheat.so=dir=/r", "-jar", "x.jar"}));
  ASSERT_EQ(plan.value().environment.size(), 1u);
  EXPECT_EQ(plan.value().environment[0].first, "DEADHEAT_JAVA_TOOL_OPTIONS");
  EXPECT_EQ(plan.value().environment[0].second, "-Dx -agentpath:/l/libdeadheat.so=dir=/r");
}

TEST(AgentCommand, OtherCommandsGetTheEnvironment) {
  Result<LaunchPlan> plan = plan_launch({"mvn", "test"}, "/my lib/libdeadheat.so", "dir=/r", std::nullopt);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan.value().command, (std::vector<std::string>{"mvn", "test"}));
  ASSERT_EQ(plan.value().environment.size(), 1u);
  EXPECT_EQ(plan.value().environment[0].first, "JAVA_TOOL_OPTIONS");
  EXPECT_EQ(as_hotspot_reads(plan.value().environment[0].second),
            std::vector<std::string>{"-agentpath:/my lib/libdeadheat.so=dir=/r"});
}

TEST(AgentCommand, LibraryPathWithEqualsSignIsRefused) {
  EXPECT_FALSE(plan_launch({"java"}, "/a=b/libdeadheat.so", "dir=/r", std::nullopt).ok());
}

}  // namespace
}  // namespace deadheat::cli
