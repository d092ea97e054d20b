// SPDX-License-Identifier: Apache-2.0
//
// Small class files for the tests, put together by hand: one class T with one method whose code bytes the test gives.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "classfile/class_file.h"
#include "classfile/code.h"

namespace deadheat::classfile {

using Bytes = std::vector<std::uint8_t>;

struct TestHandler {
  std::uint16_t start, end, handler, type;
};

class ClassBuilder {
 public:
  explicit ClassBuilder(std::uint16_t major = 61) {
    cls_.major = major;
    cls_.access_flags = kAccPublic | kAccSuper;
    cls_.this_class = cls_.pool.add_class("T");
    cls_.super_class = cls_.pool.add_class("java/lang/Object");
  }

  ConstantPool& pool() { return cls_.pool; }
  ClassBuilder& stack(std::uint16_t slots) { return max_stack_ = slots, *this; }
  ClassBuilder& locals(std::uint16_t slots) { return max_locals_ = slots, *this; }
  ClassBuilder& handler(TestHandler handler) { return handlers_.push_back(handler), *this; }
  // An attribute of the Code attribute.
  ClassBuilder& table(std::string_view name, Bytes bytes) {
    tables_.push_back({cls_.pool.add_utf8(name), cls_.own(std::move(bytes))});
    return *this;
  }
  // Adds the method and forgets its tables.
  ClassBuilder& method(std::uint16_t flags, std::string_view name, std::string_view descriptor, const Bytes& code) {
    ByteWriter out;
    out.u2(max_stack_);
    out.u2(max_locals_);
    out.u4(static_cast<std::uint32_t>(code.size()));
    out.put(code);
    out.u2(static_cast<std::uint32_t>(handlers_.size()));
    for (const TestHandler& handler : handlers_) {
      for (std::uint16_t value : {handler.start, handler.end, handler.handler, handler.type}) out.u2(value);
    }
    out.u2(static_cast<std::uint32_t>(tables_.size()));
    for (const Attribute& table : tables_) {
      out.u2(table.name);
      out.u4(static_cast<std::uint32_t>(table.bytes.size()));
      out.put(table.bytes);
    }
    Member member{flags, cls_.pool.add_utf8(name), cls_.pool.add_utf8(descriptor), {}};
    member.attributes.push_back({cls_.pool.add_utf8("Code"), cls_.own(out.release())});
    cls_.methods.push_back(std::move(member));
    handlers_.clear();
    tables_.clear();
    return *this;
  }
  ClassBuilder& static_method(const Bytes& code, std::string_view descriptor = "()V") {
    return method(kAccStatic, "m", descriptor, code);
  }

  Bytes bytes() const { return cls_.write(); }
  ClassFile& cls() { return cls_; }
  Member& last_method() { return cls_.methods.back(); }
  Result<Code> code() { return Code::parse(cls_, last_method()); }

 private:
  ClassFile cls_;
  std::uint16_t max_stack_ = 4;
  std::uint16_t max_locals_ = 4;
  std::vector<TestHandler> handlers_;
  std::vector<Attribute> tables_;
};

// The pieces of an encoded Code attribute, for looking at.
struct EncodedCode {
  struct Table {
    std::uint16_t name;
    Bytes bytes;
  };
  Bytes code;
  std::vector<TestHandler> handlers;
  std::vector<Table> tables;

  explicit EncodedCode(const Bytes& attribute) {
    ByteReader in(attribute);
    in.skip(4);
    auto copy = [](ByteSpan span) { return Bytes(span.begin(), span.end()); };
    code = copy(in.take(in.u4()));
    for (int count = in.u2(); count > 0; --count) {
      TestHandler handler = {in.u2(), in.u2(), in.u2(), in.u2()};
      handlers.push_back(handler);
    }
    for (int count = in.u2(); count > 0; --count) {
      std::uint16_t name = in.u2();
      tables.push_back({name, copy(in.take(in.u4()))});
    }
  }
};

}  // namespace deadheat::classfile
