// The exception of bad input: the sentence arrives whole, and a handler of the standard types sees
// it.
#include "lamina/core/error.h"

#include <boost/test/unit_test.hpp>

#include <string>

using lamina::Error;

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(the_sentence_arrives_whole) {
  const std::string sentence = "m.gguf: the tensor 'a' has 3 rows, expected 4; convert it again";
  try {
    throw Error(sentence);
  } catch (const std::runtime_error& caught) {
    BOOST_TEST(caught.what() == sentence);
  }
}

BOOST_AUTO_TEST_CASE(it_is_told_from_other_errors) {
  bool taken_for_ours = false;
  try {
    throw std::runtime_error("of someone else");
  } catch (const Error&) {
    taken_for_ours = true;
  } catch (const std::exception&) {
  }
  BOOST_TEST(!taken_for_ours);
  BOOST_CHECK_THROW(throw Error(std::string("made from a string")), Error);
  BOOST_CHECK_THROW(throw Error("made from a literal"), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
