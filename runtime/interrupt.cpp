// The handler only stores a number: nothing else is safe inside a signal handler.
#include "runtime/interrupt.h"

namespace lamina {
namespace {

volatile sig_atomic_t noted = 0;

extern "C" void note_signal(int number) { noted = number; }

}  // namespace

Interrupt::Interrupt(std::initializer_list<int> signals) {
  noted = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one acts by default
  sigemptyset(&action.sa_mask);
  for (const int number : signals) {
    struct sigaction old = {};
    if (sigaction(number, nullptr, &old) != 0) continue;
    // nohup has a hang-up ignored on purpose; shells ignore SIGINT for background jobs of scripts,
    // to which a signal meant for them must still come through.
    if (number == SIGHUP && old.sa_handler == SIG_IGN) continue;
    if (sigaction(number, &action, nullptr) == 0) before_.emplace_back(number, old);
  }
}

Interrupt::~Interrupt() {
  for (const auto& [number, action] : before_) sigaction(number, &action, nullptr);
}

int Interrupt::signal() const { return noted; }

}  // namespace lamina
