// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean …?" for a mistyped word.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace deadheat::cli {

// The number of letters inserted, left out, replaced or swapped with their neighbour between the two words.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate closest to the word, when it is close enough for a typing mistake.
std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace deadheat::cli
