// SPDX-License-Identifier: Apache-2.0
//
// A class file as plain data: parse() takes any bytes and checks every bound, write() of an untouched ClassFile gives
// the same bytes again. Attributes are opaque here; code.h opens the Code attribute. Names are modified UTF-8, kept as
// bytes.
//
// Nothing is copied while parsing: the bytes given to parse() must outlive the ClassFile. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "classfile/constant_pool.h"

namespace deadheat::classfile {

enum Access : std::uint16_t {
  kAccPublic = 0x0001,
  kAccPrivate = 0x0002,
  kAccProtected = 0x0004,
  kAccStatic = 0x0008,
  kAccFinal = 0x0010,
  kAccSynchronized = 0x0020,  // methods
  kAccSuper = 0x0020,         // classes
  kAccVolatile = 0x0040,      // fields
  kAccBridge = 0x0040,        // methods
  kAccTransient = 0x0080,     // fields
  kAccVarargs = 0x0080,       // methods
  kAccNative = 0x0100,
  kAccInterface = 0x0200,
  kAccAbstract = 0x0400,
  kAccStrict = 0x0800,
  kAccSynthetic = 0x1000,
  kAccAnnotation = 0x2000,
  kAccEnum = 0x4000,
  kAccModule = 0x8000,
};

struct Attribute {
  std::uint16_t name = 0;  // utf8
  ByteSpan bytes;          // without the six bytes of name and length
};

// A field or a method.
struct Member {
  std::uint16_t access_flags = 0;
  std::uint16_t name = 0;        // utf8
  std::uint16_t descriptor = 0;  // utf8
  std::vector<Attribute> attributes;

  bool has(Access flag) const { return (access_flags & flag) != 0; }
};

class ClassFile {
 public:
  static Result<ClassFile> parse(ByteSpan bytes);
  std::vector<std::uint8_t> write() const;

  // Internal names; empty where the index is bad or, for the superclass of java/lang/Object and of modules, zero.
  std::string_view name() const { return pool.class_name(this_class).value_or(std::string_view()); }
  std::string_view super_name() const { return pool.class_name(super_class).value_or(std::string_view()); }
  std::string_view name_of(const Member& member) const { return pool.utf8(member.name).value_or(std::string_view()); }
  std::string_view descriptor_of(const Member& member) const {
    return pool.utf8(member.descriptor).value_or(std::string_view());
  }
  // The first attribute of that name, or null.
  const Attribute* find(const std::vector<Attribute>& attributes, std::string_view name) const;
  // The method that links the invokedynamic, or the dynamic constant, with this index in the pool.
  std::optional<MemberRef> bootstrap_method(std::uint32_t dynamic) const;

  // Keeps bytes alive as long as this ClassFile (moves included), for an attribute that replaces a parsed one.
  ByteSpan own(std::vector<std::uint8_t> bytes);

  std::uint16_t minor = 0;
  std::uint16_t major = 0;
  ConstantPool pool;
  std::uint16_t access_flags = 0;
  std::uint16_t this_class = 0;
  std::uint16_t super_class = 0;
  std::vector<std::uint16_t> interfaces;
  std::vector<Member> fields;
  std::vector<Member> methods;
  std::vector<Attribute> attributes;

 private:
  std::vector<std::vector<std::uint8_t>> owned_;
};

}  // namespace deadheat::classfile
