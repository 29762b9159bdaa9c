// The program `lamina`: reads the command line, runs the command, turns errors into exit codes.
//
// 0: done; 1: it failed, and stderr says why; 2: the command line was wrong.
#include "lamina/core/config.h"
#include "runtime/tools/command_line.h"
#include "runtime/tools/flags.h"
#include "runtime/tools/output.h"
#include "runtime/tools/tools.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <sstream>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

enum ExitCode { success = 0, failure = 1, usage = 2 };

std::string version() {
#if defined(__clang__)
  const char* compiler = "clang " __clang_version__;
#else
  const char* compiler = "gcc " __VERSION__;
#endif
#if defined(NDEBUG)
  const char* build = "release";
#else
  const char* build = "debug";
#endif
  const std::vector<std::string> isas = lamina::known_isas();
  return fmt::format("lamina {}.{}.{}\nbuild: {}, {}\nisa: {} (of {})\nbackends: {}",
                     LAMINA_VERSION_MAJOR, LAMINA_VERSION_MINOR, LAMINA_VERSION_PATCH, build,
                     compiler, isas.back(), fmt::join(isas, " "),
                     fmt::join(lamina::known_backends(), " "));
}

/// Messages go to stderr, coloured only on a terminal.
void set_up_logging() {
  auto logger = spdlog::stderr_color_mt("lamina");
  logger->set_pattern("%^%l%$: %v");
  spdlog::set_default_logger(logger);
}

int report(ExitCode code, const std::string& message) {
  fmt::print(stderr, "error: {}\n", message);
  return code;
}

int parse_and_run(int argc, char** argv) {
  CLI::App program{"lamina runs language models", "lamina"};
  program.require_subcommand(1);
  program.set_version_flag("--version", version,
                           "print version, build, instruction sets and backends");
  program.get_formatter()->column_width(36);
  lamina::Action chosen;
  lamina::add_run(program, chosen);
  lamina::add_chat(program, chosen);
  lamina::add_tokenize(program, chosen);
  lamina::add_detokenize(program, chosen);
  lamina::add_prompt(program, chosen);
  lamina::add_template(program, chosen);
  lamina::add_inspect(program, chosen);
  lamina::add_logits(program, chosen);
  lamina::add_perplexity(program, chosen);
  lamina::add_bench(program, chosen);
  lamina::add_models(program, chosen);
  const auto words = std::span<const char* const>(argv, argv + argc).subspan(1);
  lamina::check_command(program, words);
  try {
    program.parse(lamina::words_to_parse(words));
  } catch (const CLI::Success& wanted) {  // help and version
    std::ostringstream text;
    program.exit(wanted, text, text);
    lamina::print_text(text.str());
    return success;
  } catch (const CLI::ParseError& error) {
    return report(usage, lamina::describe_mistake(program, error));
  }
  chosen();
  return success;
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GLIBC__)
  // The matrices of a batch are megabytes that come and go with each step: kept by the process,
  // they need not be cleared anew by the system. 32 MiB is the most that glibc takes.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  set_up_logging();
  try {
    return parse_and_run(argc, argv);
  } catch (const lamina::UsageError& error) {
    return report(usage, error.what());
  } catch (const std::bad_alloc&) {
    return report(failure, "there is not enough memory; a shorter context (-c) takes less");
  } catch (const std::exception& error) {
    return report(failure, error.what());
  }
}
