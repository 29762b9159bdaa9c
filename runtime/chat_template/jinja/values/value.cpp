// Values of a template, and the heap that counts them.
#include "runtime/chat_template/jinja/values/value.h"

#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/operations.h"

#include <algorithm>
#include <bit>

namespace lamina::jinja {

void fail(std::string message) { throw TemplateFault{std::move(message)}; }

void fail_limit(std::string message) {
  throw TemplateFault{std::move(message), TemplateFault::Kind::limit};
}

Value Value::undefined(std::string message) {
  Value value;
  value.data_ = std::make_shared<const UndefinedReason>(UndefinedReason{std::move(message)});
  return value;
}

const String* Value::string() const { return as<String>(); }

const std::string& Value::undefined_message() const {
  static const std::string none = "a value is undefined";
  const Undefined& reason = std::get<Undefined>(data_);
  return reason != nullptr ? reason->message : none;
}

// ---- the heap

Heap::~Heap() {
  // What is left are cycles: taking the parts of each apart ends them.
  while (first_ != nullptr) {
    Container& container = *first_;
    remove(container);
    bury(container);
  }
}

void Heap::fail_steps() const {
  fail_limit("the template takes more than " + std::to_string(limits_.steps) + " steps");
}

void Heap::check_length(std::size_t bytes) const {
  if (bytes > limits_.output_bytes) {
    fail_limit("a text grows longer than " + std::to_string(limits_.output_bytes) + " bytes");
  }
}

void Heap::check_items(std::size_t items) const {
  if (items > limits_.list_items) {
    fail_limit("a list grows longer than " + std::to_string(limits_.list_items) + " items");
  }
}

Value Heap::string(Text text, bool markup) {
  check_length(text.size());
  touch(4);
  work(text.size());
  return std::make_shared<String>(this, std::move(text), markup);
}

Value Heap::list(Values items) { return std::make_shared<List>(*this, std::move(items)); }

Value Heap::tuple(Values items) {
  return std::make_shared<List>(*this, std::move(items), Object::Kind::tuple);
}

void Heap::take(std::size_t bytes) {
  if (bytes > limits_.memory_bytes || bytes_ > limits_.memory_bytes - bytes) {
    fail_limit("the values of the template take more than " + std::to_string(limits_.memory_bytes) +
               " bytes");
  }
  bytes_ += bytes;
}

void Heap::add(Container& container) {
  container.next_ = first_;
  if (first_ != nullptr) first_->previous_ = &container;
  first_ = &container;
}

void Heap::remove(Container& container) {
  if (container.next_ != nullptr) container.next_->previous_ = container.previous_;
  if (container.previous_ != nullptr) {
    container.previous_->next_ = container.next_;
  } else if (first_ == &container) {
    first_ = container.next_;
  }
  container.previous_ = container.next_ = nullptr;
}

void Heap::bury(Container& container) {
  container.release(buried_);
  if (burying_) return;
  burying_ = true;
  while (!buried_.empty()) {
    const Value last = std::move(buried_.back());
    buried_.pop_back();
  }
  burying_ = false;
}

// ---- objects

String::String(Heap* owner, Text content, bool escaped)
    : Object(Kind::string), text(std::move(content)), markup(escaped), heap_(owner) {
  if (heap_ != nullptr) heap_->take(sizeof(String) + text.weight());
}

String::~String() {
  if (heap_ != nullptr) heap_->give_back(sizeof(String) + text.weight());
}

Container::Container(Heap& owner, Kind k) : Object(k), heap(owner) {
  heap.touch(8);
  heap.take(sizeof(Dict));
  counted_ = sizeof(Dict);
  heap.add(*this);
}

Container::~Container() {
  heap.remove(*this);
  heap.give_back(counted_);
}

void Container::resized(std::size_t values) {
  const std::size_t now = sizeof(Dict) + values * sizeof(Value);
  if (now > counted_) heap.take(now - counted_);
  if (now < counted_) heap.give_back(counted_ - now);
  counted_ = now;
}

namespace {

void move_to(Values& parts, Values& items) {
  std::move(items.begin(), items.end(), std::back_inserter(parts));
  items.clear();
}

}  // namespace

List::List(Heap& owner, Values values, Kind k) : Container(owner, k), items(std::move(values)) {
  heap.check_items(items.size());
  heap.touch(2 * items.size());
  resized(items.size());
}
List::~List() { heap.bury(*this); }
void List::release(Values& parts) { move_to(parts, items); }

std::size_t Range::size() const {
  if (step > 0) return start < stop ? static_cast<std::size_t>((stop - start - 1) / step + 1) : 0;
  return start > stop ? static_cast<std::size_t>((start - stop - 1) / -step + 1) : 0;
}

View::View(Heap& owner, Value of, Part which)
    : Container(owner, Kind::view), dict(std::move(of)), part(which) {}
View::~View() { heap.bury(*this); }
void View::release(Values& parts) { parts.push_back(std::exchange(dict, {})); }

Iterator::Iterator(Heap& owner, Values values, std::string made_by)
    : Container(owner, Kind::iterator), items(std::move(values)), name(std::move(made_by)) {
  heap.check_items(items.size());
  heap.touch(2 * items.size());
  resized(items.size());
}
Iterator::~Iterator() { heap.bury(*this); }
void Iterator::release(Values& parts) { move_to(parts, items); }

bool Iterator::next(Value& item) {
  if (at < items.size()) {
    item = items[at++];
    return true;
  }
  if (fault != nullptr) throw TemplateFault(*std::exchange(fault, nullptr));
  return false;
}

Namespace::Namespace(Heap& owner, Value attributes)
    : Container(owner, Kind::name_space), dict(std::move(attributes)) {}
Namespace::~Namespace() { heap.bury(*this); }
void Namespace::release(Values& parts) { parts.push_back(std::exchange(dict, {})); }

Method::Method(Heap& owner, Value of, std::string called)
    : Container(owner, Kind::method), self(std::move(of)), name(std::move(called)) {}
Method::~Method() { heap.bury(*this); }
void Method::release(Values& parts) { parts.push_back(std::exchange(self, {})); }

Cycler::Cycler(Heap& owner, Values values)
    : Container(owner, Kind::cycler), items(std::move(values)) {
  resized(items.size());
}
Cycler::~Cycler() { heap.bury(*this); }
void Cycler::release(Values& parts) { move_to(parts, items); }

Joiner::Joiner(Heap& owner, Value between)
    : Container(owner, Kind::joiner), separator(std::move(between)) {}
Joiner::~Joiner() { heap.bury(*this); }
void Joiner::release(Values& parts) { parts.push_back(std::exchange(separator, {})); }

}  // namespace lamina::jinja
