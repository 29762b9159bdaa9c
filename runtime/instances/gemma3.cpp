// The instance of the sandwich structure with sliding and full layers.
#include "lamina/arch/gemma3.h"
#include "runtime/instances/define.h"

template struct lamina::Instances<lamina::Gemma3::spec>;
