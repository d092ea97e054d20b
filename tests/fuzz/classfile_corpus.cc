// SPDX-License-Identifier: Apache-2.0
//
// classfile_corpus IN OUT: the class-file library against every .class file below the folder IN.
// Identity: class and methods must encode to the bytes they came from. Stress: around every instruction of every method
// goes `nop; nop; iconst_0; pop`, so that every table moves; the result is written to the same path below OUT for a JVM
// to verify. Prints one line of counts; the exit code is 1 if an identity check or a parse failed.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/frame_analysis.h"

namespace {

using namespace deadheat;
using namespace deadheat::classfile;
namespace fs = std::filesystem;

// A JVM verifies a class of this version without its frames when they are wrong, and old compilers (Jython's) wrote
// wrong ones.
constexpr std::uint16_t kFramesAreAdvice = 50;

struct Counts {
  long classes = 0;
  long bytes = 0;
  long methods = 0;
  long skipped = 0;  // too large once edited
  long unknown = 0;  // no frame analysis
  long far = 0;      // pushed apart
  long raw = 0;      // Code attributes kept as bytes
  long advice = 0;   // frames that are wrong and that no JVM insists on
  long failures = 0;
};

std::vector<std::uint8_t> read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void fail(Counts& counts, const fs::path& path, std::string_view method, const std::string& what) {
  ++counts.failures;
  std::fprintf(stderr, "%s %.*s: %s\n", path.c_str(), static_cast<int>(method.size()), method.data(), what.c_str());
}

void stress(Code& code) {
  const std::initializer_list<Instruction> filler = {Instruction::simple(Opcode::nop), Instruction::simple(Opcode::nop),
                                                     Instruction::simple(Opcode::iconst_0),
                                                     Instruction::simple(Opcode::pop)};
  for (InsnId at : code.originals()) {
    bool third = static_cast<std::uint32_t>(at) % 3 == 0;
    // Code on the fall-through path only is dead, and so needs a frame, where nothing falls through to it.
    bool entered = static_cast<std::uint32_t>(at) == 0 ||
                   falls_through(code.at(static_cast<InsnId>(static_cast<std::uint32_t>(at) - 1)).opcode);
    code.insert_before(at, filler, third && entered ? Code::Jumps::kSkipped : Code::Jumps::kIncluded);
    if (falls_through(code.at(at).opcode)) code.insert_after(at, filler);
  }
  code.raise_max_stack(1);
}

// Pushes the two halves of a method so far apart that jumps between them need four bytes.
void stress_far(Code& code) {
  std::vector<Instruction> gap(33000, Instruction::simple(Opcode::nop));
  code.insert_before(static_cast<InsnId>(code.original_count() / 2), gap);
}

// One method in so many is pushed apart, outside java.base: the JVM that verifies would run at a crawl on such code.
constexpr long kFarOneIn = 64;

bool is_far_sample(const Code& code, const fs::path& path, long number) {
  if (number % kFarOneIn != 0 || path.string().find("/java.base/") != std::string::npos) return false;
  for (InsnId at : code.originals()) {
    if (is_conditional_jump(code.at(at).opcode)) return true;
  }
  return false;
}

bool agrees(VerificationType declared, AbstractValue found) {
  using Declared = VerificationType::Tag;
  using Found = AbstractValue::Kind;
  switch (declared.tag) {
    case Declared::kTop:
      return true;
    case Declared::kInteger:
      return found.kind() == Found::kInt;
    case Declared::kFloat:
      return found.kind() == Found::kFloat;
    case Declared::kLong:
      return found.kind() == Found::kLong;
    case Declared::kDouble:
      return found.kind() == Found::kDouble;
    case Declared::kNull:
      return found.kind() == Found::kNull;
    case Declared::kUninitializedThis:
      return found.kind() == Found::kUninitializedThis;
    case Declared::kUninitialized:
      return found.kind() == Found::kUninitialized && found.made_at() == declared.new_instruction();
    case Declared::kObject:
      return found.is_reference() && found.kind() < Found::kUninitializedThis;
  }
  return false;
}

// What the compiler declared in its frames is what the analysis must find: the stack always, the locals of full frames.
bool analysis_agrees(const Code& code, const FrameAnalysis& analysis) {
  FrameAnalysis::Cursor cursor(analysis);
  for (const Frame& frame : code.frames()) {
    if (!cursor.seek(code.instruction_at(frame.at))) continue;
    std::span<const VerificationType> types = code.types_of(frame);
    std::uint32_t slots = 0;
    for (std::size_t i = types.size(); i-- > frame.locals;) {
      slots += types[i].slots();
      if (!agrees(types[i], cursor.stack(slots - 1))) return false;
    }
    if (slots != cursor.stack_slots()) return false;
    std::uint32_t local = 0;
    for (std::size_t i = 0; frame.form == Frame::Form::kFull && i < frame.locals; ++i) {
      if (!agrees(types[i], cursor.local(local))) return false;
      local += types[i].slots();
    }
  }
  return true;
}

void check_method(ClassFile& cls, Member& method, const fs::path& path, Counts& counts) {
  const Attribute* attribute = cls.find(method.attributes, "Code");
  if (attribute == nullptr) return;
  ++counts.methods;
  Result<Code> code = Code::parse(cls, method);
  if (!code) return fail(counts, path, cls.name_of(method), code.error().message);
  counts.raw += code.value().raw_attributes();
  Result<std::vector<std::uint8_t>> same = code.value().encode(cls.pool);
  if (!same) return fail(counts, path, cls.name_of(method), same.error().message);
  if (!std::equal(same.value().begin(), same.value().end(), attribute->bytes.begin(), attribute->bytes.end())) {
    return fail(counts, path, cls.name_of(method), "the unedited code encodes differently");
  }
  FrameAnalysis analysis = FrameAnalysis::run(cls, method, code.value());
  if (!analysis.known()) ++counts.unknown;
  if (!analysis_agrees(code.value(), analysis)) {
    if (cls.major > kFramesAreAdvice)
      return fail(counts, path, cls.name_of(method), "the analysis disagrees with a frame");
    ++counts.advice;
  }
  // HotSpot knows an empty Object.finalize() by its single `return`; with anything else in it every object is
  // finalizable.
  if (code.value().original_count() == 1) return;
  // Not by a running number: the order of files in a folder is not ours.
  if (is_far_sample(code.value(), path, static_cast<long>(attribute->bytes.size()))) {
    ++counts.far;
    stress_far(code.value());
  } else {
    stress(code.value());
  }
  Status stored = code.value().store(cls, method);
  if (!stored) ++counts.skipped;
}

void check_class(const fs::path& path, const fs::path& out, Counts& counts) {
  std::vector<std::uint8_t> bytes = read(path);
  ++counts.classes;
  counts.bytes += static_cast<long>(bytes.size());
  Result<ClassFile> parsed = ClassFile::parse(bytes);
  if (!parsed) return fail(counts, path, "", parsed.error().message);
  ClassFile& cls = parsed.value();
  if (cls.write() != bytes) return fail(counts, path, "", "the untouched class is written differently");
  for (Member& method : cls.methods) check_method(cls, method, path, counts);
  write(out, cls.write());
}

int break_class(const fs::path& path, const fs::path& out) {
  std::vector<std::uint8_t> bytes = read(path);
  Result<ClassFile> cls = ClassFile::parse(bytes);
  if (!cls) return 1;
  for (Member& method : cls.value().methods) {
    Result<Code> code = Code::parse(cls.value(), method);
    if (!code) continue;
    code.value().prepend({Instruction::simple(Opcode::pop)});
    if (!code.value().store(cls.value(), method)) return 1;
  }
  write(out, cls.value().write());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--break") return break_class(argv[2], argv[3]);
  if (argc != 3) {
    std::fprintf(stderr, "usage: classfile_corpus [--break] IN OUT\n");
    return 2;
  }
  fs::path in = argv[1];
  fs::path out = argv[2];
  Counts counts;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(in)) {
    if (entry.path().extension() != ".class") continue;
    check_class(entry.path(), out / fs::relative(entry.path(), in), counts);
  }
  std::printf(
      "%ld classes, %ld bytes, %ld methods, %ld of them pushed apart; too large once edited %ld, unknown to the "
      "analysis %ld, raw attributes %ld, wrong frames of old classes %ld; %ld failures\n",
      counts.classes, counts.bytes, counts.methods, counts.far, counts.skipped, counts.unknown, counts.raw,
      counts.advice, counts.failures);
  return counts.failures == 0 ? 0 : 1;
}
