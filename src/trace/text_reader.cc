// SPDX-License-Identifier: Apache-2.0
#include "trace/text_reader.h"

#include <array>
#include <cstring>

#include "trace/operation.h"

namespace deadheat::trace {

using model::EventKind;
using model::SiteId;
using model::ThreadId;

namespace {

constexpr std::size_t kLongestLine = 1 << 20;

// What may be part of a name: everything but the separator, spaces and control characters. Bytes above 127 belong to
// characters of UTF-8, which is not checked.
constexpr std::array<bool, 256> kNameByte = [] {
  std::array<bool, 256> table{};
  for (int byte = 0; byte < 256; ++byte) table[byte] = byte > ' ' && byte != '|' && byte != 0x7f;
  return table;
}();

// Some editors put it before the first character of a file.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_name_byte(char byte) { return kNameByte[static_cast<unsigned char>(byte)]; }

const char* skip_name(const char* at, const char* end) {
  while (at != end && is_name_byte(*at)) ++at;
  return at;
}

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result = "'";
  for (const char byte : text.substr(0, kMost)) result += static_cast<unsigned char>(byte) < ' ' ? '?' : byte;
  if (text.size() > kMost) result += "…";
  return result += "'";
}

// The four operations that make up nearly all of a trace, without a search.
const Operation* find_fast(std::string_view name) {
  const std::span<const Operation> table = operations();
  if (name.size() == 1) {
    if (name[0] == 'r') return &table[0];
    if (name[0] == 'w') return &table[1];
  } else if (name.size() == 3) {
    if (std::memcmp(name.data(), "acq", 3) == 0) return &table[2];
    if (std::memcmp(name.data(), "rel", 3) == 0) return &table[3];
  }
  return find_operation(name);
}

std::string unknown_operation(std::string_view name) {
  std::string message = quoted(name) + " is no operation; expected one of";
  char separator = ' ';
  for (const Operation& operation : operations()) {
    if (!operation.is_public) continue;
    message += separator;
    if (separator == ',') message += ' ';
    message += operation.name;
    separator = ',';
  }
  return message + " (docs/trace-format.md lists those of deadheat's own dialect)";
}

}  // namespace

void TextReader::feed(std::string_view block) {
  if (const std::size_t first_end = block.find('\n'); !begun_.empty() || too_long_) {
    begun_.append(too_long_ ? std::string_view() : block.substr(0, first_end));
    too_long_ = too_long_ || begun_.size() > kLongestLine;
    if (first_end == std::string_view::npos) return;
    on_line(begun_.data(), begun_.data() + begun_.size());
    begun_.clear();
    too_long_ = false;
    block.remove_prefix(first_end + 1);
  }
  const std::size_t last_end = block.rfind('\n');
  const std::size_t whole = last_end == std::string_view::npos ? 0 : last_end + 1;
  feed_lines(block.substr(0, whole));
  begun_ = block.substr(whole);
}

void TextReader::feed_lines(std::string_view lines) {
  std::vector<model::Event>& events = trace_.events;
  const bool first = events.empty();
  const char* at = lines.data();
  const char* const end = at + lines.size();
  while (at != end) {
    const char* line_end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    on_line(at, line_end);
    at = line_end + 1;
  }
  // From the first block on it is known about how many events there will be.
  if (first && !events.empty() && total_bytes_ > lines.size()) {
    events.reserve(static_cast<std::size_t>(1.05 * static_cast<double>(total_bytes_) /
                                            static_cast<double>(lines.size()) * static_cast<double>(events.size())));
  }
}

void TextReader::finish() {
  if (!begun_.empty()) on_line(begun_.data(), begun_.data() + begun_.size());
  begun_.clear();
}

void TextReader::on_line(const char* begin, const char* end) {
  if (++line_ == 1 && between(begin, end).starts_with(kByteOrderMark)) begin += kByteOrderMark.size();
  if (begin != end && end[-1] == '\r') --end;
  if (begin == end) {
    if (first_empty_ == 0) first_empty_ = line_;
    return;
  }
  if (first_empty_ != 0) note_empty_lines();
  if (static_cast<std::size_t>(end - begin) > kLongestLine) {
    problems_.add(line_, 0, "the line is longer than a mebibyte; is this a trace?");
    return;
  }
  if (model::Event event{}; parse(begin, end, event)) trace_.events.push_back(event);
}

