// SPDX-License-Identifier: Apache-2.0
#include "cli/option_parser.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/nearest.h"

namespace deadheat::cli {
namespace {

Options parsed(const std::vector<std::string>& words) {
  auto result = parse_command_line(words);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? std::get<Options>(result.value()) : Options{};
}

std::string error_of(const std::vector<std::string>& words) {
  auto result = parse_command_line(words);
  return result.ok() ? "" : result.error().message;
}

TEST(Nearest, EditDistance) {
  EXPECT_EQ(edit_distance("run", "run"), 0u);
  EXPECT_EQ(edit_distance("rnu", "run"), 1u);
  EXPECT_EQ(edit_distance("", "run"), 3u);
  EXPECT_EQ(edit_distance("repot", "report"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, OnlyWhatMayBeATypingMistake) {
  EXPECT_EQ(nearest("repotr", {"run", "report"}), "report");
  EXPECT_EQ(nearest("frobnicate", {"run", "report"}), std::nullopt);
}

TEST(OptionParser, Defaults) {
  const Options options = parsed({"run", "--", "java"});
  EXPECT_EQ(options.exit_code, 66);
  EXPECT_TRUE(options.fast_path);
  EXPECT_FALSE(options.json_file);
  EXPECT_EQ(options.command, std::vector<std::string>{"java"});
}

TEST(OptionParser, OptionsOfHunt) {
  const Options options = parsed(
      {"hunt", "-n",           "3",  "--strategy", "native",  "--strategy", "drfinder",     "--depth", "4",  "--seed",
       "9",    "--hold-limit", "20", "--fresh",    "--chart", "a.svg",      "--time-limit", "5",       "--", "java"});
  EXPECT_EQ(options.runs, 3u);
  EXPECT_EQ(options.strategies, (std::vector<std::string>{"native", "drfinder"}));
  EXPECT_EQ(options.depth, 4u);
  EXPECT_EQ(options.seed, 9u);
  EXPECT_EQ(options.hold_limit, 20u);
  EXPECT_TRUE(options.fresh);
  EXPECT_EQ(options.run_limit, 5u);
  EXPECT_EQ(options.chart, "a.svg");
  EXPECT_NE(error_of({"hunt", "--strategy", "luck", "--", "java"}).find("'luck' is none of native"), std::string::npos);
  EXPECT_NE(error_of({"hunt", "--chart", "a.png", "--", "java"}).find("neither in .svg nor in .html"),
            std::string::npos);
  EXPECT_NE(error_of({"hunt", "java"}).find("deadheat hunt -- java"), std::string::npos);
}

TEST(OptionParser, EveryOptionOfRun) {
  const Options options = parsed({"run",
                                  "--json=a",
                                  "--sarif",
                                  "b",
                                  "--log-path",
                                  "c",
                                  "--include",
                                  "x.*",
                                  "--include",
                                  "*Y",
                                  "--exclude=z",
                                  "--stats",
                                  "--exit-code",
                                  "0",
                                  "--halt-on-error",
                                  "--no-fast-path",
                                  "--state",
                                  "s",
                                  "--source-path",
                                  "/",
                                  "--suppressions",
                                  "f",
                                  "--",
                                  "java",
                                  "--json",
                                  "--",
                                  "x"});
  EXPECT_EQ(options.json_file, "a");
  EXPECT_EQ(options.sarif_file, "b");
  EXPECT_EQ(options.log_path, "c");
  EXPECT_EQ(options.include, (std::vector<std::string>{"x.*", "*Y"}));
  EXPECT_EQ(options.exclude, std::vector<std::string>{"z"});
  EXPECT_EQ(options.exit_code, 0);
  EXPECT_TRUE(options.stats && options.halt_on_error && !options.fast_path);
  EXPECT_EQ(options.state, "s");
  EXPECT_EQ(options.source_paths, std::vector<std::filesystem::path>{"/"});
  EXPECT_EQ(options.suppressions, "f");
  EXPECT_EQ(options.command, (std::vector<std::string>{"java", "--json", "--", "x"}))
      << "the command is never looked at";
}

TEST(OptionParser, ReportTakesARunNumber) {
  EXPECT_EQ(parsed({"report", "--json", "12"}).run, 12u);
  EXPECT_EQ(parsed({"report", "12", "--json"}).format, ReportFormat::kJson);
  EXPECT_EQ(parsed({"report", "--state", "s", "12"}).run, 12u) << "an option takes one word, not all that follow";
  EXPECT_EQ(parsed({"report", "--source-path", ".", "--source-path", "/", "12"}).source_paths.size(), 2u);
  EXPECT_FALSE(parsed({"report"}).run);
  EXPECT_NE(error_of({"report", "12x"}), "");
  EXPECT_NE(error_of({"report", "99999999999"}), "");
}

TEST(OptionParser, MistakesAreNamed) {
  EXPECT_EQ(error_of({"run", "--exclud", "x", "--", "java"}),
            "unknown option '--exclud'; did you mean '--exclude'? ('deadheat run --help' lists them)");
  EXPECT_NE(error_of({"run", "--exit-code", "-1", "--", "java"}).find("'-1' is not a whole number"), std::string::npos);
  EXPECT_NE(error_of({"run", "--include", "", "--", "java"}).find("empty"), std::string::npos);
  EXPECT_NE(error_of({"run", "--stats=x", "--", "java"}), "");
}

TEST(OptionTable, ADetectorHasAName) {
  EXPECT_EQ(error_of({"run", "--detector", "lockset", "--", "java"}), "");
  EXPECT_NE(error_of({"run", "--detector", "eraser", "--", "java"}).find("fasttrack, hybrid, lockset"),
            std::string::npos);
}

TEST(OptionTable, AnAtomicMethodHasAClass) {
  EXPECT_EQ(error_of({"predict", "--atomic", "*.transfer", "trace"}), "");
  EXPECT_NE(error_of({"predict", "--atomic", "transfer", "trace"}).find("names no method"), std::string::npos);
  EXPECT_NE(error_of({"record", "--methods", "transfer", "--", "java"}).find("names no method"), std::string::npos);
  EXPECT_NE(error_of({"predict", "--atomic-methods", "all", "trace"}).find("--atomic-methods public"),
            std::string::npos);
}

TEST(OptionTable, PredictTakesATraceACommandOrBoth) {
  EXPECT_EQ(error_of({"predict", "trace"}), "");
  EXPECT_EQ(error_of({"predict", "--", "java"}), "");
  EXPECT_EQ(error_of({"predict", "trace", "--", "java"}), "");
  EXPECT_NE(error_of({"predict"}).find("nothing to look at"), std::string::npos);
  EXPECT_NE(error_of({"predict", "one", "two"}).find("expected one trace"), std::string::npos);
}

// A value that the option takes.
std::string value_for(std::string_view option) {
  if (option == "--source-path") return ".";
  if (option == "--detector") return "hybrid";
  if (option == "--until") return "race";
  if (option == "--to") return "std";
  if (option == "--events") return "2-7";
  if (option == "--with") return "hb";
  if (option == "--strategy") return "native";
  if (option == "--chart") return "a.svg";
  if (option == "--atomic" || option == "--methods") return "a.B.m";
  if (option == "--atomic-methods") return "public";
  return "1";
}

TEST(OptionTable, EveryOptionIsTakenByTheParser) {
  for (const OptionSpec& spec : option_table()) {
    const auto verb = std::find_if(verb_table().begin(), verb_table().end(),
                                   [&](const VerbSpec& candidate) { return candidate.verb == spec.verb; });
    std::vector<std::string> words;
    if (const std::size_t space = verb->name.find(' '); space == std::string_view::npos) {
      words = {std::string(verb->name)};
    } else {
      words = {std::string(verb->name.substr(0, space)), std::string(verb->name.substr(space + 1)), "FILE"};
    }
    words.emplace_back(spec.name);
    if (!spec.value.empty()) words.push_back(value_for(spec.name));
    if (spec.verb == Verb::kReplay) words.emplace_back("R1.clip");
    if (spec.verb == Verb::kReplay && spec.name == "--tries") words.emplace_back("--shrink");
    if (spec.verb == Verb::kPredict) words.emplace_back("trace");
    if (spec.verb == Verb::kTraceAnalyse && spec.name != "--with") words.insert(words.end(), {"--with", "lockset"});
    if (verb->command == CommandUse::kMust) words.insert(words.end(), {"--", "java"});
    EXPECT_EQ(error_of(words), "") << spec.name;
    EXPECT_FALSE(spec.help.ends_with('.')) << spec.name;
  }
}

TEST(OptionParser, AVerbOfAGroup) {
  const Options options = parsed({"trace", "convert", "--to", "std", "-o", "b", "a"});
  EXPECT_EQ(options.verb, Verb::kTraceConvert);
  EXPECT_EQ(options.trace_format, TraceFormat::kPublic);
  EXPECT_EQ(options.output, "b");
  EXPECT_EQ(options.files, std::vector<std::string>{"a"});
  EXPECT_EQ(parsed({"trace", "cat", "-", "b"}).files, (std::vector<std::string>{"-", "b"}));
  EXPECT_NE(error_of({"trace"}).find("trace convert"), std::string::npos) << "lists the verbs";
  EXPECT_NE(error_of({"trace", "chek", "a"}).find("did you mean 'check'?"), std::string::npos);
  EXPECT_NE(error_of({"trcae", "check", "a"}).find("did you mean 'trace'?"), std::string::npos);
  EXPECT_NE(error_of({"trace", "info"}).find("no trace given"), std::string::npos);
  EXPECT_NE(error_of({"trace", "slice", "a", "b"}).find("expected one trace"), std::string::npos);
}

TEST(OptionParser, RecordTakesAFileAndACommand) {
  const Options options = parsed({"record", "-o", "t", "--seed", "7", "--", "java", "-o"});
  EXPECT_EQ(options.verb, Verb::kRecord);
  EXPECT_EQ(options.output, "t");
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.command, (std::vector<std::string>{"java", "-o"}));
  EXPECT_NE(error_of({"record", "java"}).find("deadheat record -- java"), std::string::npos);
}

TEST(OptionParser, AnalysesAreKnownByName) {
  EXPECT_EQ(parsed({"trace", "analyse", "--with", "hb,shb", "--with", "lockset", "a"}).analyses,
            (std::vector<std::string>{"hb", "shb", "lockset"}));
  EXPECT_NE(error_of({"trace", "analyse", "--with", "hb,hob", "a"}).find("'hob' is no analysis; these are: hb, "),
            std::string::npos);
  EXPECT_NE(error_of({"trace", "analyse", "a"}).find("no analysis given"), std::string::npos);
}

TEST(OptionParser, ARangeOfEvents) {
  EXPECT_EQ(parsed({"trace", "slice", "--events", "3-9", "a"}).last_event, 9u);
  EXPECT_EQ(parsed({"trace", "slice", "--events", "3-", "a"}).first_event, 3u);
  for (const char* wrong : {"0-1", "3", "-", "4-3", "a-b", "1-2x", ""}) {
    EXPECT_NE(error_of({"trace", "slice", "--events", wrong, "a"}).find("no range of events"), std::string::npos)
        << wrong;
  }
}

TEST(OptionParser, NoOptionIsIgnored) {
  const auto says = [](const std::vector<std::string>& words, const char* text) {
    EXPECT_NE(error_of(words).find(text), std::string::npos) << text << ": " << error_of(words);
  };
  says({"confirm", "--all", "R1", "--", "java"}, "--all tries every race, and R1 is one of them");
  says({"confirm", "--fail-on", "", "--", "java"}, "the expression is empty");
  says({"confirm", "--source-path", "no/such", "--", "java"}, "there is no folder 'no/such'");
  says({"replay", "--shrink", "--until", "race", "a"}, "leave one out");
  says({"replay", "--slow", "--shrink", "a"}, "leave out --shrink");
  says({"replay", "--slow", "--until", "race", "a"}, "leave out --until race");
  says({"replay", "--tries", "3", "a"}, "add --shrink");
  EXPECT_EQ(parsed({"replay", "--shrink", "--tries", "3", "a"}).shrink_tries, 3u);
  EXPECT_TRUE(parsed({"confirm", "--all", "--", "java"}).race_ids.empty());
}

}  // namespace
}  // namespace deadheat::cli
