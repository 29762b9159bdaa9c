// TensorTable: the tensors of a file in its order, found by name.
//
// An index sorted by name: four bytes a tensor, a look-up is a binary search, and no choice of
// names makes it slow.
#pragma once

#include "lamina/core/error.h"
#include "lamina/core/tensor.h"
#include "lamina/gguf/quoted.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lamina {

class TensorTable {
 public:
  TensorTable() = default;

  /// Throws, naming `source`, where two tensors have one name.
  TensorTable(std::string_view source, std::vector<TensorView> tensors);

  /// The tensor called `name`, or null.
  const TensorView* find(std::string_view name) const;

  /// In the order of the file.
  const std::vector<TensorView>& all() const { return tensors_; }

  std::size_t size() const { return tensors_.size(); }
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }

 private:
  std::vector<TensorView> tensors_;
  std::vector<std::uint32_t> by_name_;  // indices of tensors_, sorted by name
};

inline TensorTable::TensorTable(std::string_view source, std::vector<TensorView> tensors)
    : tensors_(std::move(tensors)), by_name_(tensors_.size()) {
  for (std::size_t i = 0; i < by_name_.size(); ++i) by_name_[i] = static_cast<std::uint32_t>(i);
  const auto name = [this](std::uint32_t i) { return tensors_[i].name; };
  std::sort(by_name_.begin(), by_name_.end(), [&](auto a, auto b) { return name(a) < name(b); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return name(a) == name(b); };
  const auto twice = std::adjacent_find(by_name_.begin(), by_name_.end(), same);
  if (twice == by_name_.end()) return;
  throw Error(std::string(source) + ": the tensor " + quoted(name(*twice)) +
              " occurs twice, so that it is undefined which one is meant; convert the model again");
}

inline const TensorView* TensorTable::find(std::string_view name) const {
  const auto less = [this](std::uint32_t i, std::string_view n) { return tensors_[i].name < n; };
  const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name, less);
  return at != by_name_.end() && tensors_[*at].name == name ? &tensors_[*at] : nullptr;
}

}  // namespace lamina