void TextReader::note_empty_lines() {
  for (std::uint64_t empty = first_empty_; empty < line_; ++empty) {
    problems_.add(empty, 0, "the line is empty; expected an event: thread|operation(object)|location");
  }
  first_empty_ = 0;
}

bool TextReader::parse(const char* begin, const char* end, model::Event& event) {
  const char* at = skip_name(begin, end);
  if (at == begin || at == end || *at != '|') {
    return refuse_byte(begin, at, end, at == begin ? "a thread's name" : "'|' behind the thread's name");
  }
  if (const std::string_view thread = between(begin, at); thread != last_thread_) {
    last_thread_ = thread;
    last_thread_number_ = trace_.threads.number(thread);
  }
  event.thread = ThreadId{last_thread_number_};

  const char* const operation_begin = ++at;
  while (at != end && is_name_byte(*at) && *at != '(') ++at;
  const std::string_view name = between(operation_begin, at);
  if (name.empty()) return refuse_byte(begin, at, end, "an operation");
  const Operation* operation = find_fast(name);
  if (operation == nullptr) return refuse(begin, operation_begin, unknown_operation(name));
  event.kind = operation->kind;
  event.mode = operation->mode;

  const char* const object_begin = at;
  at = skip_name(at, end);
  if (at == end || *at != '|') return refuse_byte(begin, at, end, "'|' and a location behind the operation");
  if (object_begin != at || !(operation->object_optional || operation->object == ObjectOf::kNothing)) {
    if (operation->object == ObjectOf::kNothing) {
      return refuse(begin, object_begin, quoted(name) + " takes no object; expected '|' and a location");
    }
    if (object_begin == at) {
      return refuse(begin, at,
                    "expected (" + std::string(object_words(operation->object)) + ") behind " + quoted(name));
    }
    if (at[-1] != ')') return refuse(begin, at, "expected ')' before the second '|'");
    if (at - object_begin == 2 && !operation->object_optional) {
      return refuse(begin, object_begin + 1, "expected " + std::string(object_words(operation->object)));
    }
    if (!parse_object(object_begin + 1, at - 1, event)) {
      return refuse(begin, object_begin + 1, "expected the name of the monitor before ','");
    }
  }

  const char* const site_begin = ++at;
  at = skip_name(at, end);
  if (at == site_begin || at != end) {
    return refuse_byte(begin, at, end, at == site_begin ? "a location" : "the end of the line behind the location");
  }
  event.site = SiteId{trace_.sites.number(between(site_begin, at))};
  return true;
}

bool TextReader::parse_object(const char* begin, const char* end, model::Event& event) {
  std::string_view name = between(begin, end);
  if (event.kind == EventKind::kNotify) {
    // Behind the last comma, who was woken.
    if (const std::size_t comma = name.rfind(','); comma != std::string_view::npos) {
      if (comma == 0) return false;
      event.peer = ThreadId{trace_.threads.number(name.substr(comma + 1))};
      name = name.substr(0, comma);
    }
  }
  switch (event.kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
      event.object = trace_.variables.number(name);
      break;
    default:
      event.object = names_of(trace_, object_of(event.kind))->number(name);
  }
  return true;
}

bool TextReader::refuse(const char* line, const char* at, std::string message) {
  problems_.add(line_, static_cast<std::uint32_t>(at - line) + 1, std::move(message));
  return false;
}

bool TextReader::refuse_byte(const char* line, const char* at, const char* end, std::string_view expected) {
  std::string message = "expected ";
  message += expected;
  if (at == end) {
    message += ", but the line ends";
  } else if (*at == ' ' || *at == '\t') {
    message += ", not a space: names have none";
  } else if (!is_name_byte(*at) && *at != '|') {
    message += ", not a control character";
  } else {
    message += ", not '";
    message += *at;
    message += '\'';
  }
  return refuse(line, at, std::move(message));
}

}  // namespace deadheat::trace
