// SPDX-License-Identifier: Apache-2.0
//
// Checks for our own bugs. DH_CHECK stays on in release builds, DH_DCHECK is for hot code and is on in debug builds
// only. Never use either on input (class files, traces, options): input errors travel as Result<T>.
#pragma once

namespace deadheat {

// Prints the message with its place and aborts. Out of line so that a check costs one branch.
[[noreturn]] void check_failed(const char* file, int line, const char* condition);

}  // namespace deadheat

#define DH_CHECK(condition) \
  (__builtin_expect(!(condition), 0) ? ::deadheat::check_failed(__FILE__, __LINE__, #condition) : (void)0)

#ifdef NDEBUG
#define DH_DCHECK(condition) ((void)0)
#else
#define DH_DCHECK(condition) DH_CHECK(condition)
#endif

#define DH_NOINLINE __attribute__((noinline))
#define DH_ALWAYS_INLINE inline __attribute__((always_inline))
