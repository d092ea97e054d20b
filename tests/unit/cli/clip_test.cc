// SPDX-License-Identifier: Apache-2.0
#include "cli/clip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "base/fnv.h"
#include "base/random.h"
#include "cli/slow_motion.h"
#include "schedule/decision_log_file.h"
#include "tests/unit/report/scratch_folder.h"

namespace deadheat::cli {
namespace {

using schedule::OperationKind;
using schedule::ThreadIndex;

constexpr const char* kSites =
    "7\tbank/Account.deposit(I)V@12\tAccount.java:15\n"
    "no site\n"
    "9\tbank/Account.fees()I@1\tAccount.java:20\n";

Clip clip() {
  schedule::DecisionLog log;
  log.add_thread("0");
  log.add_thread("0.1");
  log.add_step(ThreadIndex{0}, {OperationKind::kBegin, {}});
  log.add_step(ThreadIndex{0}, {OperationKind::kWrite, model::SiteId{7}});
  log.add_step(ThreadIndex{1}, {OperationKind::kRead, model::SiteId{9}});
  log.set_complete(true);
  Clip clip;
  clip.race = "R1";
  clip.sites = {"bank/Account.deposit(I)V@12", "x/Y.z()V@0"};
  clip.seed = ~std::uint64_t{0};
  clip.order = "2";
  clip.clock = 1'700'000'000'000;
  clip.command = {"java", "-cp", "a b", "bank.Bank"};
  clip.class_path_hash = "0123456789abcdef";
  clip.exit_status = 1;
  clip.cut_off = true;
  clip.output_hash = ~std::uint64_t{0} - 1;
  clip.exceptions = {"java.lang.IllegalStateException"};
  clip.decisions = schedule::encode(log);
  clip.site_list = kSites;
  return clip;
}

std::string error_of(const std::vector<std::uint8_t>& bytes) {
  const Result<Clip> decoded = decode_clip(bytes);
  return decoded.ok() ? "" : decoded.error().message;
}

TEST(Clip, ReadsWhatWasWritten) {
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "clips" / "R1.clip";
  ASSERT_TRUE(write_clip(clip(), file).ok());
  const Result<Clip> read = read_clip(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(encode_clip(read.value()), encode_clip(clip()));
  EXPECT_EQ(read.value().seed, ~std::uint64_t{0});
  EXPECT_EQ(read.value().output_hash, ~std::uint64_t{0} - 1);
  EXPECT_EQ(read.value().command.at(2), "a b");
  EXPECT_TRUE(read.value().cut_off);
}

TEST(Clip, SaysWhatIsWrong) {
  std::vector<std::uint8_t> bytes = encode_clip(clip());
  EXPECT_NE(error_of({}).find("it is empty: make it again"), std::string::npos) << error_of({});
  const std::string other = error_of({'P', 'K', 3, 4, 0, 0, 0, 0});
  EXPECT_NE(other.find("it is no clip of deadheat; 'deadheat confirm'"), std::string::npos) << other;
  std::vector<std::uint8_t> newer = bytes;
  newer[7] = 9;
  EXPECT_NE(error_of(newer).find("a clip of version 9"), std::string::npos) << error_of(newer);
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_NE(error_of(bytes).find("damaged"), std::string::npos) << error_of(bytes);
}

TEST(Clip, EveryCutIsNoticed) {
  const std::vector<std::uint8_t> bytes = encode_clip(clip());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(error_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
  }
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_NE(error_of(longer), "");
}

TEST(Clip, EveryChangedByteIsNoticed) {
  const std::vector<std::uint8_t> bytes = encode_clip(clip());
  Random random(1);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::uint8_t> changed = bytes;
    changed[at] ^= static_cast<std::uint8_t>(1 + random.below(255));
    EXPECT_NE(error_of(changed), "") << at;
  }
}

// The bytes of a clip made before there was this member of the header.
std::vector<std::uint8_t> without(std::string_view member) {
  std::vector<std::uint8_t> bytes = encode_clip(clip());
  const auto at = std::search(bytes.begin(), bytes.end(), member.begin(), member.end());
  EXPECT_NE(at, bytes.end());
  *at = '?';
  bytes.resize(bytes.size() - 8);
  Fnv64 hash;
  hash.add(bytes);
  ByteWriter out;
  out.put(bytes);
  out.u8(hash.value());
  return out.release();
}

TEST(Clip, OlderOnesAreMixedWithOtherAgents) {
  EXPECT_TRUE(decode_clip(encode_clip(clip())).value().agents_apart);
  const Result<Clip> older = decode_clip(without("agents_apart"));
  ASSERT_TRUE(older.ok()) << older.error().message;
  EXPECT_FALSE(older.value().agents_apart);
}

TEST(Clip, ReadsTheSiteList) {
  const auto sites = parse_site_list(kSites);
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites.at(7).name, "bank/Account.deposit(I)V@12");
  EXPECT_EQ(sites.at(7).frame.class_name, "bank.Account");
  EXPECT_EQ(sites.at(7).frame.method, "deposit");
  EXPECT_EQ(sites.at(9).frame.file, "Account.java");
  EXPECT_EQ(sites.at(9).frame.line, 20);
}

TEST(Clip, InSlowMotion) {
  report::SourceLines sources({});
  const auto log = schedule::decode_decision_log(clip().decisions);
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(slow_motion(log.value(), clip(), sources),
            "       0  0        begin         \n"
            "       1  0        write          bank.Account.deposit (Account.java:15)  <== the race\n"
            "       2  0.1      read           bank.Account.fees (Account.java:20)\n");
}

}  // namespace
}  // namespace deadheat::cli
