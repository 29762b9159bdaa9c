// Unicode normalization forms NFC, NFD, NFKC and NFKD, of Unicode 9 as Hugging Face's tokenizers
// have them.
//
// Characters are decomposed, marks sorted by combining class, and, for the composed forms, put
// together again (UAX #15). What later versions of Unicode added is left as it is, as are bytes
// that are no UTF-8. The data of single characters are utf8proc's.
#pragma once

#include <string>
#include <string_view>

namespace lamina {

struct NormalizationForm {
  bool compatible = false;  // the forms with a K
  bool composed = false;    // the forms with a C
};

std::string normalized(std::string_view text, NormalizationForm form);

}  // namespace lamina
