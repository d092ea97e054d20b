// SPDX-License-Identifier: Apache-2.0
//
// What a thread keeps for its history (history_layout.h), and the ways it came lately in front of the table of all
// (way_table.h): it comes by the same few again and again, and those of its own stay in its cache. It begins small,
// because virtual threads come by the hundred thousand. Used by its thread only; needs no JVM.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agent/history_layout.h"

namespace deadheat::agent {

class ThreadHistory {
 public:
  static constexpr std::uint32_t kFirstSize = 64;
  static constexpr std::uint32_t kMostSize = 8192;

  ThreadHistory();

  // The way of this way_key() is among the recent ones from now on, until another one takes its place.
  void remember(std::uint64_t key, std::uint32_t number);
  // view.until_growth has come to 0: makes room for more.
  void enlarge();
  // A part of the recent ways is no longer among them: another part each time.
  void forget_some();

  // HistoryView::not_kept.
  void count_not_kept();
  // Any thread may ask.
  std::uint64_t not_kept() const;

  // The names of the locks held now, outermost first.
  std::vector<std::uint64_t> held() const;

  HistoryView view;  // the shim is given its address

 private:
  void resize(std::uint32_t size);

  std::unique_ptr<std::uint64_t[]> recent_;
  std::uint32_t forgotten_ = 0;  // parts
};

}  // namespace deadheat::agent
