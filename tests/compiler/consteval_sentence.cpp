// A consteval check may be a constant expression that throws nothing; the sentence it would throw
// is part of the compiler's message otherwise (tests/must_not_compile/ holds the wrong uses).
struct Spec {
  int key_dim = 0;
  int value_dim = 0;
  consteval bool valid() const {
    if (key_dim % 2 != 0) throw "key_dim must be even: rope rotates pairs";
    return true;
  }
};

template <class A>
concept Shaped = A::spec.valid();

struct Good {
  static constexpr Spec spec{.key_dim = 64,
                             .value_dim = 64};  // designators in order of declaration
};
static_assert(Shaped<Good>);
