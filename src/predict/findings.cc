// SPDX-License-Identifier: Apache-2.0
#include "predict/findings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "predict/enclosing_unit.h"
#include "predict/program_units.h"
#include "predict/unscheduled.h"
#include "predict/volatile_data.h"
#include "trace/location.h"

namespace deadheat::predict {

namespace {

// If the first example has no schedule another one may: it was executed under other locks.
constexpr std::size_t kMostExamples = 6;
constexpr std::size_t kMostOthers = 3;
// For all findings together: schedules of a long run are long.
constexpr std::uint64_t kMostEventsOfOthers = 50'000'000;

constexpr std::string_view kRaceAnalyses[] = {"hb", "shb", "wcp", "syncp", "exact"};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// By site: a number for its source line, so that two accesses in one line are one place.
std::vector<std::uint32_t> source_lines(const trace::Trace& trace) {
  std::vector<std::uint32_t> lines{0};
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::uint32_t site = 1; site <= trace.sites.size(); ++site) {
    const std::string key = trace::source_line_key(trace::parse_location(trace.sites.text(site)));
    lines.push_back(numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size() + 1)).first->second);
  }
  return lines;
}

// The pattern of a race with these two accesses.
const Pattern& race_pattern(bool both_write) {
  const auto patterns = known_patterns();
  const auto found = std::find_if(patterns.begin(), patterns.end(), [both_write](const Pattern& p) {
    return p.kind == PatternKind::kDataRace && p.steps[0].is_write == both_write;
  });
  return found == patterns.end() ? patterns.front() : *found;
}

class Collection {
 public:
  // With `wanted`, by event: no races, and of the other patterns those of such events alone, all volatile, and of one
  // object.
  explicit Collection(const trace::Trace& trace, const std::vector<bool>* wanted = nullptr)
      : trace_(trace), wanted_(wanted), lines_(source_lines(trace)), is_apart_(unscheduled_events(trace)) {}

  void add(const Analysis& analysis, const AnalysisResult& result) {
    for (const EventPair& pair : result.pairs) add_race(pair, analysis.name, analysis.label);
  }
  void add(const PatternMatch& match) {
    if (!is_wanted(match) || leave_out(match.events)) return;
    if (match.pattern->kind == PatternKind::kDataRace) {
      const auto [first, second] = std::minmax(match.events[0], match.events[1]);
      return add_race({first, second}, kPatternSearch, Label::kCandidate);
    }
    Key key{static_cast<int>(match.pattern->kind), match.pattern, {}};
    for (const EventNumber e : match.events) std::get<2>(key).push_back(place_of(e));
    add_to(by_lines_[key], match.pattern, match.events, kPatternSearch, Label::kCandidate);
  }

  std::uint64_t left_out() const { return left_out_; }
  bool empty() const { return by_lines_.empty(); }
  const std::vector<bool>& apart() const { return is_apart_; }

  struct Entry {
    Finding finding;
    std::vector<std::vector<EventNumber>> examples;  // those of analyses that cannot be wrong come first
    std::size_t sure_examples = 0;
  };
  std::vector<Entry> take() && {
    std::vector<Entry> entries;
    for (auto& [key, entry] : by_lines_) entries.push_back(std::move(entry));
    return entries;
  }

 private:
  // Kind, pattern (null for a race, whose accesses may be of either kind), lines.
  using Key = std::tuple<int, const Pattern*, std::vector<std::uint64_t>>;

  static constexpr std::uint64_t kNameless = std::uint64_t{1} << 31;

  // Where the trace knows no sites, every event is a place of its own. A line of an atomic class is one in whatever
  // unit of the program uses it.
  std::uint64_t place_of(EventNumber number) {
    const std::uint32_t site = to_number(trace_.events[number - 1].site);
    if (site == 0) return std::uint64_t{number} << 32;
    if (site >= lines_.size()) return kNameless | site;
    if (!trace_.sites.text(site).starts_with("java/util/concurrent/atomic/")) return lines_[site];
    return unit_place(number) << 32 | lines_[site];
  }
  std::uint64_t unit_place(EventNumber number) {
    const auto [known, is_new] = unit_places_.try_emplace(number);
    if (!is_new) return known->second;
    const EventNumber begin = enclosing_unit(trace_, number);
    if (begin == 0) return 0;
    const model::Event& event = trace_.events[begin - 1];
    const std::uint32_t site = to_number(event.site);
    const bool is_region = event.kind == model::EventKind::kRegionEnter;
    return known->second = is_region ? event.object * 2 : (site < lines_.size() ? lines_[site] : site) * 2 + 1;
  }

