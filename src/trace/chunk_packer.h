// SPDX-License-Identifier: Apache-2.0
//
// From the content of a chunk to its bytes in a file. Used in the watched process too: no exceptions.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trace/binary_format.h"

struct ZSTD_CCtx_s;

namespace deadheat::trace {

// Who takes the contents of a file's chunks, in their order.
class ContentSink {
 public:
  virtual ~ContentSink() = default;
  virtual void take(ChunkKind kind, std::string content) = 0;
};

// One thread at a time.
class ChunkPacker {
 public:
  ChunkPacker();
  ~ChunkPacker();
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;

  // What a file begins with, and each of its chunks.
  static void append_file_header(std::string& out);
  void append(ChunkKind kind, std::string_view content, std::string& out);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

// A file in memory: header and chunks are appended to `out`, which outlives this and from where the owner may take
// them.
class PackedChunks final : public ContentSink {
 public:
  explicit PackedChunks(std::string& out) : out_(out) { ChunkPacker::append_file_header(out_); }
  void take(ChunkKind kind, std::string content) override { packer_.append(kind, content, out_); }

 private:
  ChunkPacker packer_;
  std::string& out_;
};

}  // namespace deadheat::trace
