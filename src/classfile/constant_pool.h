// SPDX-License-Identifier: Apache-2.0
//
// The constant pool of one class file. Entries that were parsed keep their bytes exactly; new ones are appended, never
// moved, so every index handed out stays good. The getters are checked: a bad index or tag yields nothing, never
// garbage. The parsed bytes are not copied, they must outlive the pool; text handed out lives as long as those bytes or
// the pool.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace deadheat::classfile {

enum class Tag : std::uint8_t {
  kNone = 0,  // index 0, past the end, or the unusable slot behind a long or double
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldRef = 9,
  kMethodRef = 10,
  kInterfaceMethodRef = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

// A field, method or interface method; for kDynamic and kInvokeDynamic `owner` is empty.
struct MemberRef {
  std::string_view owner;  // internal name: java/util/Map$Entry, or [I for an array's clone()
  std::string_view name;
  std::string_view descriptor;
};

class ConstantPool {
 public:
  // Reads constant_pool_count and the entries; the reader stands behind them afterwards. Entries that refer to others
  // are checked: what is bad must not turn good, as something else, once entries are added.
  static Result<ConstantPool> parse(ByteReader& in);
  void write(ByteWriter& out) const;

  // One more than the highest index, as in the file.
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  // How many bytes write() puts out.
  std::size_t byte_size() const { return 2 + original_.size() + added_size_; }

  Tag tag(std::uint32_t index) const { return index < entries_.size() ? entries_[index].tag : Tag::kNone; }
  std::optional<std::string_view> utf8(std::uint32_t index) const;
  // kClass, kModule, kPackage: the name. A class may be an array: [Ljava/lang/String;
  std::optional<std::string_view> class_name(std::uint32_t index) const;
  std::optional<std::string_view> string(std::uint32_t index) const;
  std::optional<std::int32_t> integer(std::uint32_t index) const;
  std::optional<MemberRef> member(std::uint32_t index) const;
  // kMethodHandle: what it is a handle of.
  std::optional<MemberRef> handle_target(std::uint32_t index) const;
  // kDynamic, kInvokeDynamic: which entry of the class's BootstrapMethods links it.
  std::optional<std::uint16_t> bootstrap(std::uint32_t index) const;

  // Find or add: the index of an equal entry, else of a new one. When the pool is full (65535 is the format's limit)
  // the answer is 0, which no instruction may name, and full() stays true from then on. A full pool still writes
  // correctly.
  std::uint16_t add_utf8(std::string_view text);
  std::uint16_t add_integer(std::int32_t value);
  std::uint16_t add_long(std::int64_t value);
  std::uint16_t add_class(std::string_view internal_name);
  std::uint16_t add_string(std::string_view text);
  std::uint16_t add_name_and_type(std::string_view name, std::string_view descriptor);
  std::uint16_t add_field(const MemberRef& field) { return add_member(Tag::kFieldRef, field); }
  std::uint16_t add_method(const MemberRef& method) { return add_member(Tag::kMethodRef, method); }
  std::uint16_t add_interface_method(const MemberRef& method) { return add_member(Tag::kInterfaceMethodRef, method); }
  bool full() const { return full_; }

 private:
  struct Entry {
    const std::uint8_t* data;  // behind the tag; for kUtf8 at the length
    std::uint32_t size;        // of `data`
    Tag tag;
  };

  std::uint16_t u2_at(const Entry& entry, std::size_t offset) const {
    return static_cast<std::uint16_t>(entry.data[offset] << 8 | entry.data[offset + 1]);
  }
  bool refers_well(const Entry& entry) const;
  std::uint16_t add_member(Tag tag, const MemberRef& member);
  std::uint16_t add_pair(Tag tag, std::uint16_t first, std::uint16_t second);
  std::uint16_t add_reference(Tag tag, std::uint16_t target);
  std::uint16_t find_or_add(Tag tag, ByteSpan data);
  std::uint16_t add(Tag tag, ByteSpan data);
  void build_index();
  void index_entry(std::uint16_t index);

  ByteSpan original_;                                             // the entries as parsed
  std::vector<Entry> entries_ = {Entry{nullptr, 0, Tag::kNone}};  // by constant-pool index
  std::vector<std::vector<std::uint8_t>> added_;  // each new entry with its tag; buffers stay in place when this grows
  std::size_t added_size_ = 0;
  std::vector<std::uint16_t> index_;  // open-addressing hash table of entry indices, built by the first find or add
  bool full_ = false;
};

}  // namespace deadheat::classfile