  bool is_wanted(const PatternMatch& match) const {
    if (wanted_ == nullptr) return true;
    if (match.pattern->kind == PatternKind::kDataRace || match.pattern->adjacent) return false;
    const std::string_view owner = owner_of(match.events[0]);
    return std::all_of(match.events.begin(), match.events.end(),
                       [&](EventNumber e) { return (*wanted_)[e] && owner_of(e) == owner; });
  }
  // "a.B@4" of the location a.B@4.x: only fields of one object are taken to belong together.
  std::string_view owner_of(EventNumber number) const {
    const std::uint64_t location = trace_.events[number - 1].object;
    if (location > trace_.syncs.size()) return {};
    const std::string_view name = trace_.syncs.text(static_cast<std::uint32_t>(location));
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
  }

  bool leave_out(std::span<const EventNumber> events) {
    const bool apart = std::any_of(events.begin(), events.end(), [this](EventNumber e) { return is_apart_[e]; });
    left_out_ += apart;
    return apart;
  }

  void add_race(const EventPair& pair, std::string_view seen_by, Label label) {
    if (leave_out(std::array{pair.first, pair.second})) return;
    std::vector<std::uint64_t> places{place_of(pair.first), place_of(pair.second)};
    std::sort(places.begin(), places.end());
    const auto is_write = [this](EventNumber e) { return trace_.events[e - 1].kind == model::EventKind::kWrite; };
    const Pattern& pattern = race_pattern(is_write(pair.first) && is_write(pair.second));
    add_to(by_lines_[{static_cast<int>(PatternKind::kDataRace), nullptr, std::move(places)}], &pattern,
           {pair.first, pair.second}, seen_by, label);
  }

  void add_to(Entry& entry, const Pattern* pattern, std::vector<EventNumber> events, std::string_view seen_by,
              Label label) {
    Finding& finding = entry.finding;
    if (finding.seen_by.empty()) finding.pattern = pattern;
    if (std::find(finding.seen_by.begin(), finding.seen_by.end(), seen_by) == finding.seen_by.end()) {
      finding.seen_by.push_back(seen_by);
    }
    // The largest number that one of them counts; the pairs of two analyses are mostly the same.
    finding.count = std::max(finding.count, ++counts_[{&entry, seen_by}]);
    if (label == Label::kCannotBeFalse) finding.label = label;
    keep_example(entry, std::move(events), label == Label::kCannotBeFalse);
  }

  static void keep_example(Entry& entry, std::vector<EventNumber> events, bool sure) {
    auto& examples = entry.examples;
    const auto first_unsure = examples.begin() + static_cast<std::ptrdiff_t>(entry.sure_examples);
    const auto known = std::find(examples.begin(), examples.end(), events);
    if (!sure) {
      if (known == examples.end() && examples.size() < kMostExamples) examples.push_back(std::move(events));
      return;
    }
    if (known < first_unsure || entry.sure_examples == kMostExamples) return;  // among the sure ones already
    if (known != examples.end()) examples.erase(known);
    examples.insert(examples.begin() + static_cast<std::ptrdiff_t>(entry.sure_examples++), std::move(events));
  }

  const trace::Trace& trace_;
  const std::vector<bool>* const wanted_;
  const std::vector<std::uint32_t> lines_;
  const std::vector<bool> is_apart_;
  std::uint64_t left_out_ = 0;
  std::unordered_map<EventNumber, std::uint64_t> unit_places_;
  std::map<Key, Entry> by_lines_;
  std::map<std::pair<const Entry*, std::string_view>, std::uint64_t> counts_;
};

// A schedule proves the finding if no thread reads another value before its last event in it: then every thread comes
// as far as the schedule wants it, whatever the program.
bool is_proof(const Ptg& ptg, const ScheduleGenerator& generator, const GeneratedSchedule& schedule) {
  if (schedule.values != Values::kKept) return false;
  std::vector<EventNumber> last_of(ptg.links().sizes.threads + 1);
  for (const EventNumber e : schedule.events) last_of[to_number(ptg.event(e).thread)] = e;
  return generator.is_feasible(schedule, Values::kKept, last_of);
}

// Whether a schedule that keeps all values proves its finding.
enum class Proofs : std::uint8_t { kPossible, kNone };

class Scheduler {
 public:
  Scheduler(const trace::Trace& trace, const PredictionOptions& options, Proofs proofs = Proofs::kPossible)
      : ptg_(trace), generator_(ptg_), options_(options), proofs_(proofs) {}

