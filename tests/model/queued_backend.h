// A backend as a device is one: vectors, matrices and weights are opaque handles, and operations
// are only queued. Nothing runs before `read`; until then every matrix holds NaN.
//
// What runs in the end is the reference backend. A graph that looked at a value, or relied on an
// operation having happened, would not compile or would read NaN.
#pragma once

#include "lamina/backend/reference/backend.h"

#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace lamina::test {

class QueuedBackend {
  struct Queue {
    HostStep rows;
    std::vector<HostMatrix> matrices;
    std::vector<std::function<void()>> work;
  };
  /// Opaque: only this class can reach what a handle stands for.
  template <class T>
  class Handle {
    friend class QueuedBackend;
    explicit Handle(T value) : value_(std::move(value)) {}
    T value_;
  };

 public:
  using Vector = Handle<std::shared_ptr<const ReferenceBackend::Vector>>;
  using Weight = Handle<TensorView>;
  using Matrix = Handle<std::size_t>;
  using Step = Handle<std::shared_ptr<Queue>>;

  Weight prepare(const TensorView& tensor) { return Weight(device_->prepare(tensor)); }
  Vector vector(const TensorView& tensor) {
    return Vector(std::make_shared<const ReferenceBackend::Vector>(device_->vector(tensor)));
  }
  Step begin(const BatchRows& rows, std::span<const RopeSettings> ropes) {
    return Step(std::make_shared<Queue>(Queue{device_->begin(rows, ropes), {}, {}}));
  }
  Matrix matrix(Step& step, std::int64_t rows, std::int64_t cols) {
    HostMatrix& made = step.value_->matrices.emplace_back(rows, cols);
    std::fill_n(made.row(0), rows * cols, std::numeric_limits<float>::quiet_NaN());
    return Matrix(step.value_->matrices.size() - 1);
  }
  void read(Step& step, const Matrix& x, std::span<float> out) {
    for (const auto& operation : step.value_->work) operation();
    step.value_->work.clear();
    device_->read(step.value_->rows, step.value_->matrices[x.value_], out);
  }

  void embed(Step& s, Matrix& y, const Weight& table, float scale) {
    push(s, [=, this, w = table.value_, y = y.value_](Queue& q) {
      device_->embed(q.rows, q.matrices[y], w, scale);
    });
  }
  void rms_norm(Step& s, Matrix& y, const Matrix& x, const Vector& weight, float eps) {
    push(s, [=, this, w = weight.value_, y = y.value_, x = x.value_](Queue& q) {
      device_->rms_norm(q.rows, q.matrices[y], q.matrices[x], *w, eps);
    });
  }
  void linear(Step& s, Matrix& y, const Weight& weight, const Matrix& x, const Vector* bias) {
    const auto b = bias == nullptr ? nullptr : bias->value_;
    push(s, [=, this, w = weight.value_, y = y.value_, x = x.value_](Queue& q) {
      device_->linear(q.rows, q.matrices[y], w, q.matrices[x], b.get());
    });
  }
  void rope(Step& s, Matrix& x, RopeUse use) {
    push(s, [=, this, x = x.value_](Queue& q) { device_->rope(q.rows, q.matrices[x], use); });
  }
  void append(Step& s, KvLayer kv, const Matrix& k, const Matrix& v) {
    push(s, [=, this, k = k.value_, v = v.value_](Queue& q) {
      device_->append(q.rows, kv, q.matrices[k], q.matrices[v]);
    });
  }
  template <AttentionVariant V>
  void attend(Step& s, Matrix& y, const Matrix& x, KvLayer kv, const AttentionShape& shape,
              const V& variant) {
    push(s, [=, this, y = y.value_, x = x.value_](Queue& q) {
      device_->attend(q.rows, q.matrices[y], q.matrices[x], kv, shape, variant);
    });
  }
  void add(Step& s, Matrix& y, const Matrix& x) {
    push(s, [=, this, y = y.value_, x = x.value_](Queue& q) {
      device_->add(q.rows, q.matrices[y], q.matrices[x]);
    });
  }
  template <Activation A>
  void gate(Step& s, Matrix& y, const Matrix& x) {
    push(s, [=, this, y = y.value_, x = x.value_](Queue& q) {
      device_->gate<A>(q.rows, q.matrices[y], q.matrices[x]);
    });
  }
  void select(Step& s, Matrix& y, const Matrix& x) {
    push(s, [=, this, y = y.value_, x = x.value_](Queue& q) {
      device_->select(q.rows, q.matrices[y], q.matrices[x]);
    });
  }

 private:
  /// The operation may run long after the call has returned: it owns what it uses.
  template <class F>
  void push(Step& step, F operation) {
    Queue* queue = step.value_.get();
    queue->work.push_back([queue, operation] { operation(*queue); });
  }

  std::shared_ptr<ReferenceBackend> device_ = std::make_shared<ReferenceBackend>(1);
};

static_assert(Backend<QueuedBackend>);

}  // namespace lamina::test
