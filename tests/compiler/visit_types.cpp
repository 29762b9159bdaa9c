// A list of types is visited with a template lambda, called as `f.template operator()<T>()`; the
// body may be constrained, and `if constexpr` chooses by what a type offers.
#include <concepts>

template <class... Ts>
struct List {
  template <class F>
  static constexpr bool visit(int id, F&& f) {
    return ((id == Ts::id && (f.template operator()<Ts>(), true)) || ...);
  }
};

struct A {
  static constexpr int id = 1;
};
struct B {
  static constexpr int id = 2;
  static constexpr int extra = 40;
};

constexpr int sum(int id) {
  int result = 0;
  const bool found = List<A, B>::visit(id, [&]<class T>() {
    if constexpr (requires {
                    { T::extra } -> std::convertible_to<int>;
                  })
      result = T::extra + T::id;
    else
      result = T::id;
  });
  return found ? result : -1;
}

static_assert(sum(1) == 1 && sum(2) == 42 && sum(3) == -1);
