// The instance of the pre-norm structure with normed heads.
#include "lamina/arch/qwen3.h"
#include "runtime/instances/define.h"

template struct lamina::Instances<lamina::Qwen3::spec>;
