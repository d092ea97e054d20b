// SPDX-License-Identifier: Apache-2.0
//
// What can be foreseen of the next access, by the writer and by the reader of a file alike: code does again what it
// did the last time. Behind each site comes the site that came behind it before, with the object and the part that it
// had before. Most accesses are told by one byte that says so.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/access_key.h"

namespace deadheat::trace {

class Foresight {
 public:
  // Before each access at any site of up to this number, by any thread of up to that one.
  void make_room(std::uint32_t site, std::uint32_t thread) {
    if (site >= places_.size()) places_.resize(site + 1);
    if (thread >= last_site_.size()) last_site_.resize(thread + 1);
  }
  // Nothing has happened yet. (Version 1 begins anew with each chunk.)
  void forget() {
    places_.assign(places_.size(), {});
    last_site_.assign(last_site_.size(), 0);
    last_object_ = 0;
  }

  std::uint32_t last_site(std::uint32_t thread) const { return last_site_[thread]; }
  std::uint32_t next_site(std::uint32_t thread) const { return places_[last_site_[thread]].next_site; }
  const AccessKey& last_at(std::uint32_t site) const { return places_[site].last; }
  std::uint32_t last_object() const { return last_object_; }

  // Of every event.
  void came_to(std::uint32_t thread, std::uint32_t site) { last_site_[thread] = site; }
  // Of every access.
  void accessed(std::uint32_t thread, std::uint32_t site, const AccessKey& variable) {
    places_[last_site_[thread]].next_site = site;
    last_site_[thread] = site;
    places_[site].last = variable;
    last_object_ = variable.object;
  }

 private:
  struct Place {
    std::uint32_t next_site = 0;
    AccessKey last;
  };

  std::vector<Place> places_ = std::vector<Place>(1);                     // by site
  std::vector<std::uint32_t> last_site_ = std::vector<std::uint32_t>(1);  // by thread
  std::uint32_t last_object_ = 0;
};

}  // namespace deadheat::trace
