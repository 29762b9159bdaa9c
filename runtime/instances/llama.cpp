#include "lamina/arch/llama.h"
#include "runtime/instances/define.h"

template struct lamina::Instances<lamina::Llama::spec>;
