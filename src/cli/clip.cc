// SPDX-License-Identifier: Apache-2.0
#include "cli/clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "base/fnv.h"
#include "report/json_fields.h"
#include "schedule/decision_log_file.h"

namespace deadheat::cli {
namespace {

using report::int_member;
using report::member;
using report::text_member;
using report::texts_member;
namespace fs = std::filesystem;

constexpr std::string_view kMagic = "DHCLIP";
constexpr std::uint32_t kClipVersion = 1;
constexpr std::size_t kChecksumSize = 8;
constexpr const char* kNextStep = "make it again with 'deadheat confirm', or 'deadheat predict' if that left it";

nlohmann::json header_of(const Clip& clip) {
  return {{"race", clip.race},
          {"headline", clip.headline},
          {"sites", clip.sites},
          {"strategy", clip.strategy},
          {"seed", clip.seed},
          {"order", clip.order},
          {"every_access", clip.every_access},
          {"include", clip.include},
          {"exclude", clip.exclude},
          {"clock", clip.clock},
          {"agents_apart", clip.agents_apart},
          {"deadheat", clip.deadheat},
          {"jvm", clip.jvm},
          {"command", clip.command},
          {"working_directory", clip.working_directory},
          {"class_path_hash", clip.class_path_hash},
          {"outcome", clip.outcome},
          {"exit_status", clip.exit_status},
          {"signal", clip.signal},
          {"cut_off", clip.cut_off},
          {"output_hash", clip.output_hash},
          {"exceptions", clip.exceptions}};
}

std::uint64_t unsigned_member(const nlohmann::json& object, const char* name) {
  const nlohmann::json& value = member(object, name);
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

Clip clip_of(const nlohmann::json& header) {
  Clip clip;
  clip.race = text_member(header, "race");
  clip.headline = text_member(header, "headline");
  clip.sites = texts_member(header, "sites");
  clip.strategy = text_member(header, "strategy");
  clip.seed = unsigned_member(header, "seed");
  clip.order = text_member(header, "order");
  clip.every_access = report::bool_member(header, "every_access", false);
  clip.include = texts_member(header, "include");
  clip.exclude = texts_member(header, "exclude");
  clip.clock = int_member(header, "clock");
  clip.agents_apart = report::bool_member(header, "agents_apart", false);
  clip.deadheat = text_member(header, "deadheat");
  clip.jvm = text_member(header, "jvm");
  clip.command = texts_member(header, "command");
  clip.working_directory = text_member(header, "working_directory");
  clip.class_path_hash = text_member(header, "class_path_hash");
  clip.outcome = text_member(header, "outcome");
  clip.exit_status = static_cast<int>(int_member(header, "exit_status"));
  clip.signal = static_cast<int>(int_member(header, "signal"));
  clip.cut_off = report::bool_member(header, "cut_off", false);
  clip.output_hash = unsigned_member(header, "output_hash");
  clip.exceptions = texts_member(header, "exceptions");
  return clip;
}

void put_block(ByteWriter& out, std::string_view text) {
  out.u4(static_cast<std::uint32_t>(text.size()));
  out.put(text);
}

ByteSpan take_block(ByteReader& in) { return in.take(in.u4()); }

}  // namespace

std::vector<std::uint8_t> encode_clip(const Clip& clip) {
  ByteWriter out;
  out.put(kMagic);
  out.u2(kClipVersion);
  put_block(out, report::json_text(header_of(clip)));
  out.u4(static_cast<std::uint32_t>(clip.decisions.size()));
  out.put(clip.decisions);
  put_block(out, clip.site_list);
  Fnv64 hash;
  hash.add(out.bytes());
  out.u8(hash.value());
  return out.release();
}

Result<Clip> decode_clip(ByteSpan bytes) {
  if (bytes.empty()) return Error{fmt::format("it is empty: {}", kNextStep)};
  ByteReader in(bytes);
  const ByteSpan magic = in.take(kMagic.size());
  if (in.failed() || !std::equal(magic.begin(), magic.end(), kMagic.begin())) {
    return Error{"it is no clip of deadheat; 'deadheat confirm' and 'deadheat predict' leave them in .deadheat/clips"};
  }
  const std::uint32_t version = in.u2();
  if (!in.failed() && version != kClipVersion) {
    return Error{fmt::format("it is a clip of version {}, and this deadheat plays version {}: {}", version,
                             kClipVersion, kNextStep)};
  }
  const ByteSpan header = take_block(in);
  const ByteSpan decisions = take_block(in);
  const ByteSpan sites = take_block(in);
  const std::size_t checked = in.position();
  const std::uint64_t checksum = in.u8();
  if (!in.at_end()) return Error{fmt::format("the clip breaks off or has bytes too many: {}", kNextStep)};
  Fnv64 hash;
  hash.add(bytes.first(checked));
  if (hash.value() != checksum) return Error{fmt::format("the clip is damaged (its checksum is wrong): {}", kNextStep)};
  const nlohmann::json parsed =
      nlohmann::json::parse(header.begin(), header.end(), nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) return Error{fmt::format("the clip's header cannot be read: {}", kNextStep)};
  Result<schedule::DecisionLog> log = schedule::decode_decision_log(decisions);
  if (!log) return Error{fmt::format("{}: {}", log.error().message, kNextStep)};
  Clip clip = clip_of(parsed);
  clip.decisions.assign(decisions.begin(), decisions.end());
  clip.site_list.assign(sites.begin(), sites.end());
  return clip;
}

Status write_clip(const Clip& clip, const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path unfinished = file.string() + ".new";
  const std::vector<std::uint8_t> bytes = encode_clip(clip);
  {
    std::ofstream output(unfinished, std::ios::binary | std::ios::trunc);
    output.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    output.close();
    if (!output) return Error{fmt::format("cannot write the clip {}: {}", unfinished.string(), std::strerror(errno))};
  }
  fs::rename(unfinished, file, error);
  if (error) return Error{fmt::format("cannot write the clip {}: {}", file.string(), error.message())};
  return Ok{};
}

Result<Clip> read_clip(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return Error{fmt::format("there is no clip {}; 'deadheat confirm' leaves them in .deadheat/clips", file.string())};
  }
  std::ifstream input(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(input)), {});
  if (!input.good() && !input.eof()) {
    return Error{fmt::format("cannot read {}: {}", file.string(), std::strerror(errno))};
  }
  Result<Clip> clip = decode_clip({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  if (!clip) return Error{fmt::format("cannot play {}: {}", file.string(), clip.error().message)};
  return clip;
}

std::map<std::uint32_t, ClipSite> parse_site_list(const std::string& text) {
  std::map<std::uint32_t, ClipSite> sites;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
    const std::size_t colon = line.rfind(':');
    if (second == std::string::npos || colon == std::string::npos || colon < second) continue;
    std::uint32_t number = 0;
    if (std::from_chars(line.data(), line.data() + first, number).ec != std::errc()) continue;
    ClipSite site;
    site.name = line.substr(first + 1, second - first - 1);
    const std::size_t parameters = site.name.find('(');
    const std::size_t dot = site.name.rfind('.', parameters);
    if (dot != std::string::npos) {
      site.frame.class_name = site.name.substr(0, dot);
      std::replace(site.frame.class_name.begin(), site.frame.class_name.end(), '/', '.');
      site.frame.method =
          site.name.substr(dot + 1, parameters == std::string::npos ? parameters : parameters - dot - 1);
    }
    site.frame.file = line.substr(second + 1, colon - second - 1);
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), site.frame.line);
    sites[number] = std::move(site);
  }
  return sites;
}

}  // namespace deadheat::cli
