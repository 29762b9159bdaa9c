// Tensors by slot: shapes, what is missing, what is left over, what cannot be computed with.
// Covers lamina/model/tensors.h.
#include "lamina/model/find_tensors.h"

#include "lamina/model/read_extents.h"
#include "tests/model/metadata_of.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>

using namespace lamina;
using namespace lamina::test;

namespace {

/// The tensors a file of this table and these extents would hold, without their bytes' content.
class File {
 public:
  File(const Extents& extents, const std::array<TensorName, slots>& table) : extents(extents) {
    this->extents.vocab = 10;
    for (const TensorName& entry : table) {
      if (entry.presence != Presence::required) continue;
      const auto [cols, rows] = expected_shape(entry.slot, this->extents);
      if (!per_layer(entry.slot)) add(std::string(entry.name), cols, rows);
      for (int l = 0; per_layer(entry.slot) && l < extents.layers; ++l) {
        add("blk." + std::to_string(l) + "." + std::string(entry.name), cols, rows);
      }
    }
  }
  void add(const std::string& name, std::int64_t cols, std::int64_t rows) {
    const std::string& kept = names_.emplace_back(name);
    all.push_back(
        {.name = kept, .format = FormatId::f32, .extent = {cols, rows, 1, 1}, .bytes = bytes_});
  }
  TensorView& at(std::string_view name) {
    return *std::find_if(all.begin(), all.end(), [&](const auto& t) { return t.name == name; });
  }
  void remove(std::string_view name) {
    std::erase_if(all, [&](const auto& t) { return t.name == name; });
  }
  ModelTensors find(const std::array<TensorName, slots>& table) {
    const auto look_up = [&](std::string_view name) -> const TensorView* {
      const auto same = [&](const auto& t) { return t.name == name; };
      const auto found = std::find_if(all.begin(), all.end(), same);
      return found == all.end() ? nullptr : &*found;
    };
    return find_tensors("file.gguf", all, look_up, table, extents);
  }
  std::string refusal(const std::array<TensorName, slots>& table) {
    try {
      find(table);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  Extents extents;
  std::vector<TensorView> all;

 private:
  std::list<std::string> names_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(4);
};

const Extents small = read_extents(small_metadata("x"), "x", LayerPattern{});
constexpr auto biased = tensors_with(Slot::q_bias, Slot::k_norm);

bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(tensors)

BOOST_AUTO_TEST_CASE(every_slot_finds_its_tensor) {
  File file(small, default_tensors);
  file.add("output.weight", 48, 10);
  file.add("blk.2.attn_v.bias", 16, 1);
  const ModelTensors found = file.find(default_tensors);
  BOOST_TEST(file.extents.vocab == 10);
  BOOST_TEST(found.layers.size() == 4u);
  BOOST_TEST(found.global[Slot::output].name == "output.weight");
  BOOST_TEST(found.layers[3][Slot::gate].name == "blk.3.ffn_gate.weight");
  BOOST_TEST(found.layers[2].has(Slot::v_bias));
  BOOST_TEST(!found.layers[1].has(Slot::v_bias));
  BOOST_TEST(!found.global.has(Slot::rope_divisors));
}

BOOST_AUTO_TEST_CASE(each_missing_tensor_is_named) {
  const File whole(small, biased);
  for (const TensorView& tensor : whole.all) {
    File file(small, biased);
    file.remove(tensor.name);
    const std::string message = file.refusal(biased);
    BOOST_TEST(says(message, "'" + std::string(tensor.name) + "' is missing"), message);
    BOOST_TEST(says(message, "file.gguf"));
  }
}

BOOST_AUTO_TEST_CASE(each_misshapen_tensor_is_named) {
  const File whole(small, biased);
  for (const TensorView& tensor : whole.all) {
    if (tensor.name == "token_embd.weight") continue;  // its rows define the vocabulary
    for (const int extent : {0, 1}) {
      File file(small, biased);
      file.at(tensor.name).extent[extent] += 1;
      BOOST_TEST(says(file.refusal(biased), "'" + std::string(tensor.name) + "' is ["));
    }
  }
  File file(small, biased);
  file.at("token_embd.weight").extent[0] = 47;
  BOOST_TEST(says(file.refusal(biased), "expected [48, 10]"));
}

BOOST_AUTO_TEST_CASE(a_tensor_without_a_place_is_named) {
  for (const char* name :
       {"blk.4.attn_q.weight", "blk.0.attn_q_norm.weight", "mystery", "blk.0.attn_q"}) {
    File file(small, default_tensors);
    file.add(name, 1, 1);
    BOOST_TEST(says(file.refusal(default_tensors), std::string("'") + name + "' has no place"),
               name);
  }
}

BOOST_AUTO_TEST_CASE(rope_divisors_are_read_and_must_be_positive) {
  for (const float bad : {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    File file(small, default_tensors);
    std::vector<float> divisors{1.0f, 2.0f, 4.0f, 8.0f};
    file.add("rope_freqs.weight", 4, 1);
    file.all.back().bytes = std::as_bytes(std::span(divisors));
    file.find(default_tensors);
    BOOST_TEST(file.extents.rope.divisors == divisors);
    divisors[2] = bad;
    BOOST_TEST(says(file.refusal(default_tensors), "'rope_freqs.weight' holds"));
  }
}

BOOST_AUTO_TEST_CASE(a_format_that_cannot_be_computed_with_is_named) {
  File file(small, default_tensors);
  file.at("blk.1.ffn_up.weight").format = FormatId::iq1_s;
  const std::string message = file.refusal(default_tensors);
  BOOST_TEST(says(message, "blk.1.ffn_up.weight"));
  BOOST_TEST(says(message, "IQ1_S"));
}

BOOST_AUTO_TEST_SUITE_END()
