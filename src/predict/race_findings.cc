// SPDX-License-Identifier: Apache-2.0
#include "predict/race_findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace deadheat::predict {

namespace {

class Merger {
 public:
  explicit Merger(const trace::Trace& trace) : trace_(trace) {}

  void add(const Analysis& analysis, const AnalysisResult& result) {
    for (const EventPair& pair : result.pairs) {
      const std::uint32_t a = place_of(pair.first);
      const std::uint32_t b = place_of(pair.second);
      Merged& merged = by_sites_[{std::min(a, b), std::max(a, b)}];
      merged.pairs.insert(pair);
      RaceFinding& finding = merged.finding;
      if (finding.seen_by.empty() || (analysis.label == Label::kCannotBeFalse && finding.label == Label::kCandidate)) {
        finding.example = pair;
        finding.label = analysis.label;
      }
      if (finding.seen_by.empty() || finding.seen_by.back() != analysis.name) finding.seen_by.push_back(analysis.name);
    }
  }
  std::vector<RaceFinding> finish() {
    std::vector<RaceFinding> findings;
    findings.reserve(by_sites_.size());
    for (auto& [sites, merged] : by_sites_) {
      RaceFinding& finding = merged.finding;
      finding.first_site = event(finding.example.first).site;
      finding.second_site = event(finding.example.second).site;
      finding.variable = event(finding.example.first).object;
      finding.pairs = merged.pairs.size();
      findings.push_back(std::move(finding));
    }
    std::sort(findings.begin(), findings.end(),
              [](const RaceFinding& a, const RaceFinding& b) { return a.example < b.example; });
    return findings;
  }

 private:
  struct Merged {
    RaceFinding finding;
    std::set<EventPair> pairs;
  };
  const model::Event& event(EventNumber number) const { return trace_.events[number - 1]; }
  std::uint32_t place_of(EventNumber number) const { return to_number(event(number).site); }

  const trace::Trace& trace_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Merged> by_sites_;
};

}  // namespace

RaceFindings race_findings(const trace::Trace& trace, std::span<const std::string_view> names,
                           const AnalysisOptions& options) {
  RaceFindings result;
  Merger merger(trace);
  for (const Analysis& analysis : analyses()) {
    if (!analysis.gives_pairs || std::find(names.begin(), names.end(), analysis.name) == names.end()) continue;
    const AnalysisResult found = analysis.run(trace, options);
    merger.add(analysis, found);
    result.given_up.insert(result.given_up.end(), found.given_up.begin(), found.given_up.end());
  }
  result.findings = merger.finish();
  return result;
}

}  // namespace deadheat::predict
