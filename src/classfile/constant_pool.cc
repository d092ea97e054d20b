// SPDX-License-Identifier: Apache-2.0
#include "classfile/constant_pool.h"

#include <bit>
#include <cstring>
#include <functional>

namespace deadheat::classfile {
namespace {

constexpr std::uint32_t kMaxCount = 65535;  // constant_pool_count is a u2

// The bytes behind the tag, 0 for an unknown tag. kUtf8 is its length field only.
std::size_t data_size(Tag tag) {
  switch (tag) {
    case Tag::kUtf8:
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodType:
    case Tag::kModule:
    case Tag::kPackage:
      return 2;
    case Tag::kMethodHandle:
      return 3;
    case Tag::kInteger:
    case Tag::kFloat:
    case Tag::kFieldRef:
    case Tag::kMethodRef:
    case Tag::kInterfaceMethodRef:
    case Tag::kNameAndType:
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      return 4;
    case Tag::kLong:
    case Tag::kDouble:
      return 8;
    case Tag::kNone:
      break;
  }
  return 0;
}

bool takes_two(Tag tag) { return tag == Tag::kLong || tag == Tag::kDouble; }

std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Of a text without its length: to find one needs no copy with the length in front.
std::size_t hash_of(Tag tag, const std::uint8_t* data, std::size_t size) {
  const std::size_t in_front = tag == Tag::kUtf8 ? 2 : 0;
  return std::hash<std::string_view>()(as_text(data + in_front, size - in_front)) * 31 + static_cast<std::size_t>(tag);
}

}  // namespace

Result<ConstantPool> ConstantPool::parse(ByteReader& in) {
  ConstantPool pool;
  std::uint32_t count = in.u2();
  if (in.failed() || count == 0) return Error{"constant pool: no entry count"};
  pool.entries_.resize(count, Entry{nullptr, 0, Tag::kNone});
  ByteReader start = in;
  std::size_t start_position = in.position();
  for (std::uint32_t i = 1; i < count; ++i) {
    Tag tag = static_cast<Tag>(in.u1());
    std::size_t size = data_size(tag);
    if (size == 0) return Error{"constant pool: unknown tag at entry " + std::to_string(i)};
    ByteSpan data = in.take(size);
    if (in.failed()) return Error{"constant pool: truncated at entry " + std::to_string(i)};
    if (tag == Tag::kUtf8) {
      std::size_t length = static_cast<std::size_t>(data[0]) << 8 | data[1];
      in.skip(length);
      if (in.failed()) return Error{"constant pool: truncated at entry " + std::to_string(i)};
      size += length;
    }
    pool.entries_[i] = {data.data(), static_cast<std::uint32_t>(size), tag};
    if (takes_two(tag) && ++i >= count) return Error{"constant pool: no room behind a long or double"};
  }
  pool.original_ = start.take(in.position() - start_position);
  for (std::uint32_t i = 1; i < count; ++i) {
    if (!pool.refers_well(pool.entries_[i])) {
      return Error{"constant pool: entry " + std::to_string(i) + " refers to a wrong entry"};
    }
  }
  return pool;
}

bool ConstantPool::refers_well(const Entry& entry) const {
  auto refers_to = [&](std::size_t offset, Tag wanted) { return tag(u2_at(entry, offset)) == wanted; };
  switch (entry.tag) {
    case Tag::kClass:
    case Tag::kString:
    case Tag::kMethodType:
    case Tag::kModule:
    case Tag::kPackage:
      return refers_to(0, Tag::kUtf8);
    case Tag::kFieldRef:
    case Tag::kMethodRef:
    case Tag::kInterfaceMethodRef:
      return refers_to(0, Tag::kClass) && refers_to(2, Tag::kNameAndType);
    case Tag::kNameAndType:
      return refers_to(0, Tag::kUtf8) && refers_to(2, Tag::kUtf8);
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      return refers_to(2, Tag::kNameAndType);
    case Tag::kMethodHandle:
      return refers_to(1, Tag::kFieldRef) || refers_to(1, Tag::kMethodRef) || refers_to(1, Tag::kInterfaceMethodRef);
    default:
      return true;
  }
}

void ConstantPool::write(ByteWriter& out) const {
  out.u2(size());
  out.put(original_);
  for (const std::vector<std::uint8_t>& entry : added_) out.put(entry);
}

std::optional<std::string_view> ConstantPool::utf8(std::uint32_t index) const {
  if (tag(index) != Tag::kUtf8) return std::nullopt;
  const Entry& entry = entries_[index];
  return as_text(entry.data + 2, entry.size - 2);
}

std::optional<std::string_view> ConstantPool::class_name(std::uint32_t index) const {
  Tag kind = tag(index);
  if (kind != Tag::kClass && kind != Tag::kModule && kind != Tag::kPackage) return std::nullopt;
  return utf8(u2_at(entries_[index], 0));
}

std::optional<std::string_view> ConstantPool::string(std::uint32_t index) const {
  if (tag(index) != Tag::kString) return std::nullopt;
  return utf8(u2_at(entries_[index], 0));
}

std::optional<std::int32_t> ConstantPool::integer(std::uint32_t index) const {
  if (tag(index) != Tag::kInteger) return std::nullopt;
  const Entry& entry = entries_[index];
  return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(u2_at(entry, 0)) << 16 | u2_at(entry, 2));
}

