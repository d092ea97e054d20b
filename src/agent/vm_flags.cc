// SPDX-License-Identifier: Apache-2.0
#include "agent/vm_flags.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace deadheat::agent {

namespace {

struct FlagSetting {
  std::string_view name;
  std::int32_t value;
  std::int32_t with_many_points;
};

// Each hook is inlined whatever these say, so a method that C2 inlines brings several times the code it had: with the
// VM's limits (325 bytecodes, 2500 bytes of machine code) compiling took a third of the time of programs that run for
// seconds.
constexpr FlagSetting kSettings[] = {{"FreqInlineSize", 200, 60}, {"InlineSmallCode", 1000, 600}};

// The tables are arrays of records whose layout is exported too, as strides and offsets.
class ExportedTable {
 public:
  ExportedTable(void* library, const char* table, const char* stride) {
    const auto* begin = static_cast<const char* const*>(dlsym(library, table));
    const auto* size = static_cast<const std::uint64_t*>(dlsym(library, stride));
    if (begin == nullptr || size == nullptr) return;
    begin_ = *begin;
    stride_ = *size;
  }
  const char* begin() const { return begin_; }
  std::size_t stride() const { return stride_; }

 private:
  const char* begin_ = nullptr;
  std::size_t stride_ = 0;
};

std::optional<std::uint64_t> exported(void* library, const char* name) {
  const auto* value = static_cast<const std::uint64_t*>(dlsym(library, name));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

template <typename T>
T at(const char* record, std::uint64_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

// Where HotSpot keeps its flags, and what one looks like.
struct FlagLayout {
  const char* flags = nullptr;
  std::size_t count = 0;
  std::size_t size = 0;
  std::optional<std::uint64_t> name, address, origin;
  bool complete() const { return flags != nullptr && count != 0 && size != 0 && name && address && origin; }
};

FlagLayout find_layout(void* library) {
  FlagLayout layout;
  const ExportedTable fields(library, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride");
  const ExportedTable types(library, "gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride");
  const auto type_name = exported(library, "gHotSpotVMStructEntryTypeNameOffset");
  const auto field_name = exported(library, "gHotSpotVMStructEntryFieldNameOffset");
  const auto offset = exported(library, "gHotSpotVMStructEntryOffsetOffset");
  const auto address = exported(library, "gHotSpotVMStructEntryAddressOffset");
  const auto entry_name = exported(library, "gHotSpotVMTypeEntryTypeNameOffset");
  const auto entry_size = exported(library, "gHotSpotVMTypeEntrySizeOffset");
  if (fields.begin() == nullptr || types.begin() == nullptr || !type_name || !field_name || !offset || !address ||
      !entry_name || !entry_size) {
    return layout;
  }
  for (const char* entry = fields.begin();; entry += fields.stride()) {
    const char* type = at<const char*>(entry, *type_name);
    const char* field = at<const char*>(entry, *field_name);
    if (type == nullptr || field == nullptr) break;
    if (std::string_view(type) != "JVMFlag") continue;
    const std::string_view name = field;
    if (name == "_name") layout.name = at<std::uint64_t>(entry, *offset);
    if (name == "_addr") layout.address = at<std::uint64_t>(entry, *offset);
    if (name == "_flags") layout.origin = at<std::uint64_t>(entry, *offset);
    if (name == "flags") layout.flags = *at<const char* const*>(entry, *address);
    if (name == "numFlags") layout.count = *at<const std::size_t*>(entry, *address);
  }
  for (const char* entry = types.begin();; entry += types.stride()) {
    const char* type = at<const char*>(entry, *entry_name);
    if (type == nullptr) break;
    if (std::string_view(type) == "JVMFlag") layout.size = at<std::uint64_t>(entry, *entry_size);
  }
  return layout;
}

// Where the value of a flag is that nobody has set; null: there is none of this name, or somebody has.
char* value_by_default(const FlagLayout& layout, std::string_view name) {
  constexpr std::uint32_t kOriginMask = 15;  // 0: nobody has set it
  for (std::size_t i = 0; layout.complete() && i < layout.count; ++i) {
    const char* flag = layout.flags + i * layout.size;
    const char* found = at<const char*>(flag, *layout.name);
    if (found == nullptr || name != found) continue;
    const bool by_default = (at<std::uint32_t>(flag, *layout.origin) & kOriginMask) == 0;
    return by_default ? at<char*>(flag, *layout.address) : nullptr;
  }
  return nullptr;
}

// The low half of an intx, whose default is small; should a later VM make it an int, nothing beside it is touched.
void set_value(char* flag, std::int32_t value) {
  std::atomic_ref(*reinterpret_cast<std::int32_t*>(flag)).store(value, std::memory_order_relaxed);
}

// The VM's library, which is loaded already; it need not be visible to all.
class VmLibrary {
 public:
  explicit VmLibrary(const void* vm_function) {
    Dl_info info;
    if (dladdr(vm_function, &info) != 0) handle_ = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~VmLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  VmLibrary(const VmLibrary&) = delete;
  VmLibrary& operator=(const VmLibrary&) = delete;
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

}  // namespace

void InliningLimits::start(const void* vm_function) {
  const VmLibrary library(vm_function);
  if (library.handle() == nullptr) return;
  const FlagLayout layout = find_layout(library.handle());
  for (const FlagSetting& setting : kSettings) {
    char* value = value_by_default(layout, setting.name);
    if (value == nullptr) continue;
    set_value(value, setting.value);
    limits_.push_back({value, setting.with_many_points});
  }
}

void InliningLimits::lower() {
  if (many_.exchange(true)) return;
  for (const Limit& limit : limits_) set_value(limit.value, limit.with_many_points);
}

}  // namespace deadheat::agent
