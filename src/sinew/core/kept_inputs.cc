#include "sinew/core/kept_inputs.h"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

#include "sinew/core/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Kept {
  std::mutex mutex;
  bool active = false;
  std::set<fs::path>
      paths;  // absolute: a name means the file that it has when something is written
};

Kept& kept() {
  static Kept instance;
  return instance;
}

fs::path full_path(const std::string& path) {
  std::error_code error;
  fs::path full = fs::absolute(path, error);
  return error ? fs::path(path) : full.lexically_normal();
}

}  // namespace

KeptInputs::KeptInputs() {
  const std::lock_guard lock(kept().mutex);
  SINEW_CHECK(!kept().active, "inputs are kept once");
  kept().active = true;
}

KeptInputs::~KeptInputs() {
  const std::lock_guard lock(kept().mutex);
  kept().active = false;
  kept().paths.clear();
}

void keep_input(const std::string& path) {
  const std::lock_guard lock(kept().mutex);
  if (kept().active) kept().paths.insert(full_path(path));
}

void give_up_input(const std::string& path) {
  const std::lock_guard lock(kept().mutex);
  kept().paths.erase(full_path(path));
}

bool is_kept_input(const std::string& path) {
  const std::lock_guard lock(kept().mutex);
  for (const fs::path& input : kept().paths) {
    std::error_code error;  // one that is gone is nobody's twin
    if (fs::equivalent(input, path, error)) return true;
  }
  return false;
}

}  // namespace sinew
