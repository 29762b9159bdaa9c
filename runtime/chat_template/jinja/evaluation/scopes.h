// What the names of a template mean, decided before it runs as jinja2's compiler does.
//
// jinja2 turns each body into a Python function whose variables are those that the body sets. Hence
// a name that is set in a body has no value before, even where a variable outside has that name;
// a macro takes `caller`, `kwargs` and `varargs` where its body speaks of them; and a filter or
// test that does not exist is an error at once, but for those within a condition.
#pragma once

#include "runtime/chat_template/jinja/syntax/syntax.h"

namespace lamina::jinja {

/// Fills in what the parser left open. Throws SyntaxFault.
void resolve_names(TemplateTree& tree);

}  // namespace lamina::jinja
