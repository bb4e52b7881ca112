// Counts the voxels that a repair changes and writes its row of the report. For the steps of
// repair_steps.h.
#pragma once

#include <string>
#include <utility>

#include "sinew/volume/repair.h"

namespace sinew::volume {

class ChangedVoxels {
 public:
  void add(const Index& index) {
    sum_ += {static_cast<double>(index[0]), static_cast<double>(index[1]),
             static_cast<double>(index[2])};
    ++count_;
  }
  std::size_t count() const { return count_; }

  // The row of the report. Precondition: count() > 0.
  Repair make_repair(const Grid& grid, std::string kind, std::string part,
                     std::string other) const {
    const auto count = static_cast<double>(count_);
    return {std::move(kind),
            std::move(part),
            std::move(other),
            position_of(grid, sum_ / count),
            count * voxel_volume(grid),
            false,
            {}};
  }

 private:
  Vec3d sum_;
  std::size_t count_ = 0;
};

// "label 17" where the settings do not name it, empty for the background.
std::string name_of(const RepairSettings& settings, std::uint16_t label);

}  // namespace sinew::volume
