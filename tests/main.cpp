// The entry point of every test executable.
#define BOOST_TEST_MODULE lamina
#include <boost/test/unit_test.hpp>
