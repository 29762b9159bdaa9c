// strftime as Python has it for a time without a zone, in English whatever the locale.
#include "runtime/chat_template/chat_template.h"
#include "runtime/chat_template/jinja/builtins/globals.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <locale.h>
#include <string_view>

namespace lamina::jinja {
namespace {

/// Days since 1970-01-01 of the Gregorian calendar.
std::int64_t days_of(const LocalTime& time) {
  const std::chrono::year_month_day date{std::chrono::year{time.year},
                                         std::chrono::month{static_cast<unsigned>(time.month)},
                                         std::chrono::day{static_cast<unsigned>(time.day)}};
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

std::tm broken_down(const LocalTime& time) {
  std::tm result{};
  result.tm_year = time.year - 1900;
  result.tm_mon = time.month - 1;
  result.tm_mday = time.day;
  result.tm_hour = time.hour;
  result.tm_min = time.minute;
  result.tm_sec = time.second;
  LocalTime first = time;
  first.month = first.day = 1;
  result.tm_yday = static_cast<int>(days_of(time) - days_of(first));
  result.tm_wday = static_cast<int>(((days_of(time) + 4) % 7 + 7) % 7);
  result.tm_isdst = -1;
  return result;
}

/// The C locale, which nothing changes.
locale_t plain() {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
  return locale;
}

/// Bytes of the directive at the start of `format`, which begins with %: flags, a width, E or O,
/// and a letter.
std::size_t directive_length(std::string_view format) {
  std::size_t end = format.find_first_not_of("_-0^#", 1);
  end = end == format.npos ? end : format.find_first_not_of("0123456789", end);
  if (end != format.npos && (format[end] == 'E' || format[end] == 'O')) ++end;
  return end == format.npos || end >= format.size() ? format.size() : end + 1;
}

std::string directive(std::string_view text, const LocalTime& time, const std::tm& fields) {
  if (text == "%f") {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%06d", time.microsecond);
    return digits;
  }
  if (text == "%z" || text == "%Z" || text == "%:z") return {};
  // A blank in front tells "wrote nothing" from "did not fit".
  char written[256];
  const std::string format = " " + std::string(text);
  const std::size_t size = strftime_l(written, sizeof written, format.c_str(), &fields, plain());
  if (size == 0) fail("strftime_now: the format is not supported");
  return {written + 1, size - 1};
}

}  // namespace

std::string format_time(Heap& heap, std::string_view format, const LocalTime& time) {
  const std::tm fields = broken_down(time);
  std::string out;
  while (!format.empty()) {
    std::size_t size = format.find('%');
    if (size != 0) {
      out += format.substr(0, size);
      format.remove_prefix(size == format.npos ? format.size() : size);
      continue;
    }
    size = directive_length(format);
    heap.step(2);
    heap.character_work(size);
    heap.check_length(out.size());
    out += directive(format.substr(0, size), time, fields);
    format.remove_prefix(size);
  }
  return out;
}

}  // namespace lamina::jinja

namespace lamina {

LocalTime local_time_now() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch());
  std::tm fields{};
  localtime_r(&seconds, &fields);
  return {fields.tm_year + 1900,
          fields.tm_mon + 1,
          fields.tm_mday,
          fields.tm_hour,
          fields.tm_min,
          fields.tm_sec,
          static_cast<int>(rest.count() % 1'000'000)};
}

}  // namespace lamina
