// SPDX-License-Identifier: Apache-2.0
//
// What HotSpot exports of itself for its serviceability agent (gHotSpotVMStructs and its like): where each flag is and
// who has set it, and constants of the layout of objects. A VM that does not export something answers that it is not
// known. While the agent is loaded; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace deadheat::agent {

class VmTables {
 public:
  // `vm_function`: any function of the VM, to find its library.
  explicit VmTables(const void* vm_function);
  ~VmTables();
  VmTables(const VmTables&) = delete;
  VmTables& operator=(const VmTables&) = delete;

  // Where the value of a flag is that neither the user nor the VM has set; null: there is none of this name, or
  // somebody has.
  char* value_by_default(std::string_view flag) const;
  // Whether a flag of this name is there and on.
  bool is_on(std::string_view flag) const;
  std::optional<std::uint64_t> long_constant(std::string_view name) const;

 private:
  // Where HotSpot keeps its flags, and what one looks like.
  struct FlagLayout {
    const char* flags = nullptr;
    std::size_t count = 0;
    std::size_t size = 0;
    std::optional<std::uint64_t> name, address, origin;
    bool complete() const { return flags != nullptr && count != 0 && size != 0 && name && address && origin; }
  };

  void find_flags();
  const char* flag(std::string_view name) const;  // its record, or null
  std::optional<std::uint64_t> exported(const char* name) const;

  void* library_ = nullptr;
  FlagLayout flags_;
};

}  // namespace deadheat::agent
