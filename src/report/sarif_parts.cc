// SPDX-License-Identifier: Apache-2.0
#include "report/sarif_parts.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "report/json_fields.h"

namespace deadheat::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kSchema = "https://json.schemastore.org/sarif-2.1.0.json";

// The characters a URI path may hold as they are (RFC 3986, section 3.3).
std::string uri_of(std::string_view path) {
  static constexpr std::string_view kPlain = "-._~!$&'()*+,;=:@/";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

// A file below the working directory is named from there; else the package path stands for it.
json artifact_location(const Frame& frame, SourceLines& sources) {
  if (std::optional<fs::path> file = sources.file_of(frame)) {
    std::error_code error;
    const fs::path relative = fs::relative(*file, error);
    const std::string name = relative.generic_string();
    if (!error && !name.starts_with("..")) return {{"uri", uri_of(name)}, {"uriBaseId", "%SRCROOT%"}};
    return {{"uri", "file://" + uri_of(fs::absolute(*file).generic_string())}};
  }
  std::string path = frame.class_name.substr(0, frame.class_name.rfind('.') + 1);
  for (char& c : path) c = c == '.' ? '/' : c;
  return {{"uri", uri_of(path + frame.file)}, {"uriBaseId", "%SRCROOT%"}};
}

}  // namespace

json sarif_message(std::string text) { return {{"text", std::move(text)}}; }

json sarif_location(const Frame& frame, SourceLines& sources) {
  json location = {
      {"logicalLocations", {{{"fullyQualifiedName", qualified_method(frame)}, {"kind", "function"}}}},
      {"message", sarif_message(qualified_method(frame))},
  };
  if (!frame.file.empty()) {
    json physical = {{"artifactLocation", artifact_location(frame, sources)}};
    if (frame.line > 0) physical["region"] = {{"startLine", frame.line}};
    location["physicalLocation"] = std::move(physical);
  }
  return location;
}

std::string sarif_document(const std::string& version, json rules, json notifications, json results) {
  const json driver = {{"name", "deadheat"}, {"version", version}, {"rules", std::move(rules)}};
  const json invocation = {{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notifications)}};
  const json run = {{"tool", {{"driver", driver}}},
                    {"invocations", json::array({invocation})},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)}};
  const json document = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", json::array({run})}};
  return json_text(document, 2) + "\n";
}

}  // namespace deadheat::report
