// The patterns of tokenizer.json files, which are written for Oniguruma, in the language of PCRE2.
//
// They differ in what \w, \s, \h, ^, $, (?m) and {n,m}+ mean, in classes (which nest and intersect
// here: [a-z&&[^b]]), in scripts and in where (?i) ends (kkos/oniguruma, doc/RE and
// doc/SYNTAX.md, ONIG_SYNTAX_ONIGURUMA). What could mean something else after all is refused.
#pragma once

#include <string>
#include <string_view>

namespace lamina {

/// Throws where `pattern` is wrong, or says what is not translated: names what, and where.
std::string pcre2_pattern(std::string_view pattern);

}  // namespace lamina
