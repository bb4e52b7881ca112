#include "sinew/levelset/components.h"

#include <algorithm>

namespace sinew::levelset {
namespace {

class Flood {
 public:
  explicit Flood(const volume::Field& field) : field_(field) {
    result_.labels.resize(field.voxels.size(), 0);
  }

  Components run() {
    for (std::size_t n = 0; n < field_.voxels.size(); ++n) {
      if (!is_new(n)) continue;
      result_.sizes.push_back(0);
      add(n);
      while (!open_.empty()) {
        const std::size_t at = open_.back();
        open_.pop_back();
        spread(volume::index_at(field_.grid, at));
      }
    }
    return std::move(result_);
  }

 private:
  bool is_new(std::size_t n) const { return field_.voxels[n] < 0 && result_.labels[n] == 0; }
  void add(std::size_t n) {
    result_.labels[n] = static_cast<std::uint32_t>(result_.sizes.size());
    ++result_.sizes.back();
    open_.push_back(n);
  }
  void spread(const volume::Index& at) {
    const auto& size = field_.grid.size;
    for (std::int32_t k = std::max(at[2] - 1, 0); k <= std::min(at[2] + 1, size[2] - 1); ++k) {
      for (std::int32_t j = std::max(at[1] - 1, 0); j <= std::min(at[1] + 1, size[1] - 1); ++j) {
        for (std::int32_t i = std::max(at[0] - 1, 0); i <= std::min(at[0] + 1, size[0] - 1); ++i) {
          const std::size_t n = volume::offset_of(field_.grid, {i, j, k});
          if (is_new(n)) add(n);
        }
      }
    }
  }

  const volume::Field& field_;
  Components result_;
  std::vector<std::size_t> open_;
};

}  // namespace

Components find_components(const volume::Field& field) {
  return Flood(field).run();
}

}  // namespace sinew::levelset