  const Ptg& ptg() const { return ptg_; }
  std::uint64_t without_solver() const { return without_solver_; }
  // Candidates of which it is not known whether a schedule that keeps all values shows them.
  std::uint64_t open_candidates() const { return open_candidates_; }

  // First a schedule that keeps all values, of any example: it is a proof. Then the free one with the fewest changed
  // reads. Each without the solver first, which takes long to say no.
  void schedule(Collection::Entry& entry) {
    Finding& finding = entry.finding;
    finding.events = entry.examples.front();
    const std::size_t all = entry.examples.size();
    if (try_examples(entry, all, Values::kKept, Solver::kNotAsked)) return;
    is_open_ = false;
    if (try_examples(entry, all, Values::kKept, Solver::kAsked)) return;
    open_candidates_ += is_open_ && finding.label == Label::kCandidate;
    if (try_examples(entry, all, Values::kFree, Solver::kNotAsked)) return;
    try_examples(entry, options_.exact ? all : 1, Values::kFree, Solver::kAsked);
  }

 private:
  enum class Solver : std::uint8_t { kNotAsked, kAsked };

  // Whether one of the first `count` examples has such a schedule; the best one is kept.
  bool try_examples(Collection::Entry& entry, std::size_t count, Values values, Solver solver) {
    Finding& finding = entry.finding;
    struct Candidate {
      std::uint64_t changed;
      Instance instance;
    };
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < count; ++i) {
      auto schedule = generate(*finding.pattern, entry.examples[i], values, solver);
      if (!schedule) continue;
      if (proofs_ == Proofs::kPossible && is_proof(ptg_, generator_, *schedule)) {
        finding.label = Label::kCannotBeFalse;
        finding.events = entry.examples[i];
        finding.schedule = std::move(schedule);
        return true;
      }
      const std::uint64_t changed = values == Values::kKept ? 0 : generator_.changed_reads(*schedule);
      found.push_back({changed, {entry.examples[i], std::move(*schedule)}});
    }
    if (found.empty()) return false;
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.changed < b.changed; });
    finding.events = std::move(found.front().instance.events);
    finding.schedule = std::move(found.front().instance.schedule);
    for (std::size_t i = 1; i < found.size() && i <= kMostOthers; ++i) {
      events_of_others_ += found[i].instance.schedule.events.size();
      if (events_of_others_ > kMostEventsOfOthers) break;
      finding.others.push_back(std::move(found[i].instance));
    }
    return true;
  }

  std::optional<GeneratedSchedule> generate(const Pattern& pattern, const std::vector<EventNumber>& events,
                                            Values values, Solver solver) {
    const bool quick = values == Values::kKept && !options_.exact;
    GenerationLimits limits = quick ? options_.kept_generation : options_.generation;
    double& seconds = quick ? kept_solver_seconds_ : solver_seconds_;
    const bool has_time =
        options_.exact || seconds * 1000 < (quick ? options_.kept_solver_milliseconds : options_.solver_milliseconds);
    limits.values = values;
    if (solver == Solver::kNotAsked || !has_time) limits.window = 0;
    const Stopwatch watch;
    bool is_open = false;
    auto schedule = generator_.generate(pattern, events, limits, &is_open);
    if (solver == Solver::kNotAsked) return schedule;
    seconds += watch.seconds();
    is_open_ |= is_open;
    if (values == Values::kFree && !schedule && !has_time) ++without_solver_;
    return schedule;
  }

  const Ptg ptg_;
  const ScheduleGenerator generator_;
  const PredictionOptions& options_;
  const Proofs proofs_;
  double solver_seconds_ = 0;
  double kept_solver_seconds_ = 0;  // without --exact
  std::uint64_t without_solver_ = 0;
  bool is_open_ = false;  // of the finding at hand: whether some schedule of an example keeps all values
  std::uint64_t open_candidates_ = 0;
  std::uint64_t events_of_others_ = 0;
};

// Where the outermost region was entered that the event lies in, in a trace with nothing but outermost ones. 0: none.
EventNumber region_around(const trace::Trace& trace, EventNumber number) {
  const model::ThreadId thread = trace.events[number - 1].thread;
  for (EventNumber before = number - 1; before > 0; --before) {
    const model::Event& event = trace.events[before - 1];
    if (event.thread != thread) continue;
    if (event.kind == model::EventKind::kRegionEnter) return before;
    if (event.kind == model::EventKind::kRegionExit) return 0;
  }
  return 0;
}

