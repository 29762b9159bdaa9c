// The one exception type: a sentence that names what was read, what was found and what was
// expected.
#pragma once

#include <stdexcept>

namespace lamina {

/// Thrown for bad input: files, tensors, metadata, flags. The message is complete and fit to be
/// shown to the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lamina
