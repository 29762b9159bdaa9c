// A KV store can forget: without `rollback` it is none.
// expect: KvStore
// expect: store.rollback(position)
#include "lamina/kv/store.h"

struct Mine {
  lamina::Position length() const;
  lamina::KvView view(int layer) const;
  void append(lamina::Position count);
  Mine fork() const;
#ifdef BAD
#else
  void rollback(lamina::Position length);
#endif
};

static_assert(lamina::KvStore<Mine>);
