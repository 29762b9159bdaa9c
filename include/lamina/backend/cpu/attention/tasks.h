// All tasks of an attention, shared out to threads: whole where there are many, else span by span.
#pragma once

#include "lamina/backend/cpu/attention/attend.h"
#include "lamina/backend/thread_pool.h"

#include <span>
#include <vector>

namespace lamina {

/// A span of a task and where its result goes.
struct SpanTask {
  const AttentionTask* task = nullptr;
  KeyRange keys;  // of the whole task
  Position first = 0;
  PartialAttention result;
};

/// A task's spans in order, their results without memory yet.
template <AttentionVariant V>
std::vector<SpanTask> spans_of(const AttentionTask& task, const V& variant) {
  const KeyRange keys = stored_keys(variant, task);
  std::vector<SpanTask> spans;
  for (Position first = keys.first / key_span * key_span; first < keys.end; first += key_span) {
    spans.push_back({&task, keys, first, task.partial(nullptr)});
  }
  return spans;
}

template <AttentionVariant V>
void run_span(const SpanTask& span, const AttentionKernels& kernels, const V& variant) {
  thread_local AttentionScratch scratch;
  SpanAttention<V>(*span.task, kernels, variant, scratch).run(span.first, span.keys, span.result);
}

/// Gives every span memory of its own and computes them all.
template <AttentionVariant V>
void run_spans(ThreadPool& pool, const AttentionKernels& kernels, const V& variant,
               std::vector<std::vector<SpanTask>>& tasks, ReusedBuffer& memory) {
  std::vector<SpanTask*> all;
  std::size_t floats = 0;
  for (std::vector<SpanTask>& spans : tasks) {
    for (SpanTask& span : spans) {
      all.push_back(&span);
      floats += span.result.floats();
    }
  }
  float* at = memory.floats(floats);
  for (SpanTask* span : all) {
    span->result.memory = at;
    at += span->result.floats();
  }
  pool.for_each(static_cast<std::int64_t>(all.size()), [&](std::int64_t i) {
    run_span(*all[static_cast<std::size_t>(i)], kernels, variant);
  });
}

/// Attention of all tasks; `memory` is for results of spans.
template <AttentionVariant V>
void attend_tasks(ThreadPool& pool, const AttentionKernels& kernels,
                  std::span<const AttentionTask> tasks, const V& variant, ReusedBuffer& memory) {
  constexpr std::size_t enough = 4;  // tasks for each thread, of different lengths
  std::vector<std::vector<SpanTask>> spans;
  bool several = false;  // spans of a task
  for (const AttentionTask& task : tasks) {
    spans.push_back(spans_of(task, variant));
    several = several || spans.back().size() > 1;
  }
  const bool few = tasks.size() < enough * static_cast<std::size_t>(pool.threads());
  const bool by_spans = pool.threads() > 1 && few && several;
  if (by_spans) run_spans(pool, kernels, variant, spans, memory);
  pool.for_each(static_cast<std::int64_t>(tasks.size()), [&](std::int64_t i) {
    thread_local ReusedBuffer own;
    const AttentionTask& task = tasks[static_cast<std::size_t>(i)];
    PartialAttention total = task.partial(nullptr), part = total;
    total.memory = own.floats(2 * total.floats());
    part.memory = total.memory + total.floats();
    total.clear();
    for (SpanTask& span : spans[static_cast<std::size_t>(i)]) {
      if (!by_spans) {
        span.result = part;
        run_span(span, kernels, variant);
      }
      merge(total, span.result);
    }
    finish_attention(task, variant, total);
  });
}

}  // namespace lamina