// Told by the event that closes the first cycle and where its region was entered.
std::optional<Finding> not_serialisable(const trace::Trace& trace) {
  const ProgramUnits units = program_units(trace);
  const AnalysisResult result = find_analysis("atomicity")->run(units.trace, {});
  if (!result.violation) return std::nullopt;
  Finding finding;
  const EventNumber entered = region_around(units.trace, *result.violation);
  if (entered != 0) finding.events.push_back(units.original[entered]);
  finding.events.push_back(units.original[*result.violation]);
  finding.seen_by = {"atomicity"};
  finding.label = Label::kCannotBeFalse;
  finding.count = 1;
  return finding;
}

void add_given_up(std::vector<GivenUp>& all, std::string_view what, std::uint64_t count) {
  if (count == 0) return;
  const auto known = std::find_if(all.begin(), all.end(), [&](const GivenUp& g) { return g.what == what; });
  if (known != all.end()) {
    known->count += count;
  } else {
    all.push_back({what, count});
  }
}

void search_patterns(const Ptg& ptg, Collection& collection, const PredictionOptions& options,
                     Predictions& predictions) {
  const Stopwatch watch;
  SearchLimits limits = options.search;
  limits.apart = &collection.apart();
  for (const std::span<const Pattern> patterns : {known_patterns(), options.user_patterns}) {
    const SearchResult found = search(ptg, patterns, limits);
    for (const PatternMatch& match : found.matches) collection.add(match);
    add_given_up(predictions.given_up, "patterns cut short by a limit of the search", found.patterns_cut_short);
    add_given_up(predictions.given_up,
                 "variables, counted for each such pattern, of which the search did not try every combination",
                 found.variables_cut_short);
  }
  predictions.times.search += watch.seconds();
}

void schedule_all(Scheduler& scheduler, Collection&& collection, Predictions& predictions) {
  const Stopwatch watch;
  add_given_up(predictions.given_up,
               "pairs with an access in class loading or an initialiser, which locks of the VM order",
               collection.left_out());
  std::vector<Collection::Entry> entries = std::move(collection).take();
  for (Collection::Entry& entry : entries) {
    scheduler.schedule(entry);
    predictions.findings.push_back(std::move(entry.finding));
  }
  add_given_up(predictions.given_up, "findings for which the solver was not asked any more (--exact asks)",
               scheduler.without_solver());
  add_given_up(predictions.given_up,
               "candidates that a schedule which keeps all values may show (--exact asks further)",
               scheduler.open_candidates());
  predictions.times.schedules += watch.seconds();
}

}  // namespace

Predictions predict_all(const trace::Trace& trace, const PredictionOptions& options) {
  Predictions predictions;
  Collection collection(trace);
  const Stopwatch analysing;
  AnalysisOptions analysis_options;
  analysis_options.max_pairs = options.max_pairs;
  for (const std::string_view name : kRaceAnalyses) {
    if (name == "exact" && !options.exact) continue;
    const Analysis& analysis = *find_analysis(name);
    const AnalysisResult result = analysis.run(trace, analysis_options);
    collection.add(analysis, result);
    predictions.given_up.insert(predictions.given_up.end(), result.given_up.begin(), result.given_up.end());
  }
  std::optional<Finding> cycle = not_serialisable(trace);
  predictions.times.analyses = analysing.seconds();

  {
    Scheduler scheduler(trace, options);
    search_patterns(scheduler.ptg(), collection, options, predictions);
    schedule_all(scheduler, std::move(collection), predictions);
  }
  if (std::optional<VolatileData> data = volatile_data(trace)) {
    Collection converted(trace, &data->is_converted);
    search_patterns(Ptg(data->alone, {.sections_are_regions = false}), converted, options, predictions);
    data->alone.events = {};  // as large as the trace, and done with
    if (!converted.empty()) {
      Scheduler scheduler(data->trace, options, data->has_updates ? Proofs::kNone : Proofs::kPossible);
      schedule_all(scheduler, std::move(converted), predictions);
    }
  }
  if (cycle) predictions.findings.push_back(std::move(*cycle));
  std::stable_sort(predictions.findings.begin(), predictions.findings.end(), [](const Finding& a, const Finding& b) {
    const auto rank = [](const Finding& f) {
      return std::pair(f.pattern == nullptr ? ~0u : static_cast<unsigned>(f.pattern->kind), f.events);
    };
    return rank(a) < rank(b);
  });
  return predictions;
}

}  // namespace deadheat::predict
