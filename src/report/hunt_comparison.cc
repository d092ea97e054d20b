// SPDX-License-Identifier: Apache-2.0
#include "report/hunt_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace deadheat::report {

std::set<std::string> StrategyRuns::races() const {
  std::set<std::string> all;
  for (const HuntRun& run : runs) all.insert(run.races.begin(), run.races.end());
  return all;
}

double StrategyRuns::mean_seconds() const {
  double sum = 0;
  for (const HuntRun& run : runs) sum += run.seconds;
  return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

HuntOutcome StrategyRuns::outcome() const {
  HuntOutcome sum;
  for (const HuntRun& run : runs) sum.add(run.outcome);
  return sum;
}

std::string thrashing_rate(const HuntOutcome& outcome) {
  if (outcome.holds == 0) return "-";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(outcome.thrashing) / static_cast<double>(outcome.holds));
}

std::vector<std::size_t> cumulative_races(const StrategyRuns& runs) {
  std::vector<std::size_t> counts;
  std::set<std::string> seen;
  for (const HuntRun& run : runs.runs) {
    seen.insert(run.races.begin(), run.races.end());
    counts.push_back(seen.size());
  }
  return counts;
}

namespace {

using Row = std::vector<std::string>;

std::string time_text(double seconds, double plain) {
  if (plain <= 0) return fmt::format("{:.2f} s", seconds);
  return fmt::format("{:.2f} s ({:.1f}x)", seconds, seconds / plain);
}

// What was found by strategies other than this one, at whatever depth.
std::set<std::string> races_of_others(const HuntComparison& comparison, const StrategyRuns& one) {
  std::set<std::string> others;
  for (const StrategyRuns& other : comparison.strategies) {
    if (&other == &one || (one.depth != 0 && other.depth != 0)) continue;
    const std::set<std::string> found = other.races();
    others.insert(found.begin(), found.end());
  }
  return others;
}

bool is_by_depth(const HuntComparison& comparison) {
  return std::any_of(comparison.strategies.begin(), comparison.strategies.end(),
                     [](const StrategyRuns& one) { return one.depth != 0; });
}

std::vector<Row> rows_of(const HuntComparison& comparison) {
  std::set<std::string> total;
  for (const StrategyRuns& one : comparison.strategies) {
    const std::set<std::string> races = one.races();
    total.insert(races.begin(), races.end());
  }
  std::vector<Row> rows{{"strategy", "runs", "races", "new", "missed", "time", "thrashing"}};
  for (const StrategyRuns& one : comparison.strategies) {
    const std::set<std::string> races = one.races();
    const std::set<std::string> others = races_of_others(comparison, one);
    const auto own = std::count_if(races.begin(), races.end(), [&](const auto& id) { return !others.contains(id); });
    rows.push_back({one.strategy, fmt::format("{}", one.runs.size()), fmt::format("{}", races.size()),
                    fmt::format("{}", own), fmt::format("{}", total.size() - races.size()),
                    time_text(one.mean_seconds(), comparison.plain_seconds), thrashing_rate(one.outcome())});
  }
  rows.push_back({"all", "", fmt::format("{}", total.size()), "", "", "", ""});
  return rows;
}

// What the table does not say.
std::vector<std::string> notes_of(const HuntComparison& comparison) {
  std::vector<std::string> notes{"new: found by this strategy alone; missed: of all races found; time: mean of a run"};
  if (is_by_depth(comparison))
    notes.front() = "new: found by no other strategy; missed: of all races found; time: mean of a run";
  if (comparison.plain_seconds > 0) {
    notes.push_back(fmt::format("the program without deadheat: {:.2f} s", comparison.plain_seconds));
  }
  if (comparison.learning_seconds > 0) {
    notes.push_back("learning the relations: " + time_text(comparison.learning_seconds, comparison.plain_seconds));
  }
  return notes;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// Told apart by colour and by dashes, for prints without colour.
constexpr const char* kColours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1"};
constexpr const char* kDashes[] = {"none", "8 3", "2 3", "none", "8 3 2 3", "4 4"};

constexpr int kWidth = 640, kHeight = 360, kLeft = 56, kRight = 150, kTop = 20, kBottom = 48;
constexpr std::size_t kMostMarks = 20;  // on the horizontal axis

// Whole numbers at which the axis from 0 to `most` gets a mark: at most about six.
std::size_t step_of(std::size_t most) {
  for (std::size_t unit = 1;; unit *= 10) {
    for (const std::size_t factor : {1, 2, 5}) {
      if (most <= 6 * unit * factor) return unit * factor;
    }
  }
}

}  // namespace

std::string comparison_table(const HuntComparison& comparison) {
  const std::vector<Row> rows = rows_of(comparison);
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const std::string& note : notes_of(comparison)) text += "  " + note + "\n";
  return text;
}

