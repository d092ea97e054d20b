// SPDX-License-Identifier: Apache-2.0
#include "agent/site_table.h"

#include "agent/class_table.h"

namespace deadheat::agent {

std::uint32_t method_of(const Site& site) { return site.in == nullptr ? 0 : site.in->first_method + site.method; }

std::uint32_t SiteTable::add(const Site& site, std::atomic<std::uint32_t>& next, std::uint32_t end) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t number = next.load(std::memory_order_relaxed);
  if (number == end) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  std::atomic<Site*>& chunk = chunks_[number >> kChunkBits];
  if (chunk.load(std::memory_order_relaxed) == nullptr)
    chunk.store(new Site[kChunkMask + 1], std::memory_order_release);
  chunk.load(std::memory_order_relaxed)[number & kChunkMask] = site;
  next.store(number + 1, std::memory_order_release);
  return number;
}

SiteTable::~SiteTable() {
  for (std::atomic<Site*>& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

}  // namespace deadheat::agent
