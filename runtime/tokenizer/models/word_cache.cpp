// Numbers for owners, and one cache a thread.
#include "runtime/tokenizer/models/word_cache.h"

#include <atomic>

namespace lamina {

WordCache::Owner WordCache::new_owner() {
  static std::atomic<Owner> last{0};
  return ++last;
}

WordCache& WordCache::of_this_thread() {
  thread_local WordCache cache;
  return cache;
}

}  // namespace lamina
