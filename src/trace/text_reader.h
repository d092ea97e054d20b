// SPDX-License-Identifier: Apache-2.0
//
// Reads the text formats (docs/trace-format.md): one event a line, `thread|operation(object)|location`. The public
// dialect and ours are read alike. Fed block by block, so that a pipe can be read and no text is kept.
//
// Untrusted input: a line that cannot be read is named with its column and what was expected there, and makes no event.
// While there is no problem, the n-th event is the n-th line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/problem.h"
#include "trace/trace.h"

namespace deadheat::trace {

class TextReader {
 public:
  // Both outlive the reader. total_bytes: how long the text is, if that is known: saves copying events around.
  TextReader(Trace& trace, Problems& problems, std::uint64_t total_bytes = 0)
      : trace_(trace), problems_(problems), total_bytes_(total_bytes) {}

  // The next bytes of the text; a line may begin in one block and end in another.
  void feed(std::string_view block);
  // The text is complete.
  void finish();

 private:
  void feed_lines(std::string_view lines);
  void on_line(const char* begin, const char* end);
  // false: the line has a problem, which is noted.
  bool parse(const char* begin, const char* end, model::Event& event);
  bool parse_object(const char* begin, const char* end, model::Event& event);
  bool refuse(const char* line, const char* at, std::string message);
  // A byte that no name may hold, or the end of the line, where something else was expected.
  bool refuse_byte(const char* line, const char* at, const char* end, std::string_view expected);
  void note_empty_lines();

  Trace& trace_;
  Problems& problems_;
  const std::uint64_t total_bytes_;
  std::uint64_t line_ = 0;         // the number of the line being read
  std::uint64_t first_empty_ = 0;  // the first of the empty lines just read: allowed at the end only
  std::string begun_;              // a line that the blocks so far have not completed
  bool too_long_ = false;          // the begun line is: what follows is skipped
  std::string last_thread_;        // most lines are of the same thread as the line before
  std::uint32_t last_thread_number_ = 0;
};

}  // namespace deadheat::trace
