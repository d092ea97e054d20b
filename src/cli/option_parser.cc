// SPDX-License-Identifier: Apache-2.0
#include "cli/option_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/nearest.h"
#include "cli/version.h"

namespace deadheat::cli {
namespace {

using Parsed = std::variant<Options, TextWanted>;

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

// "trace" of "trace info"; empty for a verb of one word.
std::string_view group_of(const VerbSpec& verb) {
  const std::size_t space = verb.name.find(' ');
  return space == std::string_view::npos ? std::string_view() : verb.name.substr(0, space);
}

Error unknown_verb(const std::string& word) {
  std::vector<std::string_view> names;
  for (const VerbSpec& verb : verb_table()) names.push_back(group_of(verb).empty() ? verb.name : group_of(verb));
  return Error{fmt::format("unknown verb '{}'{} ('deadheat --help' lists them)", word, suggestion(word, names))};
}

Error unknown_option(const VerbSpec& verb, const std::string& word) {
  std::vector<std::string_view> names = {"--help"};
  for (const OptionSpec& option : option_table()) {
    if (option.verb == verb.verb) names.push_back(option.name);
  }
  const std::string name = word.substr(0, word.find('='));
  return Error{
      fmt::format("unknown option '{}'{} ('deadheat {} --help' lists them)", name, suggestion(name, names), verb.name)};
}

// Adds the table's options of the verb to the parser. CLI11 calls back when it has seen them all, in the table's order.
void add_options(CLI::App& app, const VerbSpec& verb, Options& options) {
  for (const OptionSpec& spec : option_table()) {
    if (spec.verb != verb.verb) continue;
    const std::string name =
        spec.short_name.empty() ? std::string(spec.name) : fmt::format("{},{}", spec.short_name, spec.name);
    auto apply = [&options, &spec](const std::string& value) {
      const Status status = spec.apply(options, value);
      if (!status) throw CLI::ValidationError(std::string(spec.name), status.error().message);
    };
    if (spec.value.empty()) {
      app.add_flag_callback(
          name, [apply] { apply(""); }, std::string(spec.help));
      continue;
    }
    auto apply_all = [apply](const std::vector<std::string>& values) {
      for (const std::string& value : values) apply(value);
    };
    CLI::Option* option = app.add_option_function<std::vector<std::string>>(name, apply_all, std::string(spec.help));
    option->type_name(std::string(spec.value))->expected(1)->allow_extra_args(false);
    option->multi_option_policy(spec.repeatable ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw);
  }
}

class VerbFormatter : public CLI::Formatter {
 public:
  explicit VerbFormatter(const VerbSpec& verb) : verb_(verb) { column_width(28); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return fmt::format("Usage: deadheat {} {}\n", verb_.name, verb_.usage);
  }

 private:
  const VerbSpec& verb_;
};

Status take_race_ids(const std::vector<std::string>& words, Options& options) {
  for (const std::string& word : words) {
    if (word.front() != 'R') {
      return Error{
          fmt::format("'{}' is no race id (R3f2a11c0; 'deadheat report' lists them); the command belongs behind "
                      "'--': deadheat confirm -- {} …",
                      word, word)};
    }
  }
  options.race_ids = words;
  return Ok{};
}

Status take_run_number(const std::vector<std::string>& words, Options& options) {
  const std::string& first = words.front();
  std::uint32_t run = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), run);
  if (words.size() > 1 || error != std::errc() || end != first.data() + first.size()) {
    return Error{fmt::format("expected one run number, not '{}'", fmt::join(words, " "))};
  }
  options.run = run;
  return Ok{};
}

// The words that are neither options nor their values.
Status take_operands(const VerbSpec& verb, const std::vector<std::string>& words, Options& options) {
  if (words.empty()) return Ok{};
  const std::string& first = words.front();
  if (first.size() > 1 && first.front() == '-') return unknown_option(verb, first);
  switch (verb.verb) {
    case Verb::kRun:
    case Verb::kHunt:
    case Verb::kRecord:
      return Error{fmt::format("put '--' in front of the command: deadheat {} -- {} …", verb.name, first)};
    case Verb::kConfirm:
      return take_race_ids(words, options);
    case Verb::kReplay:
      if (words.size() > 1) return Error{fmt::format("expected one clip, not '{}'", fmt::join(words, " "))};
      options.clip = first;
      return Ok{};
    case Verb::kReport:
      return take_run_number(words, options);
    case Verb::kPredict:
    case Verb::kTraceConvert:
    case Verb::kTraceSlice:
      if (words.size() > 1) return Error{fmt::format("expected one trace, not '{}'", fmt::join(words, " "))};
      [[fallthrough]];
    case Verb::kTraceInfo:
    case Verb::kTraceCat:
    case Verb::kTraceCheck:
    case Verb::kTraceAnalyse:
      options.files = words;
      return Ok{};
  }
  return Ok{};
}

