// The instance of the plain pre-norm structure.
#include "lamina/arch/llama.h"
#include "runtime/instances/define.h"

template struct lamina::Instances<lamina::Llama::spec>;
