// SPDX-License-Identifier: Apache-2.0
#include "trace/text_writer.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace deadheat::trace {
namespace {

// Which the reader would not take for part of a name. A comma in a thread's name would end it in a notify.
bool is_writable(char byte, bool commas) {
  const auto code = static_cast<unsigned char>(byte);
  return code > ' ' && code != '|' && code != 0x7f && (commas || code != ',');
}

std::string percent_encoded(std::string_view name, bool commas) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : name) {
    if (is_writable(byte, commas)) {
      text += byte;
    } else {
      text += '%';
      text += kDigits[static_cast<unsigned char>(byte) >> 4];
      text += kDigits[static_cast<unsigned char>(byte) & 15];
    }
  }
  return text;
}

}  // namespace

TextWriter::TextWriter(const Trace& trace)
    : trace_(trace),
      threads_(replace_unwritable(trace.threads, false)),
      variables_(replace_unwritable(trace.variables, true)),
      syncs_(replace_unwritable(trace.syncs, true)),
      sites_(replace_unwritable(trace.sites, true)),
      regions_(replace_unwritable(trace.regions, true)) {}

std::vector<TextWriter::Replaced> TextWriter::replace_unwritable(const Names& names, bool commas) {
  std::vector<Replaced> result;
  std::unordered_set<std::string> given;
  for (std::uint32_t number = 1; number <= names.size(); ++number) {
    const std::string& name = names.text(number);
    if (std::all_of(name.begin(), name.end(), [commas](char byte) { return is_writable(byte, commas); })) continue;
    std::string text = percent_encoded(name, commas);
    while (names.find(text) != 0 || !given.insert(text).second) text += '_';
    result.push_back({number, std::move(text)});
  }
  return result;
}

void TextWriter::put(const Names& names, const std::vector<Replaced>& replaced, std::uint64_t number,
                     std::string& text) {
  if (!replaced.empty()) {
    const auto found = std::lower_bound(replaced.begin(), replaced.end(), number,
                                        [](const Replaced& entry, std::uint64_t n) { return entry.number < n; });
    if (found != replaced.end() && found->number == number) {
      text += found->text;
      return;
    }
  }
  const std::string& name = names.text(number);
  text += name.empty() ? "?" : name;
}

const std::vector<TextWriter::Replaced>& TextWriter::replaced_of(ObjectOf object) const {
  return choose(object, threads_, variables_, syncs_, regions_);
}

void TextWriter::append(const model::Event& event, std::string& text) const {
  const Operation& operation = operation_of(event);
  put(trace_.threads, threads_, model::to_number(event.thread), text);
  text += '|';
  text += operation.name;
  const bool has_object = operation.object != ObjectOf::kNothing && !(operation.object_optional && event.object == 0);
  if (has_object) {
    text += '(';
    put(*names_of(trace_, operation.object), replaced_of(operation.object), event.object, text);
    if (event.kind == model::EventKind::kNotify) {
      text += ',';
      if (event.peer != model::ThreadId{}) put(trace_.threads, threads_, model::to_number(event.peer), text);
    }
    text += ')';
  }
  text += '|';
  put(trace_.sites, sites_, model::to_number(event.site), text);
  text += '\n';
}

std::string text_of(const Trace& trace) {
  const TextWriter writer(trace);
  std::string text;
  for (const model::Event& event : trace.events) writer.append(event, text);
  return text;
}

}  // namespace deadheat::trace
