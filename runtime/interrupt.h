// Interrupt: while it lives, a signal such as Ctrl-C is noted instead of ending the process.
//
// The first signal is noted; from then on the same signal does what it does by default, so that a
// second Ctrl-C ends a program that does not come to its end by itself.
#pragma once

#include <signal.h>

#include <initializer_list>
#include <utility>
#include <vector>

namespace lamina {

class Interrupt {
 public:
  explicit Interrupt(std::initializer_list<int> signals);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that arrived since the object was made, 0 where none has.
  int signal() const;
  bool requested() const { return signal() != 0; }

 private:
  std::vector<std::pair<int, struct sigaction>> before_;
};

}  // namespace lamina
