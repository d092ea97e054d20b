// SPDX-License-Identifier: Apache-2.0
#include "classfile/class_file.h"

#include <algorithm>
#include <utility>

namespace deadheat::classfile {
namespace {

constexpr std::uint32_t kMagic = 0xcafebabe;

void read_attributes(ByteReader& in, std::vector<Attribute>& attributes) {
  std::uint32_t count = in.u2();
  // Each takes six bytes at least: a wrong count must not make us reserve more than the file can hold.
  if (in.remaining() / 6 < count) return in.fail();
  attributes.reserve(count);
  for (std::uint32_t i = 0; i < count && !in.failed(); ++i) {
    std::uint16_t name = in.u2();
    std::uint32_t length = in.u4();
    attributes.push_back({name, in.take(length)});
  }
}

void read_members(ByteReader& in, std::vector<Member>& members) {
  std::uint32_t count = in.u2();
  if (in.remaining() / 8 < count) return in.fail();
  members.resize(count);
  for (Member& member : members) {
    member.access_flags = in.u2();
    member.name = in.u2();
    member.descriptor = in.u2();
    read_attributes(in, member.attributes);
    if (in.failed()) return;
  }
}

void write_attributes(ByteWriter& out, const std::vector<Attribute>& attributes) {
  out.u2(static_cast<std::uint32_t>(attributes.size()));
  for (const Attribute& attribute : attributes) {
    out.u2(attribute.name);
    out.u4(static_cast<std::uint32_t>(attribute.bytes.size()));
    out.put(attribute.bytes);
  }
}

void write_members(ByteWriter& out, const std::vector<Member>& members) {
  out.u2(static_cast<std::uint32_t>(members.size()));
  for (const Member& member : members) {
    out.u2(member.access_flags);
    out.u2(member.name);
    out.u2(member.descriptor);
    write_attributes(out, member.attributes);
  }
}

std::size_t size_of(const std::vector<Attribute>& attributes) {
  std::size_t size = 2;
  for (const Attribute& attribute : attributes) size += 6 + attribute.bytes.size();
  return size;
}

std::size_t size_of(const std::vector<Member>& members) {
  std::size_t size = 2;
  for (const Member& member : members) size += 6 + size_of(member.attributes);
  return size;
}

// What is bad now must not become good, as something else, when constants are added later.
bool names_well(const ConstantPool& pool, const std::vector<Attribute>& attributes) {
  return std::all_of(attributes.begin(), attributes.end(),
                     [&](const Attribute& attribute) { return pool.tag(attribute.name) == Tag::kUtf8; });
}

bool names_well(const ConstantPool& pool, const std::vector<Member>& members) {
  return std::all_of(members.begin(), members.end(), [&](const Member& member) {
    return pool.tag(member.name) == Tag::kUtf8 && pool.tag(member.descriptor) == Tag::kUtf8 &&
           names_well(pool, member.attributes);
  });
}

bool names_well(const ClassFile& cls) {
  auto is_class = [&](std::uint16_t index) { return cls.pool.tag(index) == Tag::kClass; };
  return is_class(cls.this_class) && (cls.super_class == 0 || is_class(cls.super_class)) &&
         std::all_of(cls.interfaces.begin(), cls.interfaces.end(), is_class) && names_well(cls.pool, cls.fields) &&
         names_well(cls.pool, cls.methods) && names_well(cls.pool, cls.attributes);
}

}  // namespace

Result<ClassFile> ClassFile::parse(ByteSpan bytes) {
  ByteReader in(bytes);
  if (in.u4() != kMagic) return Error{"not a class file: the magic number is missing"};
  ClassFile cls;
  cls.minor = in.u2();
  cls.major = in.u2();
  Result<ConstantPool> pool = ConstantPool::parse(in);
  if (!pool) return pool.error();
  cls.pool = std::move(pool).value();
  cls.access_flags = in.u2();
  cls.this_class = in.u2();
  cls.super_class = in.u2();
  cls.interfaces.resize(in.u2());
  for (std::uint16_t& interface : cls.interfaces) interface = in.u2();
  read_members(in, cls.fields);
  read_members(in, cls.methods);
  read_attributes(in, cls.attributes);
  if (in.failed()) return Error{"class file is truncated"};
  if (!in.at_end()) return Error{"class file has extra bytes at the end"};
  if (!names_well(cls)) return Error{"class file names a constant that is not there or of the wrong kind"};
  return cls;
}

std::vector<std::uint8_t> ClassFile::write() const {
  ByteWriter out;
  out.reserve(16 + pool.byte_size() + 2 * interfaces.size() + size_of(fields) + size_of(methods) + size_of(attributes));
  out.u4(kMagic);
  out.u2(minor);
  out.u2(major);
  pool.write(out);
  out.u2(access_flags);
  out.u2(this_class);
  out.u2(super_class);
  out.u2(static_cast<std::uint32_t>(interfaces.size()));
  for (std::uint16_t interface : interfaces) out.u2(interface);
  write_members(out, fields);
  write_members(out, methods);
  write_attributes(out, attributes);
  return out.release();
}

const Attribute* ClassFile::find(const std::vector<Attribute>& attributes_of, std::string_view attribute_name) const {
  for (const Attribute& attribute : attributes_of) {
    if (pool.utf8(attribute.name) == attribute_name) return &attribute;
  }
  return nullptr;
}

std::optional<MemberRef> ClassFile::bootstrap_method(std::uint32_t dynamic) const {
  const std::optional<std::uint16_t> wanted = pool.bootstrap(dynamic);
  const Attribute* table = find(attributes, "BootstrapMethods");
  if (!wanted || table == nullptr) return std::nullopt;
  ByteReader in(table->bytes);
  const std::uint16_t count = in.u2();
  for (std::uint16_t i = 0; i < count && !in.failed(); ++i) {
    const std::uint16_t handle = in.u2();
    if (i == *wanted) return in.failed() ? std::nullopt : pool.handle_target(handle);
    in.skip(2 * std::size_t{in.u2()});  // its arguments
  }
  return std::nullopt;
}

ByteSpan ClassFile::own(std::vector<std::uint8_t> bytes) {
  owned_.push_back(std::move(bytes));
  return owned_.back();
}

}  // namespace deadheat::classfile
