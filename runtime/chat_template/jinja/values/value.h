// Values of a template: those of Python that jinja2 hands around, and nothing that reaches further.
//
// Numbers and constants are held by value; strings and everything with parts are objects shared by
// reference, as in Python. A Heap counts what the objects of one rendering take.
#pragma once

#include "runtime/chat_template/jinja/values/text.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lamina::jinja {

/// Python's int, as far as 128 bits reach; beyond, an operation is refused.
__extension__ using Integer = __int128;

/// What is thrown while a template runs; `ChatTemplate` adds the place to the message.
struct TemplateFault {
  enum class Kind { ordinary, limit, raised };
  std::string message;
  Kind kind = Kind::ordinary;
};

[[noreturn]] void fail(std::string message);
[[noreturn]] void fail_limit(std::string message);

class Heap;

/// Whatever has an identity.
struct Object {
  enum class Kind {
    string,
    list,
    tuple,
    dict,
    range,
    view,
    iterator,
    name_space,
    method,
    function,
    macro,
    loop,
    cycler,
    joiner,
    blocks,
    block,
    scope
  };
  explicit Object(Kind k) : kind(k) {}
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  const Kind kind;
};

/// Python's undefined of jinja2: what it would say when used.
struct UndefinedReason {
  std::string message;
};

struct None {};

struct String;

class Value {
 public:
  using Undefined = std::shared_ptr<const UndefinedReason>;
  using Data = std::variant<Undefined, None, bool, Integer, double, std::shared_ptr<Object>>;

  Value() = default;  // undefined, without a reason
  Value(None none) : data_(none) {}
  Value(bool value) : data_(value) {}
  Value(Integer value) : data_(value) {}
  Value(int value) : data_(Integer{value}) {}
  Value(std::size_t value) : data_(static_cast<Integer>(value)) {}
  Value(double value) : data_(value) {}
  template <class T>
  Value(std::shared_ptr<T> object) : data_(std::shared_ptr<Object>(std::move(object))) {}
  template <class T>
  Value(T* pointer) = delete;  // or it would become a bool
  static Value undefined(std::string message);

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const Integer* integer() const { return std::get_if<Integer>(&data_); }
  const double* real() const { return std::get_if<double>(&data_); }
  Object* object() const {
    const auto* held = std::get_if<std::shared_ptr<Object>>(&data_);
    return held != nullptr ? held->get() : nullptr;
  }
  template <class T>
  T* as() const {
    Object* held = object();
    return held != nullptr && T::holds(held->kind) ? static_cast<T*>(held) : nullptr;
  }
  const String* string() const;
  /// The same object, shared.
  template <class T>
  std::shared_ptr<T> shared() const {
    return std::static_pointer_cast<T>(std::get<std::shared_ptr<Object>>(data_));
  }
  const std::string& undefined_message() const;
  const Data& data() const { return data_; }

 private:
  Data data_;
};

using Values = std::vector<Value>;

struct String : Object {
  String(Heap* owner, Text content, bool escaped);
  ~String() override;
  static bool holds(Kind kind) { return kind == Kind::string; }

  const Text text;
  const bool markup;  // jinja2's Markup: what is added to it gets its HTML escaped

 private:
  Heap* const heap_;  // null: a constant of the template
};

/// An object that has values as parts. The heap knows all of them, so that cycles do not outlive
/// it, and takes their parts one by one when they end, so that a long chain does not end in a deep
/// recursion.
struct Container : Object {
  Container(Heap& owner, Kind kind);
  ~Container() override;
  /// Tells the heap that it holds `values` values now.
  void resized(std::size_t values);
  /// Gives its parts away.
  virtual void release(Values& parts) = 0;

  Heap& heap;

 private:
  friend class Heap;
  Container* previous_ = nullptr;
  Container* next_ = nullptr;
  std::size_t counted_ = 0;
};

struct List : Container {
  List(Heap& owner, Values values, Kind kind = Kind::list);
  ~List() override;
  static bool holds(Kind kind) { return kind == Kind::list || kind == Kind::tuple; }
  void release(Values& parts) override;

  Values items;
  bool group = false;  // of `groupby`: its parts are called grouper and list
};

/// Entries in the order in which they came. Keys are equal as in Python: 1, 1.0 and true are one.
struct Dict : Container {
  explicit Dict(Heap& owner);
  ~Dict() override;
  static bool holds(Kind kind) { return kind == Kind::dict; }
  void release(Values& parts) override;

  std::size_t size() const { return entries_.size(); }
  const std::vector<std::pair<Value, Value>>& entries() const { return entries_; }
  const Value* find(const Value& key) const;
  const Value* find(std::string_view key) const;
  void set(const Value& key, Value value);
  bool erase(const Value& key);
  void clear();

 private:
  template <class IsKey>
  std::size_t place(std::size_t hash, const IsKey& is_key) const;
  std::size_t place(std::size_t hash, const Value& key) const;
  void add_to_table(std::size_t entry);
  void build_table();

  std::vector<std::pair<Value, Value>> entries_;
  std::vector<std::size_t> hashes_;
  std::vector<std::uint32_t> table_;  // open addressing: index of the entry + 1; a power of two
};

struct Range : Object {
  Range(Integer first, Integer end, Integer by)
      : Object(Kind::range), start(first), stop(end), step(by) {}
  static bool holds(Kind kind) { return kind == Kind::range; }
  std::size_t size() const;

  const Integer start, stop, step;
};

/// keys(), values() or items() of a dict.
struct View : Container {
  enum class Part { keys, values, items };
  View(Heap& owner, Value of, Part which);
  ~View() override;
  static bool holds(Kind kind) { return kind == Kind::view; }
  void release(Values& parts) override;
  Dict& of() const { return *dict.as<Dict>(); }

  Value dict;
  const Part part;
};

/// Python's generator: its items can be taken once. What made them may have failed on the way; that
/// is told when the taking gets there.
struct Iterator : Container {
  Iterator(Heap& owner, Values values, std::string made_by);
  ~Iterator() override;
  static bool holds(Kind kind) { return kind == Kind::iterator; }
  void release(Values& parts) override;
  bool next(Value& item);

  Values items;
  std::size_t at = 0;
  std::string name;
  std::unique_ptr<TemplateFault> fault;
};

struct Namespace : Container {
  Namespace(Heap& owner, Value attributes);
  ~Namespace() override;
  static bool holds(Kind kind) { return kind == Kind::name_space; }
  void release(Values& parts) override;

  Value dict;
};

/// A method with the value it belongs to.
struct Method : Container {
  Method(Heap& owner, Value of, std::string called);
  ~Method() override;
  static bool holds(Kind kind) { return kind == Kind::method; }
  void release(Values& parts) override;

  Value self;
  const std::string name;
};

/// A function of the environment, known by its name.
struct Function : Object {
  explicit Function(std::string called) : Object(Kind::function), name(std::move(called)) {}
  static bool holds(Kind kind) { return kind == Kind::function; }

  const std::string name;
};

struct Cycler : Container {
  Cycler(Heap& owner, Values values);
  ~Cycler() override;
  static bool holds(Kind kind) { return kind == Kind::cycler; }
  void release(Values& parts) override;

  Values items;
  std::size_t at = 0;
};

struct Joiner : Container {
  Joiner(Heap& owner, Value between);
  ~Joiner() override;
  static bool holds(Kind kind) { return kind == Kind::joiner; }
  void release(Values& parts) override;

  Value separator;
  bool used = false;
};

}  // namespace lamina::jinja
