#include "sinew/core/inside.h"

#include <algorithm>
#include <system_error>

namespace sinew {

std::filesystem::path find_inside(const std::filesystem::path& folder, std::string_view name) {
  namespace fs = std::filesystem;
  const fs::path inner(name);
  const bool goes_up = std::ranges::find(inner, fs::path("..")) != inner.end();
  if (inner.empty() || inner.is_absolute() || goes_up) return {};
  const fs::path path = folder / inner;
  std::error_code error;
  const fs::path base = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder), error);
  if (error) return {};
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) return {};  // such as links in a circle
  const auto [end, ignored] = std::ranges::mismatch(base, target);
  return end == base.end() ? path : fs::path();
}

}  // namespace sinew