std::optional<MemberRef> ConstantPool::member(std::uint32_t index) const {
  MemberRef result;
  switch (tag(index)) {
    case Tag::kFieldRef:
    case Tag::kMethodRef:
    case Tag::kInterfaceMethodRef: {
      std::optional<std::string_view> owner = class_name(u2_at(entries_[index], 0));
      if (!owner) return std::nullopt;
      result.owner = *owner;
      break;
    }
    case Tag::kDynamic:
    case Tag::kInvokeDynamic:
      break;
    default:
      return std::nullopt;
  }
  std::uint16_t name_and_type = u2_at(entries_[index], 2);
  if (tag(name_and_type) != Tag::kNameAndType) return std::nullopt;
  std::optional<std::string_view> name = utf8(u2_at(entries_[name_and_type], 0));
  std::optional<std::string_view> descriptor = utf8(u2_at(entries_[name_and_type], 2));
  if (!name || !descriptor) return std::nullopt;
  result.name = *name;
  result.descriptor = *descriptor;
  return result;
}

std::optional<MemberRef> ConstantPool::handle_target(std::uint32_t index) const {
  if (tag(index) != Tag::kMethodHandle) return std::nullopt;
  return member(u2_at(entries_[index], 1));
}

std::optional<std::uint16_t> ConstantPool::bootstrap(std::uint32_t index) const {
  if (tag(index) != Tag::kDynamic && tag(index) != Tag::kInvokeDynamic) return std::nullopt;
  return u2_at(entries_[index], 0);
}

std::uint16_t ConstantPool::add_utf8(std::string_view text) {
  if (text.size() > 65535) {
    full_ = true;
    return 0;
  }
  if (index_.size() < 2 * entries_.size()) build_index();
  const std::size_t mask = index_.size() - 1;
  std::size_t at = (std::hash<std::string_view>()(text) * 31 + static_cast<std::size_t>(Tag::kUtf8)) & mask;
  for (; index_[at] != 0; at = (at + 1) & mask) {
    const Entry& entry = entries_[index_[at]];
    if (entry.tag == Tag::kUtf8 && as_text(entry.data + 2, entry.size - 2) == text) return index_[at];
  }
  ByteWriter data;
  data.reserve(2 + text.size());
  data.u2(static_cast<std::uint32_t>(text.size()));
  data.put(text);
  return add(Tag::kUtf8, data.bytes());
}

