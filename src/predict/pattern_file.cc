// SPDX-License-Identifier: Apache-2.0
//
// The reader of pattern files (pattern.h has the format).
#include <algorithm>
#include <array>
#include <optional>

#include "predict/pattern.h"

namespace deadheat::predict {

namespace {

constexpr std::size_t kMostSteps = 32;  // a search over more would not end

struct Word {
  std::string_view text;
  std::size_t line = 0;
  std::size_t column = 0;
};

enum Row : std::size_t { kEvents, kThreads, kVariables, kUnits, kKinds, kRows };
constexpr std::array<std::string_view, kRows> kRowNames{"E", "T", "SV", "AR", "AT"};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_sign(char c) { return c == '-' || c == '='; }

class Parser {
 public:
  Parser(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

  Result<std::vector<Pattern>> parse() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::vector<Word> words = words_of(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (!words.empty()) on_line(words);
      if (error_) return Error{*error_};
      ++line_;
    }
    finish();
    if (!error_ && patterns_.empty()) fail({{}, line_, 1}, "no pattern here: expected a line \"pattern NAME\"");
    if (error_) return Error{*error_};
    return std::move(patterns_);
  }

 private:
  void fail(const Word& at, const std::string& what) {
    if (error_) return;
    error_ = std::string(file_name_) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + what;
  }
  static std::string quoted(const Word& word) { return "\"" + std::string(word.text) + "\""; }

  // A '-' belongs to the name in a pattern's heading, and stands between names elsewhere.
  std::vector<Word> words_of(std::string_view line) const {
    std::vector<Word> words;
    for (std::size_t i = 0; i < line.size() && line[i] != '#';) {
      if (is_space(line[i])) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      const bool is_heading = !words.empty() && words[0].text == "pattern";
      if (is_heading || !is_sign(line[i])) {
        while (end < line.size() && !is_space(line[end]) && line[end] != '#' && (is_heading || !is_sign(line[end])))
          ++end;
      }
      words.push_back({line.substr(i, end - i), line_, i + 1});
      i = end;
    }
    return words;
  }

  void on_line(const std::vector<Word>& words) {
    if (words[0].text == "pattern") return on_heading(words);
    const auto row = std::find(kRowNames.begin(), kRowNames.end(), words[0].text);
    if (row == kRowNames.end())
      return fail(words[0], quoted(words[0]) + " is not known: expected pattern, E, T, SV, AR or AT");
    if (!is_open_) return fail(words[0], "expected a line \"pattern NAME\" before this one");
    on_row(static_cast<Row>(row - kRowNames.begin()), words);
  }

  void on_heading(const std::vector<Word>& words) {
    finish();
    if (words.size() < 2) return fail(words[0], "the pattern has no name: expected \"pattern NAME\"");
    if (words.size() > 2 && words[2].text != "adjacent")
      return fail(words[2], quoted(words[2]) + " is not known: expected adjacent or nothing");
    if (words.size() > 3) return fail(words[3], quoted(words[3]) + " is too much: expected the end of the line");
    for (const Pattern& other : patterns_) {
      if (other.name == words[1].text) return fail(words[1], "there is a pattern of this name already");
    }
    heading_ = words[1];
    is_open_ = true;
    is_adjacent_ = words.size() > 2;
    rows_ = {};
  }

  void on_row(Row row, const std::vector<Word>& words) {
    if (!rows_[row].empty()) return fail(words[0], quoted(words[0]) + " was given already");
    if (words.size() < 2 || words[1].text != "=")
      return fail(words.size() < 2 ? words[0] : words[1], "expected = after " + std::string(words[0].text));
    for (std::size_t i = 2; i < words.size(); ++i) {
      const bool is_name = !is_sign(words[i].text[0]);
      if (is_name != (i % 2 == 0)) return fail(words[i], is_name ? "expected - before this name" : "expected a name");
      if (is_name) rows_[row].push_back(words[i]);
    }
    if (rows_[row].empty()) return fail(words[1], "expected names after =");
    if (words.size() % 2 == 0) return fail(words.back(), "expected a name after -");
    if (rows_[row].size() > kMostSteps)
      return fail(rows_[row][kMostSteps], "a pattern has at most " + std::to_string(kMostSteps) + " events");
  }

  // Ends the pattern that is open, if any.
  void finish() {
    if (!is_open_ || error_) return;
    is_open_ = false;
    for (std::size_t row = 0; row < kRows; ++row) {
      if (rows_[row].empty()) return fail(heading_, "the pattern has no line " + std::string(kRowNames[row]));
      if (rows_[row].size() != rows_[kEvents].size()) {
        return fail(rows_[row][0], std::string(kRowNames[row]) + " has " + std::to_string(rows_[row].size()) +
                                       " names, E has " + std::to_string(rows_[kEvents].size()));
      }
    }
    Pattern pattern{std::string(heading_.text), PatternKind::kUser, is_adjacent_, {}};
    for (std::size_t i = 0; i < rows_[kEvents].size(); ++i) add_step(pattern, i);
    check(pattern);
    if (!error_) patterns_.push_back(std::move(pattern));
  }
  void add_step(Pattern& pattern, std::size_t i) {
    const Word& event = rows_[kEvents][i];
    if (number_of(kEvents, i) != i) fail(event, "the event " + quoted(event) + " is there already");
    const Word& kind = rows_[kKinds][i];
    if (kind.text != "r" && kind.text != "w") fail(kind, quoted(kind) + " is no kind of access: expected r or w");
    pattern.steps.push_back({number_of(kThreads, i), number_of(kVariables, i), number_of(kUnits, i), kind.text == "w"});
  }
  // How many different names come before the first use of this one.
  std::uint8_t number_of(Row row, std::size_t i) const {
    std::vector<std::string_view> seen;
    for (std::size_t k = 0; k <= i; ++k) {
      const std::string_view name = rows_[row][k].text;
      const auto found = std::find(seen.begin(), seen.end(), name);
      if (k == i) return static_cast<std::uint8_t>(found - seen.begin());
      if (found == seen.end()) seen.push_back(name);
    }
    return 0;
  }
  void check(const Pattern& pattern) {
    const auto& steps = pattern.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (steps[i].unit == steps[k].unit && steps[i].thread != steps[k].thread) {
          fail(rows_[kUnits][i], "the unit " + quoted(rows_[kUnits][i]) + " would be of two threads");
        }
      }
    }
    if (std::all_of(steps.begin(), steps.end(), [](const PatternStep& s) { return s.thread == 0; })) {
      fail(rows_[kThreads][0], "a pattern needs two threads");
    }
    if (pattern.adjacent && (steps.size() != 2 || steps[0].variable != steps[1].variable)) {
      fail(heading_, "adjacent is for two accesses of one variable");
    }
  }

  std::string_view text_;
  const std::string_view file_name_;
  std::size_t line_ = 1;
  std::optional<std::string> error_;
  bool is_open_ = false;
  bool is_adjacent_ = false;
  Word heading_;
  std::array<std::vector<Word>, kRows> rows_;
  std::vector<Pattern> patterns_;
};

}  // namespace

Result<std::vector<Pattern>> parse_patterns(std::string_view text, std::string_view file_name) {
  return Parser(text, file_name).parse();
}

}  // namespace deadheat::predict
