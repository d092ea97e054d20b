// SPDX-License-Identifier: Apache-2.0
#include "cli/slow_motion.h"

#include <fmt/format.h>

#include <iterator>

namespace deadheat::cli {

std::string slow_motion(const schedule::DecisionLog& log, const Clip& clip, report::SourceLines& sources) {
  const std::map<std::uint32_t, ClipSite> sites = parse_site_list(clip.site_list);
  std::string text;
  for (schedule::DecisionLog::Cursor at(log); !at.at_end(); at.advance()) {
    const schedule::Shape shape = at.shape();
    fmt::format_to(std::back_inserter(text), "{:>8}  {:<8} {:<14}", at.step(), log.names()[at.thread()],
                   schedule::operation_kind_name(shape.kind));
    const auto site = sites.find(model::to_number(shape.site));
    if (site != sites.end()) {
      const report::Frame& frame = site->second.frame;
      text += fmt::format(" {} ({})", report::qualified_method(frame), report::source_position(frame));
      if (auto line = sources.line_of(frame)) text += "  | " + *line;
      const std::string& name = site->second.name;
      const bool racing = !clip.sites.empty() && (name == clip.sites.front() || name == clip.sites.back());
      if (racing) text += "  <== the race";
    }
    text += '\n';
  }
  return text;
}

}  // namespace deadheat::cli
