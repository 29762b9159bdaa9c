// SamplerChain: samplers applied one after the other, in the order of its type; itself a Sampler.
#pragma once

#include "lamina/sample/sampler.h"

#include <tuple>

namespace lamina {

template <Sampler... S>
class SamplerChain {
 public:
  SamplerChain() = default;
  explicit SamplerChain(S... samplers) requires(sizeof...(S) > 0)
      : samplers_(std::move(samplers)...) {}

  void apply(Candidates& candidates);
  void accept(Token token);

 private:
  std::tuple<S...> samplers_;
};

static_assert(Sampler<SamplerChain<>>);
static_assert(Sampler<SamplerChain<SamplerChain<>, SamplerChain<>>>);

template <Sampler... S>
void SamplerChain<S...>::apply(Candidates& candidates) {
  std::apply([&](S&... sampler) { (sampler.apply(candidates), ...); }, samplers_);
}

template <Sampler... S>
void SamplerChain<S...>::accept(Token token) {
  std::apply([&](S&... sampler) { (sampler.accept(token), ...); }, samplers_);
}

}  // namespace lamina
