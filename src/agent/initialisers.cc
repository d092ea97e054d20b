// SPDX-License-Identifier: Apache-2.0
#include "agent/initialisers.h"

#include <algorithm>
#include <set>

#include "classfile/code.h"

namespace deadheat::agent {
namespace {

using classfile::ClassFile;
using classfile::Member;
using classfile::Opcode;

bool calls(Opcode opcode) {
  return opcode == Opcode::invokevirtual || opcode == Opcode::invokespecial || opcode == Opcode::invokestatic ||
         opcode == Opcode::invokeinterface;
}

}  // namespace

std::optional<std::vector<std::string>> used_by_initialiser(const ClassFile& cls) {
  std::set<std::string> owners;
  std::vector<const Member*> reached;  // methods of the class, each once
  const auto reach = [&](std::string_view name, std::string_view descriptor) {
    for (const Member& method : cls.methods) {
      if (cls.name_of(method) != name || cls.descriptor_of(method) != descriptor) continue;
      if (std::find(reached.begin(), reached.end(), &method) == reached.end()) reached.push_back(&method);
    }
  };
  reach("<clinit>", "()V");
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const Member& method = *reached[next];
    if (method.has(classfile::kAccNative) || method.has(classfile::kAccAbstract)) continue;
    const Result<classfile::Code> code = classfile::Code::parse(cls, method);
    if (!code.ok()) return std::nullopt;
    for (const classfile::InsnId at : code.value().originals()) {
      const classfile::Instruction& instruction = code.value().at(at);
      if (instruction.opcode == Opcode::invokedynamic) return std::nullopt;
      if (!calls(instruction.opcode)) continue;
      const auto called = cls.pool.member(instruction.index());
      if (!called) return std::nullopt;
      owners.emplace(called->owner);
      if (called->owner == cls.name()) reach(called->name, called->descriptor);
    }
  }
  return std::vector<std::string>(owners.begin(), owners.end());
}

}  // namespace deadheat::agent
