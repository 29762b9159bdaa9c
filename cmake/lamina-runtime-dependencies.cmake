# What lamina::runtime links with; read by our own build and by
# find_package(lamina COMPONENTS runtime).
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET GLOBAL libpcre2-8)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET GLOBAL libutf8proc)
pkg_check_modules(libedit REQUIRED IMPORTED_TARGET GLOBAL libedit)
set(lamina_runtime_dependencies
  fmt::fmt spdlog::spdlog nlohmann_json::nlohmann_json PkgConfig::pcre2 PkgConfig::utf8proc
  PkgConfig::libedit)
