// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/trace_file.h"
#include "cli/verbs.h"
#include "predict/analysis.h"
#include "trace/text_writer.h"

namespace deadheat::cli {
namespace {

constexpr std::size_t kMostShown = 20;  // in text; scripts get everything

bool found_something(const predict::AnalysisResult& result) {
  return !result.racy.empty() || !result.pairs.empty() || result.violation;
}

nlohmann::ordered_json json_head(const std::string& file, const predict::Analysis& analysis) {
  return {{"file", file}, {"analysis", analysis.name}};
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The long lists are written by hand: a document tree of millions of numbers would be larger than the trace.
std::string as_json(const std::string& file, const trace::Trace& trace, const predict::Analysis& analysis,
                    const predict::AnalysisResult& result, bool with_pairs) {
  nlohmann::ordered_json head = json_head(file, analysis);
  head["label"] = predict::label_text(analysis.label);
  head["events"] = trace.events.size();
  std::string text = dump(head);
  text.pop_back();
  const auto out = std::back_inserter(text);
  if (!analysis.finds_races) {
    text += ",\"violation\":";
    text += result.violation ? std::to_string(*result.violation) : "null";
  } else {
    if (with_pairs) {
      text += ",\"pairs\":[";
      const char* separator = "";
      for (const predict::EventPair& pair : result.pairs) {
        fmt::format_to(out, "{}[{},{}]", separator, pair.first, pair.second);
        separator = ",";
      }
      text += "]";
    }
    text += ",\"racy\":[";
    const char* separator = "";
    for (const predict::EventNumber number : result.racy) {
      fmt::format_to(out, "{}{}", separator, number);
      separator = ",";
    }
    text += "]";
  }
  text += ",\"given_up\":{";
  const char* separator = "";
  for (const predict::GivenUp& given_up : result.given_up) {
    fmt::format_to(out, "{}{}:{}", separator, dump(nlohmann::ordered_json(std::string(given_up.what))), given_up.count);
    separator = ",";
  }
  return text + fmt::format("}},\"memory_bytes\":{}}}\n", result.memory_bytes);
}

class TextReport {
 public:
  TextReport(const std::string& file, const trace::Trace& trace) : file_(file), trace_(trace), writer_(trace) {}

  std::string render(const predict::Analysis& analysis, const predict::AnalysisResult& result) const {
    std::string text;
    if (!analysis.finds_races) {
      text += result.violation
                  ? head(analysis) + fmt::format("an atomicity violation is complete at\n{}", event(*result.violation))
                  : head(analysis) + "no atomicity violation\n";
    } else {
      text += head(analysis) + fmt::format("{} events race with an earlier one ({})\n", result.racy.size(),
                                           predict::label_text(analysis.label));
      text += result.pairs.empty() ? racy_events(result) : pairs(result);
    }
    for (const predict::GivenUp& given_up : result.given_up) {
      text += head(analysis) + fmt::format("not looked at: {} {}\n", given_up.count, given_up.what);
    }
    return text;
  }

 private:
  std::string head(const predict::Analysis& analysis) const { return fmt::format("{}: {}: ", file_, analysis.name); }

  std::string event(predict::EventNumber number) const {
    std::string text = fmt::format("  {:>8} ", number);
    writer_.append(trace_.events[number - 1], text);
    return text;
  }

  std::string racy_events(const predict::AnalysisResult& result) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(result.racy.size(), kMostShown); ++i) text += event(result.racy[i]);
    return text + rest(result.racy.size());
  }

  std::string pairs(const predict::AnalysisResult& result) const {
    std::string text;
    for (std::size_t i = 0; i < std::min(result.pairs.size(), kMostShown); ++i) {
      if (i > 0) text += "\n";
      text += event(result.pairs[i].first) + event(result.pairs[i].second);
    }
    return text + rest(result.pairs.size());
  }

  static std::string rest(std::size_t size) {
    return size <= kMostShown ? "" : fmt::format("  … and {} more (--json prints all)\n", size - kMostShown);
  }

  const std::string& file_;
  const trace::Trace& trace_;
  const trace::TextWriter writer_;
};

class AnalysisSession {
 public:
  AnalysisSession(const Options& options, ByteSink& sink) : options_(options), sink_(sink) {
    analysis_options_.pairs = !options.racy_only;
    analysis_options_.max_pairs = options.most_pairs;
  }

  void analyse(const std::string& file) {
    Result<trace::Loaded> loaded = load_sound_trace(file);
    if (!loaded) return fail(file, loaded.error());
    const trace::Trace& trace = loaded.value().trace;
    for (const std::string& name : options_.analyses) {
      const predict::Analysis& analysis = *predict::find_analysis(name);
      const predict::AnalysisResult result = analysis.run(trace, analysis_options_);
      found_ = found_ || found_something(result);
      const bool with_pairs = analysis.gives_pairs && analysis_options_.pairs;
      sink_.write(options_.json ? as_json(file, trace, analysis, result, with_pairs)
                                : TextReport(file, trace).render(analysis, result));
    }
  }

  int status() const {
    if (failed_) return kExitFailed;
    return found_ ? options_.found_code : 0;
  }

 private:
  // The other files are still worth their analysis; a script finds the object it expects.
  void fail(const std::string& file, const Error& error) {
    failed_ = true;
    fmt::print(stderr, "deadheat: {}\n", error.message);
    if (!options_.json) return;
    for (const std::string& name : options_.analyses) {
      nlohmann::ordered_json json = json_head(file, *predict::find_analysis(name));
      json["error"] = error.message;
      sink_.write(dump(json) + "\n");
    }
  }

  const Options& options_;
  ByteSink& sink_;
  predict::AnalysisOptions analysis_options_;
  bool found_ = false;
  bool failed_ = false;
};

}  // namespace

Result<int> trace_analyse_verb(const Options& options) {
  Result<ByteSink> sink = ByteSink::open({});
  if (!sink) return sink.error();
  AnalysisSession session(options, sink.value());
  for (const std::string& file : options.files) session.analyse(file);
  if (Status status = sink.value().finish(); !status) return status.error();
  return session.status();
}

}  // namespace deadheat::cli
