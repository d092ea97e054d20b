// SPDX-License-Identifier: Apache-2.0
//
// A clip: one interleaving of one program that can be played again. One file:
//
//   "DHCLIP", version u2, length u4 + header (JSON), length u4 + decision log (schedule/decision_log_file.h), length u4
//   + site list ("number TAB name TAB file:line" a line), checksum u8 (64-bit FNV-1a over all bytes before).
//   Big-endian.
//
// The reader takes any bytes: it answers with a clip that holds together, or an error that says what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "report/race.h"

namespace deadheat::cli {

struct Clip {
  // The header.
  std::string race;
  std::string headline;            // of the race, for people
  std::vector<std::string> sites;  // the pair; between its two, a site where a thread was stopped
  std::string strategy;            // that found it
  std::uint64_t seed = 0;
  std::string order;                 // coin, 1, 2
  bool every_access = false;         // the steps include all plain accesses, not only those at the sites
  std::vector<std::string> include;  // then: of which classes
  std::vector<std::string> exclude;
  std::int64_t clock = 0;  // milliseconds since 1970 at the start
  // Other agents and their threads were kept apart from the program (docs/scheduler.md); not in clips that do not say.
  bool agents_apart = true;
  std::string deadheat;  // version
  std::string jvm;       // name and version
  std::vector<std::string> command;
  std::string working_directory;
  std::string class_path_hash;  // empty: the class path is not known
  // What came of it.
  std::string outcome;  // one line
  int exit_status = 0;
  int signal = 0;
  bool cut_off = false;  // by the time limit: the program did not end, and its end is none of its own
  std::uint64_t output_hash = 0;
  std::vector<std::string> exceptions;  // classes

  std::vector<std::uint8_t> decisions;
  std::string site_list;
};

std::vector<std::uint8_t> encode_clip(const Clip& clip);
Result<Clip> decode_clip(ByteSpan bytes);

// A file that is written whole or not at all.
Status write_clip(const Clip& clip, const std::filesystem::path& file);
Result<Clip> read_clip(const std::filesystem::path& file);

// The site list by number. Lines that are none are left out.
struct ClipSite {
  std::string name;
  report::Frame frame;
};
std::map<std::uint32_t, ClipSite> parse_site_list(const std::string& text);

}  // namespace deadheat::cli
