// SPDX-License-Identifier: Apache-2.0
#include "agent/vm_tables.h"

#include <dlfcn.h>

#include <cstring>

namespace deadheat::agent {

namespace {

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

template <typename T>
T at(const char* record, std::uint64_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof value);
  return value;
}

}  // namespace

VmTables::VmTables(const void* vm_function) {
  // It is loaded already; it need not be visible to all.
  Dl_info info;
  if (dladdr(vm_function, &info) != 0) library_ = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library_ != nullptr) find_flags();
}

VmTables::~VmTables() {
  if (library_ != nullptr) dlclose(library_);
}

std::optional<std::uint64_t> VmTables::exported(const char* name) const {
  const auto* value = static_cast<const std::uint64_t*>(dlsym(library_, name));
  return value == nullptr ? std::nullopt : std::optional(*value);
}

void VmTables::find_flags() {
  const ExportedTable fields(library_, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride");
  const ExportedTable types(library_, "gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride");
  const auto type_name = exported("gHotSpotVMStructEntryTypeNameOffset");
  const auto field_name = exported("gHotSpotVMStructEntryFieldNameOffset");
  const auto offset = exported("gHotSpotVMStructEntryOffsetOffset");
  const auto address = exported("gHotSpotVMStructEntryAddressOffset");
  const auto entry_name = exported("gHotSpotVMTypeEntryTypeNameOffset");
  const auto entry_size = exported("gHotSpotVMTypeEntrySizeOffset");
  if (fields.begin() == nullptr || types.begin() == nullptr || !type_name || !field_name || !offset || !address ||
      !entry_name || !entry_size) {
    return;
  }
  for (const char* entry = fields.begin();; entry += fields.stride()) {
    const char* type = at<const char*>(entry, *type_name);
    const char* field = at<const char*>(entry, *field_name);
    if (type == nullptr || field == nullptr) break;
    if (std::string_view(type) != "JVMFlag") continue;
    const std::string_view name = field;
    if (name == "_name") flags_.name = at<std::uint64_t>(entry, *offset);
    if (name == "_addr") flags_.address = at<std::uint64_t>(entry, *offset);
    if (name == "_flags") flags_.origin = at<std::uint64_t>(entry, *offset);
    if (name == "flags") flags_.flags = *at<const char* const*>(entry, *address);
    if (name == "numFlags") flags_.count = *at<const std::size_t*>(entry, *address);
  }
  for (const char* entry = types.begin();; entry += types.stride()) {
    const char* type = at<const char*>(entry, *entry_name);
    if (type == nullptr) break;
    if (std::string_view(type) == "JVMFlag") flags_.size = at<std::uint64_t>(entry, *entry_size);
  }
}

const char* VmTables::flag(std::string_view name) const {
  for (std::size_t i = 0; flags_.complete() && i < flags_.count; ++i) {
    const char* record = flags_.flags + i * flags_.size;
    const char* found = at<const char*>(record, *flags_.name);
    if (found != nullptr && name == found) return record;
  }
  return nullptr;
}

char* VmTables::value_by_default(std::string_view name) const {
  constexpr std::uint32_t kOriginMask = 15;  // 0: nobody has set it
  const char* record = flag(name);
  const bool by_default = record != nullptr && (at<std::uint32_t>(record, *flags_.origin) & kOriginMask) == 0;
  return by_default ? at<char*>(record, *flags_.address) : nullptr;
}

bool VmTables::is_on(std::string_view name) const {
  const char* record = flag(name);
  return record != nullptr && *at<const bool*>(record, *flags_.address);
}

std::optional<std::uint64_t> VmTables::long_constant(std::string_view name) const {
  if (library_ == nullptr) return std::nullopt;
  const ExportedTable constants(library_, "gHotSpotVMLongConstants", "gHotSpotVMLongConstantEntryArrayStride");
  const auto entry_name = exported("gHotSpotVMLongConstantEntryNameOffset");
  const auto entry_value = exported("gHotSpotVMLongConstantEntryValueOffset");
  if (constants.begin() == nullptr || !entry_name || !entry_value) return std::nullopt;
  for (const char* entry = constants.begin();; entry += constants.stride()) {
    const char* found = at<const char*>(entry, *entry_name);
    if (found == nullptr) return std::nullopt;
    if (name == found) return at<std::uint64_t>(entry, *entry_value);
  }
}

}  // namespace deadheat::agent
