// Split models: names of the parts, and which sets of parts make a model.
#include "lamina/gguf/split.h"

#include "gguf/bytes.h"

#include <boost/test/unit_test.hpp>

#include <deque>

using namespace lamina;
using lamina::test::says;

namespace {

struct Part {
  std::uint16_t index = 0;
  std::uint16_t count = 1;
  std::int32_t total = 0;  // tensors of all parts
  std::vector<std::string> tensors;
};

/// Files of parts; their bytes live as long as the object.
class Parts {
 public:
  GgufFile file(const Part& part) {
    GgufWriter writer;
    if (part.index == 0) writer.set("general.architecture", "llama");
    writer.set("split.no", part.index).set("split.count", part.count);
    writer.set("split.tensors.count", part.total);
    for (const std::string& name : part.tensors) {
      writer.add_tensor(name, FormatId::i8, {4}, four_);
    }
    bytes_.push_back(writer.to_bytes());
    return read_gguf(bytes_.back(), "part" + std::to_string(part.index + 1) + ".gguf");
  }
  std::vector<GgufFile> files(const std::vector<Part>& parts) {
    std::vector<GgufFile> files;
    for (const Part& part : parts) files.push_back(file(part));
    return files;
  }

 private:
  std::vector<std::byte> four_ = test::counting_bytes(4);
  std::deque<std::vector<std::byte>> bytes_;
};

void check_refused(const std::vector<Part>& parts, std::vector<std::string_view> message) {
  Parts made;
  BOOST_CHECK_EXCEPTION(merge_gguf(made.files(parts)), Error, says(message));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(split)

BOOST_AUTO_TEST_CASE(names_of_parts) {
  BOOST_TEST(split_suffix({0, 3}) == "-00001-of-00003.gguf");
  BOOST_TEST(split_suffix({99, 12345}) == "-00100-of-12345.gguf");
  BOOST_TEST(split_part_name("m-q4-00001-of-00003.gguf", {2, 3}) == "m-q4-00003-of-00003.gguf");
  for (const char* name : {"m.gguf", "m-00001-of-00002.gguf", "m-00002-of-00003.gguf", ""}) {
    BOOST_CHECK_EXCEPTION(split_part_name(name, {1, 3}), Error,
                          says({"first of 3 parts", "-00001-of-00003.gguf", "rename"}));
  }
}

BOOST_AUTO_TEST_CASE(parts_know_their_place) {
  BOOST_TEST(split_part(Metadata()).count == 1u);
  const Metadata joined({{"split.no", std::uint16_t{0}}, {"split.count", std::uint16_t{0}}});
  BOOST_TEST(split_part(joined).count == 1u);
  const Metadata third({{"split.no", std::uint16_t{2}}, {"split.count", std::uint16_t{3}}});
  BOOST_TEST(split_part(third).index == 2u);
  BOOST_TEST(split_part(third).count == 3u);
  const Metadata beyond({{"split.no", 3u}, {"split.count", 3u}}, "x.gguf");
  BOOST_CHECK_EXCEPTION(split_part(beyond), Error, says({"x.gguf", "'split.no' is 3"}));
  const Metadata nameless({{"split.count", 3u}}, "x.gguf");
  BOOST_CHECK_EXCEPTION(split_part(nameless), Error, says({"'split.no' is missing"}));
  const Metadata wrong({{"split.count", "3"}}, "x.gguf");
  BOOST_CHECK_EXCEPTION(split_part(wrong), Error, says({"is string, expected integer"}));
}

BOOST_AUTO_TEST_CASE(parts_become_one_model) {
  Parts made;
  const MergedGguf model =
      merge_gguf(made.files({{0, 3, 4, {"d"}}, {1, 3, 4, {"a", "c"}}, {2, 3, 4, {"b"}}}));
  BOOST_TEST(model.metadata.get<std::string>("general.architecture") == "llama");
  std::string order;
  for (const TensorView& tensor : model.tensors) order += tensor.name;
  BOOST_TEST(order == "dacb");
  for (const char* name : {"a", "b", "c", "d"}) {
    BOOST_TEST_REQUIRE(model.tensors.find(name) != nullptr);
    BOOST_TEST(std::to_integer<int>(model.tensors.find(name)->bytes[3]) == 4);
  }
}

BOOST_AUTO_TEST_CASE(one_file_is_a_model) {
  Parts made;
  const MergedGguf model = merge_gguf(made.files({{0, 1, 0, {"a", "b"}}}));
  BOOST_TEST(model.tensors.size() == 2u);
}

BOOST_AUTO_TEST_CASE(sets_that_do_not_belong_together_are_refused) {
  check_refused({}, {"no GGUF file"});
  check_refused({{0, 2, 1, {"a"}}}, {"part1.gguf", "part 1 of 2, expected part 1 of 1"});
  check_refused({{1, 2, 2, {"b"}}, {0, 2, 2, {"a"}}},
                {"part2.gguf", "part 2 of 2, expected part 1 of 2"});
  check_refused({{0, 2, 2, {"a"}}, {0, 2, 2, {"b"}}}, {"expected part 2 of 2"});
  check_refused({{0, 2, 2, {"a"}}, {1, 3, 2, {"b"}}}, {"part2.gguf", "part 2 of 3"});
  check_refused({{0, 2, 3, {"a"}}, {1, 2, 3, {"b"}}},
                {"part1.gguf", "'split.tensors.count' is 3", "have 2 tensors"});
  check_refused({{0, 2, 2, {"a"}}, {1, 2, 2, {"a"}}},
                {"part1.gguf and its other parts", "'a' occurs twice"});
}

BOOST_AUTO_TEST_SUITE_END()
