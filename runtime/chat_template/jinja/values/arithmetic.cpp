// Python's arithmetic: ints of 128 bits whose overflow is an error, floats, and what + and * mean
// for texts and lists.
#include "runtime/chat_template/jinja/values/formatting.h"
#include "runtime/chat_template/jinja/values/operations.h"
#include "runtime/chat_template/jinja/values/text_functions.h"

#include <cmath>

namespace lamina::jinja {
namespace {

constexpr const char* signs[] = {"+", "-", "*", "/", "//", "%", "** or pow()"};

[[noreturn]] void fail_overflow() {
  fail("the result is an integer of more than 128 bits, which is more than is supported");
}

[[noreturn]] void fail_types(Operator how, const Value& left, const Value& right) {
  if (left.is_undefined()) fail(left.undefined_message());
  if (right.is_undefined()) fail(right.undefined_message());
  fail(std::string("unsupported operand type(s) for ") + signs[static_cast<int>(how)] + ": '" +
       type_name(left) + "' and '" + type_name(right) + "'");
}

Integer floor_divide(Integer a, Integer b) {
  if (b == 0) fail("integer division or modulo by zero");
  if (b == -1) {
    Integer negated;
    if (__builtin_sub_overflow(Integer{0}, a, &negated)) fail_overflow();
    return negated;
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

Integer modulo(Integer a, Integer b) {
  if (b == 0) fail("integer modulo by zero");
  if (b == -1) return 0;
  const Integer rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Integer power(Integer base, Integer exponent) {
  Integer result = 1;
  for (;;) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) fail_overflow();
    exponent >>= 1;
    if (exponent == 0) return result;
    // A base of 0, 1 or -1 never overflows; any other does after a few rounds.
    if (__builtin_mul_overflow(base, base, &base)) fail_overflow();
  }
}

Value of_integers(Operator how, Integer a, Integer b) {
  Integer result = 0;
  switch (how) {
    case Operator::add:
      if (__builtin_add_overflow(a, b, &result)) fail_overflow();
      return result;
    case Operator::subtract:
      if (__builtin_sub_overflow(a, b, &result)) fail_overflow();
      return result;
    case Operator::multiply:
      if (__builtin_mul_overflow(a, b, &result)) fail_overflow();
      return result;
    case Operator::divide:
      if (b == 0) fail("division by zero");
      return static_cast<double>(a) / static_cast<double>(b);
    case Operator::floor_divide:
      return floor_divide(a, b);
    case Operator::modulo:
      return modulo(a, b);
    case Operator::power:
      if (b >= 0) return power(a, b);
      if (a == 0) fail("0.0 cannot be raised to a negative power");
      return std::pow(static_cast<double>(a), static_cast<double>(b));
  }
  return result;
}

/// Quotient and rest as Python's float.__divmod__ has them.
std::pair<double, double> divide_floats(double a, double b) {
  if (b == 0) fail("float floor division by zero");
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) {
      rest += b;
      quotient -= 1;
    }
  } else {
    rest = std::copysign(0.0, b);
  }
  double whole = std::copysign(0.0, a / b);
  if (quotient != 0) {
    whole = std::floor(quotient);
    if (quotient - whole > 0.5) whole += 1;
  }
  return {whole, rest};
}

double float_power(double a, double b) {
  if (a == 0 && b < 0) fail("0.0 cannot be raised to a negative power");
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b)) {
    fail("a negative number to a fractional power is a complex number, which is not supported");
  }
  const double result = std::pow(a, b);
  if (std::isinf(result) && std::isfinite(a) && std::isfinite(b))
    fail("Numerical result out of range");
  return result;
}

Value of_reals(Operator how, double a, double b) {
  switch (how) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::divide:
      if (b == 0) fail("float division by zero");
      return a / b;
    case Operator::floor_divide:
      return divide_floats(a, b).first;
    case Operator::modulo:
      return divide_floats(a, b).second;
    case Operator::power:
      break;
  }
  return float_power(a, b);
}

Value join_texts(Heap& heap, const String& left, const String& right) {
  const bool markup = left.markup || right.markup;
  heap.work(left.text.size() + right.text.size());
  Text text = markup && !left.markup ? escaped(heap, left.text) : left.text;
  text.append(markup && !right.markup ? escaped(heap, right.text) : right.text);
  return heap.string(std::move(text), markup);
}

Value join_lists(Heap& heap, const List& left, const List& right) {
  heap.check_items(left.items.size() + right.items.size());
  Values items = left.items;
  items.insert(items.end(), right.items.begin(), right.items.end());
  return std::make_shared<List>(heap, std::move(items), left.kind);
}

/// How often something of `size` parts is repeated; 0 where a part or a time is missing.
std::size_t times(Integer wanted, std::size_t size, std::size_t most, Heap& heap) {
  if (wanted <= 0 || size == 0) return 0;
  if (wanted > static_cast<Integer>(most / size)) {
    // One more than is allowed, so that the one check says it.
    most == heap.limits().list_items ? heap.check_items(most + 1) : heap.check_length(most + 1);
  }
  return static_cast<std::size_t>(wanted);
}

std::optional<Value> repeated(Heap& heap, const Value& value, const Value& count) {
  const auto wanted = as_integer(count);
  if (!wanted) return std::nullopt;
  if (const String* text = value.string()) {
    const std::size_t count = times(*wanted, text->text.size(), heap.limits().output_bytes, heap);
    return heap.string(repeated(heap, text->text, count), text->markup);
  }
  if (const List* list = value.as<List>()) {
    std::size_t left = times(*wanted, list->items.size(), heap.limits().list_items, heap);
    Values items;
    items.reserve(left * list->items.size());
    for (; left > 0; --left) items.insert(items.end(), list->items.begin(), list->items.end());
    return std::make_shared<List>(heap, std::move(items), list->kind);
  }
  return std::nullopt;
}

}  // namespace

Value calculate(Heap& heap, Operator how, const Value& left, const Value& right) {
  const auto a = as_integer(left), b = as_integer(right);
  if (a && b) return of_integers(how, *a, *b);
  const auto x = as_real(left), y = as_real(right);
  if (x && y) return of_reals(how, *x, *y);
  const String *text = left.string(), *other = right.string();
  if (how == Operator::modulo && text != nullptr) {
    return heap.string(percent_format(heap, *text, right), text->markup);
  }
  if (how == Operator::add && text != nullptr && other != nullptr) {
    return join_texts(heap, *text, *other);
  }
  const List *list = left.as<List>(), *more = right.as<List>();
  if (how == Operator::add && list != nullptr && more != nullptr && list->kind == more->kind) {
    return join_lists(heap, *list, *more);
  }
  if (how == Operator::multiply) {
    if (auto result = repeated(heap, left, right)) return *result;
    if (auto result = repeated(heap, right, left)) return *result;
  }
  fail_types(how, left, right);
}

Value negate(const Value& value) {
  if (const double* number = value.real()) return -*number;
  if (value.is_undefined()) fail(value.undefined_message());
  const auto number = as_integer(value);
  if (!number) fail("bad operand type for unary -: '" + type_name(value) + "'");
  Integer result = 0;
  if (__builtin_sub_overflow(Integer{0}, *number, &result)) fail_overflow();
  return result;
}

Value plus(const Value& value) {
  if (value.real() != nullptr) return value;
  if (value.is_undefined()) fail(value.undefined_message());
  const auto number = as_integer(value);
  if (!number) fail("bad operand type for unary +: '" + type_name(value) + "'");
  return *number;
}

}  // namespace lamina::jinja
