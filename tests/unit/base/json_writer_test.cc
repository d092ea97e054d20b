// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <gtest/gtest.h>

namespace deadheat {
namespace {

TEST(JsonWriter, NestsAndSeparates) {
  JsonWriter json;
  json.begin_object()
      .field("a", 1)
      .key("b")
      .begin_array()
      .value("x")
      .value(true)
      .begin_object()
      .end_object()
      .end_array();
  json.field("c", std::int64_t{-5}).end_object();
  EXPECT_EQ(json.text(), R"({"a":1,"b":["x",true,{}],"c":-5})");
}

TEST(JsonWriter, EscapesWhatJsonForbids) {
  JsonWriter json;
  json.value(std::string_view("a\"b\\c\n\x01\0z", 9));
  EXPECT_EQ(json.text(), "\"a\\\"b\\\\c\\u000a\\u0001\\u0000z\"");
}

}  // namespace
}  // namespace deadheat
