// The object, then the tag that closes it.
#include "runtime/streaming/hermes_calls.h"

namespace lamina {

Reading HermesCalls::read(AnswerText& text) {
  if (calls_) {
    const Reading reading = calls_->read(text);
    if (reading != Reading::done) return reading;
    calls_.reset();
  }
  return read_closer(text, closers[0]);
}

}  // namespace lamina
