// SPDX-License-Identifier: Apache-2.0
//
// The variables of a trace that come as object and part (access_key.h): numbers and names for them, in the order of
// their first access. Untrusted input, as the reader's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/number_map.h"
#include "trace/access_key.h"
#include "trace/names.h"

namespace deadheat::trace {

class KeyedVariables {
 public:
  // "a.B.x"; false: that field has a name already, or this is none.
  bool name_field(std::uint32_t number, std::string_view name);
  // The variable's number in the table, where it gets a name when it is new: "a.B@4.x", "a.B.x", "array@4[2]". 0: it
  // cannot have one, since its field has none or its name is taken.
  std::uint32_t number(const AccessKey& key, bool is_element, Names& variables);

 private:
  struct Field {
    std::string owner, name;
  };
  std::string name_of(const AccessKey& key, bool is_element) const;

  std::unordered_map<std::uint32_t, Field> fields_;
  NumberMap<std::uint32_t> numbers_;  // by object and part
};

}  // namespace deadheat::trace
