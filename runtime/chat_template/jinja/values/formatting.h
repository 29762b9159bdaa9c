// Python's two ways to put values into a text: `"%5.2f" % x` and `"{:>5}".format(x)`.
#pragma once

#include "runtime/chat_template/jinja/evaluation/arguments.h"
#include "runtime/chat_template/jinja/values/heap.h"
#include "runtime/chat_template/jinja/values/value.h"

#include <string>

namespace lamina::jinja {

/// `format % values`; in markup, what is put in is escaped.
Text percent_format(Heap& heap, const String& format, const Value& values);

/// `format.format(...)`.
Text brace_format(Heap& heap, const String& format, const Arguments& arguments);

}  // namespace lamina::jinja