// Options of which one would do nothing.
Status check_combination(const Options& options) {
  if (options.all && !options.race_ids.empty()) {
    return Error{fmt::format("--all tries every race, and {} is one of them: leave one out", options.race_ids.front())};
  }
  if (options.shrink && options.until_race) {
    return Error{"--shrink runs to the end, --until race stops before it: leave one out"};
  }
  if (options.slow && (options.shrink || options.until_race)) {
    return Error{fmt::format("--slow is for a replay of its own: leave out {}",
                             options.shrink ? "--shrink, or play the clip that it leaves" : "--until race")};
  }
  if (options.shrink_tries && !options.shrink) return Error{"--tries is how often --shrink may try: add --shrink"};
  return Ok{};
}

Error no_command(const VerbSpec& verb) {
  return Error{fmt::format("no command given; write it after '--': deadheat {} -- java -jar app.jar", verb.name)};
}

Result<Parsed> parse_verb(const VerbSpec& verb, const std::vector<std::string>& words) {
  const auto separator = std::find(words.begin(), words.end(), "--");
  Options options;
  options.verb = verb.verb;
  if (separator != words.end()) options.command.assign(separator + 1, words.end());

  CLI::App app(std::string(verb.help), "deadheat " + std::string(verb.name));
  app.formatter(std::make_shared<VerbFormatter>(verb));
  app.set_help_flag("-h,--help", "print this help");
  app.allow_extras();
  add_options(app, verb, options);
  try {
    app.parse(std::vector<std::string>(std::make_reverse_iterator(separator), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return Parsed(TextWanted{app.help()});
  } catch (const CLI::ParseError& error) {
    return Error{fmt::format("{} ('deadheat {} --help' explains the options)", error.what(), verb.name)};
  }
  if (Status status = take_operands(verb, app.remaining(), options); !status) return status.error();
  if (Status status = check_combination(options); !status) return status.error();
  if (verb.command == CommandUse::kMust && options.command.empty()) return no_command(verb);
  if (verb.command == CommandUse::kNone && separator != words.end()) {
    return Error{fmt::format("'deadheat {}' runs no command: leave out '--' and what follows", verb.name)};
  }
  if (verb.verb == Verb::kReplay && options.clip.empty()) {
    return Error{"no clip given; 'deadheat confirm' leaves them in .deadheat/clips"};
  }
  if (verb.verb == Verb::kPredict && options.command.empty() && options.files.empty()) {
    return Error{
        "nothing to look at; write 'deadheat predict -- java -jar app.jar' to record a run first, or 'deadheat predict "
        "TRACE' for a trace that is there"};
  }
  if (verb.verb == Verb::kTraceAnalyse && options.analyses.empty()) {
    return Error{"no analysis given; write for example: deadheat trace analyse --with syncp FILE"};
  }
  if (!group_of(verb).empty() && options.files.empty()) {
    return Error{
        fmt::format("no trace given; write its name, or - for the standard input: deadheat {} FILE", verb.name)};
  }
  return Parsed(std::move(options));
}

}  // namespace

std::string program_help() {
  std::string text =
      "deadheat finds the data races of JVM programs.\n\n"
      "Usage: deadheat VERB [options]\n\nVerbs:\n";
  for (const VerbSpec& verb : verb_table()) {
    text += fmt::format("  {:<14} {}\n", verb.name, verb.help);
  }
  text +=
      "\n'deadheat VERB --help' explains a verb's options, 'deadheat --version' prints the version.\n"
      "\nExit status: the program's own; 66 when races were found; 2 for a wrong command line; 3 when deadheat "
      "failed.\n";
  return text;
}

std::string group_help(std::string_view group) {
  std::string text = fmt::format("Usage: deadheat {} VERB [options] FILE…\n\nVerbs:\n", group);
  for (const VerbSpec& verb : verb_table()) {
    if (group_of(verb) == group) text += fmt::format("  {:<14} {}\n", verb.name, verb.help);
  }
  return text + fmt::format("\n'deadheat {} VERB --help' explains a verb's options.\n", group);
}

std::string version_text() { return fmt::format("deadheat {}\n", kVersion); }

// words: those behind the group's.
Result<Parsed> parse_group(std::string_view group, const std::vector<std::string>& words) {
  if (words.empty()) return Error{fmt::format("no verb given behind '{}'\n\n{}", group, group_help(group))};
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") return Parsed(TextWanted{group_help(group)});
  std::vector<std::string_view> names;
  for (const VerbSpec& verb : verb_table()) {
    if (group_of(verb) != group) continue;
    names.push_back(verb.name.substr(group.size() + 1));
    if (names.back() == first) return parse_verb(verb, {words.begin() + 1, words.end()});
  }
  return Error{fmt::format("unknown verb '{} {}'{} ('deadheat {} --help' lists them)", group, first,
                           suggestion(first, names), group)};
}

Result<Parsed> parse_command_line(const std::vector<std::string>& words) {
  if (words.empty()) return Error{"no verb given\n\n" + program_help()};
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") return Parsed(TextWanted{program_help()});
  if (first == "--version") return Parsed(TextWanted{version_text()});
  for (const VerbSpec& verb : verb_table()) {
    if (first == verb.name) return parse_verb(verb, {words.begin() + 1, words.end()});
    if (first == group_of(verb)) return parse_group(first, {words.begin() + 1, words.end()});
  }
  return unknown_verb(first);
}

}  // namespace deadheat::cli
