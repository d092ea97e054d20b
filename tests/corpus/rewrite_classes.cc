// SPDX-License-Identifier: Apache-2.0
//
// Rewrites class files offline exactly as the agent does: rewrite_classes [--jdk] IN_DIR OUT_DIR. Prints what was done
// and fails when a method was skipped or a class could not be read, so that a test can hold the numbers.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "agent/class_rewriter.h"

namespace fs = std::filesystem;
using namespace deadheat;
using namespace deadheat::agent;

int main(int argc, char** argv) {
  const bool jdk = argc > 1 && std::strcmp(argv[1], "--jdk") == 0;
  if (argc - jdk != 3) {
    std::fprintf(stderr, "usage: rewrite_classes [--jdk] IN_DIR OUT_DIR\n");
    return 2;
  }
  const fs::path in = argv[1 + jdk];
  const fs::path out = argv[2 + jdk];
  const WatchList list({}, {});
  ClassTable classes;
  SiteTable sites;
  NativeWords words;
  RunLog log;
  if (!log.open(out.string() + ".log").ok()) return 3;
  ClassRewriter rewriter(list, {}, classes, sites, words, log);
  std::uint64_t bytes_in = 0, bytes_out = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(in)) {
    if (entry.path().extension() != ".class") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const ByteSpan bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const auto rewritten = rewriter.rewrite(bytes, LoaderId{}, jdk);
    const fs::path to = out / fs::relative(entry.path(), in);
    fs::create_directories(to.parent_path());
    std::ofstream result(to, std::ios::binary);
    if (rewritten) {
      result.write(reinterpret_cast<const char*>(rewritten->data()), static_cast<std::streamsize>(rewritten->size()));
      bytes_out += rewritten->size();
    } else {
      result.write(text.data(), static_cast<std::streamsize>(text.size()));
      bytes_out += text.size();
    }
    bytes_in += text.size();
  }
  const RewriteTotals& totals = rewriter.totals();
  std::printf(
      "classes %llu full %llu sync %llu bad %llu methods-skipped %llu points %llu redundant %llu fresh %llu growth "
      "%.2f log %s\n",
      static_cast<unsigned long long>(totals.classes_seen), static_cast<unsigned long long>(totals.classes_full),
      static_cast<unsigned long long>(totals.classes_sync), static_cast<unsigned long long>(totals.classes_bad),
      static_cast<unsigned long long>(totals.methods_skipped), static_cast<unsigned long long>(totals.points),
      static_cast<unsigned long long>(totals.points_redundant), static_cast<unsigned long long>(totals.points_fresh),
      bytes_in == 0 ? 1.0 : static_cast<double>(bytes_out) / static_cast<double>(bytes_in), log.folder().c_str());
  return totals.methods_skipped == 0 && totals.classes_bad == 0 ? 0 : 1;
}
