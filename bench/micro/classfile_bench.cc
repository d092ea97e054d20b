// SPDX-License-Identifier: Apache-2.0
//
// How fast class files go through the library: every class of java.base, taken from the JDK at JAVA_HOME or that of the
// `java` on the path. items = classes, bytes = class-file bytes. Skipped, with a message, where there is no JDK.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/frame_analysis.h"

namespace deadheat::classfile {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

fs::path java_home() {
  if (const char* home = std::getenv("JAVA_HOME")) return home;
  std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  for (std::size_t at = 0; at <= path.size();) {
    std::size_t end = std::min(path.find(':', at), path.size());
    std::error_code error;
    fs::path java = fs::canonical(fs::path(path.substr(at, end - at)) / "java", error);
    if (!error) return java.parent_path().parent_path();
    at = end + 1;
  }
  return {};
}

// The module image has no public reader outside the JDK, so its own tool unpacks it once.
std::vector<Bytes> read_java_base() {
  fs::path home = java_home();
  std::error_code error;
  if (home.empty() || !fs::exists(home / "bin/jimage", error)) return {};
  std::string folder = (fs::temp_directory_path() / "classfile_bench.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {};
  std::string command = (home / "bin/jimage").string() + " extract --include 'regex:/java.base/.*[.]class' --dir " +
                        folder + " " + (home / "lib/modules").string();
  std::vector<Bytes> classes;
  if (std::system(command.c_str()) == 0) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".class") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      classes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  }
  fs::remove_all(folder, error);
  return classes;
}

// Runs `work` on every class, once an iteration.
template <typename Work>
void over_java_base(benchmark::State& state, Work work) {
  static const std::vector<Bytes> classes = read_java_base();
  if (classes.empty()) return state.SkipWithError("no JDK with jimage: set JAVA_HOME");
  std::int64_t bytes = 0;
  for (const Bytes& cls : classes) bytes += static_cast<std::int64_t>(cls.size());
  for (auto _ : state) {
    for (const Bytes& cls : classes) work(cls);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(classes.size()));
  state.SetBytesProcessed(state.iterations() * bytes);
}

template <typename Work>
void for_each_code(ClassFile& cls, Work work) {
  for (Member& method : cls.methods) {
    Result<Code> code = Code::parse(cls, method);
    if (code) work(method, code.value());
  }
}

void BM_ParseWrite(benchmark::State& state) {
  over_java_base(state, [](const Bytes& bytes) {
    ClassFile cls = ClassFile::parse(bytes).value();
    benchmark::DoNotOptimize(cls.write());
  });
}
BENCHMARK(BM_ParseWrite)->Unit(benchmark::kMillisecond);

void BM_ParseCodeWrite(benchmark::State& state) {
  over_java_base(state, [](const Bytes& bytes) {
    ClassFile cls = ClassFile::parse(bytes).value();
    for_each_code(cls, [&](Member& method, Code& code) { benchmark::DoNotOptimize(code.store(cls, method).ok()); });
    benchmark::DoNotOptimize(cls.write());
  });
}
BENCHMARK(BM_ParseCodeWrite)->Unit(benchmark::kMillisecond);

// A call before every instruction: far more than any plan asks for.
void BM_ParseEditWrite(benchmark::State& state) {
  over_java_base(state, [](const Bytes& bytes) {
    ClassFile cls = ClassFile::parse(bytes).value();
    std::uint16_t hook = cls.pool.add_method({"java/lang/Hook", "hook", "(I)V"});
    for_each_code(cls, [&](Member& method, Code& code) {
      for (InsnId at : code.originals()) {
        code.insert_before(at, {Instruction::simple(Opcode::iconst_0), Instruction::invoke_static(hook)});
      }
      code.raise_max_stack(1);
      benchmark::DoNotOptimize(code.store(cls, method).ok());
    });
    benchmark::DoNotOptimize(cls.write());
  });
}
BENCHMARK(BM_ParseEditWrite)->Unit(benchmark::kMillisecond);

// Parsing included, so: the difference to BM_ParseCode.
void BM_ParseCode(benchmark::State& state) {
  over_java_base(state, [](const Bytes& bytes) {
    ClassFile cls = ClassFile::parse(bytes).value();
    for_each_code(cls, [](Member&, Code& code) { benchmark::DoNotOptimize(code.original_count()); });
  });
}
BENCHMARK(BM_ParseCode)->Unit(benchmark::kMillisecond);

void BM_ParseCodeAnalyse(benchmark::State& state) {
  over_java_base(state, [](const Bytes& bytes) {
    ClassFile cls = ClassFile::parse(bytes).value();
    for_each_code(cls, [&](Member& method, Code& code) {
      benchmark::DoNotOptimize(FrameAnalysis::run(cls, method, code).known());
    });
  });
}
BENCHMARK(BM_ParseCodeAnalyse)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace deadheat::classfile