namespace {

// A line of a picture: its value at each mark of the horizontal axis, from the first on.
struct Line {
  std::string label;
  std::vector<std::size_t> values;
};

struct Picture {
  std::string about;
  std::string horizontal;
  std::vector<std::string> marks;
  std::vector<Line> lines;
};

std::string svg_of(const Picture& picture) {
  const std::size_t marks = std::max<std::size_t>(picture.marks.size(), 1);
  std::size_t most = 1;
  for (const Line& line : picture.lines) {
    for (const std::size_t value : line.values) most = std::max(most, value);
  }
  const double width = kWidth - kLeft - kRight, height = kHeight - kTop - kBottom;
  const auto x = [&](std::size_t mark) {
    return kLeft + (marks == 1 ? width / 2 : width * static_cast<double>(mark) / static_cast<double>(marks - 1));
  };
  const auto y = [&](std::size_t count) {
    return kTop + height - height * static_cast<double>(count) / static_cast<double>(most);
  };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight, escaped(picture.about));
  const std::size_t step = step_of(most);
  for (std::size_t count = 0; count <= most; count += step) {
    svg += fmt::format(
        "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, y(count), kLeft + width, kLeft - 8, y(count) + 4, count);
  }
  const std::size_t mark_step = marks <= kMostMarks ? 1 : step_of(marks);
  for (std::size_t mark = 0; mark < picture.marks.size(); mark += mark_step) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(mark),
                       kHeight - kBottom + 18, escaped(picture.marks[mark]));
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kLeft + width / 2, kHeight - 10,
                     escaped(picture.horizontal));
  svg += fmt::format(
      "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1f})\">races found</text>\n",
      kTop + height / 2);
  for (std::size_t i = 0; i < picture.lines.size(); ++i) {
    const Line& line = picture.lines[i];
    const char* colour = kColours[i % std::size(kColours)];
    const char* dash = kDashes[i % std::size(kDashes)];
    std::string points;
    for (std::size_t mark = 0; mark < line.values.size(); ++mark) {
      points += fmt::format("{}{:.1f},{:.1f}", mark == 0 ? "" : " ", x(mark), y(line.values[mark]));
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(mark), y(line.values[mark]),
                         colour);
    }
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n", points,
        colour, dash);
    const double at = kTop + 16 + 20.0 * static_cast<double>(i);
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"{3}\" stroke-width=\"2\" "
        "stroke-dasharray=\"{4}\"/><text x=\"{5:.1f}\" y=\"{6:.1f}\">{7}</text>\n",
        kLeft + width + 16, at, kLeft + width + 48, colour, dash, kLeft + width + 56, at + 4, escaped(line.label));
  }
  return svg + "</svg>\n";
}

Picture picture_by_runs(const HuntComparison& comparison) {
  Picture picture{"races found in the first runs, by strategy", "runs", {}, {}};
  std::size_t runs = 1;
  for (const StrategyRuns& one : comparison.strategies) {
    picture.lines.push_back({one.strategy, cumulative_races(one)});
    runs = std::max(runs, one.runs.size());
  }
  for (std::size_t run = 1; run <= runs; ++run) picture.marks.push_back(fmt::format("{}", run));
  return picture;
}

Picture picture_by_depth(const HuntComparison& comparison) {
  Picture picture{"races found, by depth", "depth", {}, {{"races", {}}, {"new", {}}}};
  for (const StrategyRuns& one : comparison.strategies) {
    if (one.depth == 0) continue;
    const std::set<std::string> races = one.races(), others = races_of_others(comparison, one);
    const auto own = std::count_if(races.begin(), races.end(), [&](const auto& id) { return !others.contains(id); });
    picture.marks.push_back(fmt::format("{}", one.depth));
    picture.lines[0].values.push_back(races.size());
    picture.lines[1].values.push_back(static_cast<std::size_t>(own));
  }
  return picture;
}

}  // namespace

std::string comparison_svg(const HuntComparison& comparison) {
  return svg_of(is_by_depth(comparison) ? picture_by_depth(comparison) : picture_by_runs(comparison));
}

std::string comparison_html(const HuntComparison& comparison, const std::string& title) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body{{font-family:sans-serif;max-width:52em;margin:2em auto;padding:0 "
      "1em}}table{{border-collapse:collapse}}"
      "td,th{{padding:.3em .8em;border-bottom:1px solid "
      "#ddd;text-align:right}}td:first-child,th:first-child{{text-align:"
      "left}}svg{{max-width:100%;height:auto}}</style></head>\n<body>\n<h1>{0}</h1>\n<table>\n",
      escaped(title));
  const std::vector<Row> rows = rows_of(comparison);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    page += "<tr>";
    for (const std::string& cell : rows[i]) page += fmt::format("<{0}>{1}</{0}>", i == 0 ? "th" : "td", escaped(cell));
    page += "</tr>\n";
  }
  page += "</table>\n";
  for (const std::string& note : notes_of(comparison)) page += fmt::format("<p>{}</p>\n", escaped(note));
  const char* heading = is_by_depth(comparison) ? "Races found, by depth" : "Races found in the first runs";
  return page + fmt::format("<h2>{}</h2>\n", heading) + comparison_svg(comparison) + "</body>\n</html>\n";
}

}  // namespace deadheat::report