std::uint16_t ConstantPool::add_integer(std::int32_t value) {
  ByteWriter data;
  data.u4(static_cast<std::uint32_t>(value));
  return find_or_add(Tag::kInteger, data.bytes());
}

std::uint16_t ConstantPool::add_long(std::int64_t value) {
  ByteWriter data;
  data.u8(static_cast<std::uint64_t>(value));
  return find_or_add(Tag::kLong, data.bytes());
}

std::uint16_t ConstantPool::add_class(std::string_view internal_name) {
  return add_reference(Tag::kClass, add_utf8(internal_name));
}

std::uint16_t ConstantPool::add_string(std::string_view text) { return add_reference(Tag::kString, add_utf8(text)); }

std::uint16_t ConstantPool::add_name_and_type(std::string_view name, std::string_view descriptor) {
  std::uint16_t name_index = add_utf8(name);
  return add_pair(Tag::kNameAndType, name_index, add_utf8(descriptor));
}

std::uint16_t ConstantPool::add_member(Tag tag, const MemberRef& member) {
  std::uint16_t owner = add_class(member.owner);
  return add_pair(tag, owner, add_name_and_type(member.name, member.descriptor));
}

std::uint16_t ConstantPool::add_pair(Tag tag, std::uint16_t first, std::uint16_t second) {
  if (first == 0 || second == 0) return 0;
  const std::uint8_t data[] = {static_cast<std::uint8_t>(first >> 8), static_cast<std::uint8_t>(first),
                               static_cast<std::uint8_t>(second >> 8), static_cast<std::uint8_t>(second)};
  return find_or_add(tag, data);
}

std::uint16_t ConstantPool::add_reference(Tag tag, std::uint16_t target) {
  if (target == 0) return 0;
  const std::uint8_t data[] = {static_cast<std::uint8_t>(target >> 8), static_cast<std::uint8_t>(target)};
  return find_or_add(tag, data);
}

std::uint16_t ConstantPool::find_or_add(Tag tag, ByteSpan data) {
  if (index_.size() < 2 * entries_.size()) build_index();
  std::size_t mask = index_.size() - 1;
  for (std::size_t at = hash_of(tag, data.data(), data.size()) & mask; index_[at] != 0; at = (at + 1) & mask) {
    const Entry& entry = entries_[index_[at]];
    if (entry.tag == tag && entry.size == data.size() && std::memcmp(entry.data, data.data(), data.size()) == 0) {
      return index_[at];
    }
  }
  return add(tag, data);
}

std::uint16_t ConstantPool::add(Tag tag, ByteSpan data) {
  if (entries_.size() + (takes_two(tag) ? 2 : 1) > kMaxCount) {
    full_ = true;
    return 0;
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(1 + data.size());
  bytes.push_back(static_cast<std::uint8_t>(tag));
  bytes.insert(bytes.end(), data.begin(), data.end());
  added_size_ += bytes.size();
  added_.push_back(std::move(bytes));

  auto index = static_cast<std::uint16_t>(entries_.size());
  entries_.push_back({added_.back().data() + 1, static_cast<std::uint32_t>(data.size()), tag});
  index_entry(index);
  if (takes_two(tag)) entries_.push_back({nullptr, 0, Tag::kNone});
  return index;
}

// Room for four times the entries, so that a class is indexed once and rarely again.
void ConstantPool::build_index() {
  index_.assign(std::bit_ceil(4 * entries_.size()), 0);
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    if (entries_[i].tag != Tag::kNone) index_entry(static_cast<std::uint16_t>(i));
  }
}

// Puts the entry behind equal ones, so that the first of several equal entries is the one found.
void ConstantPool::index_entry(std::uint16_t index) {
  std::size_t mask = index_.size() - 1;
  std::size_t at = hash_of(entries_[index].tag, entries_[index].data, entries_[index].size) & mask;
  while (index_[at] != 0) at = (at + 1) & mask;
  index_[at] = index;
}

}  // namespace deadheat::classfile
