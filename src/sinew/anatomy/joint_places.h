// Whether joints lie where their bones are. For builds of models, and for skeletons made of them.
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/model.h"

namespace sinew::anatomy {

// What is wrong with the first joint whose centre is farther from the box around its two bones than
// that box is long, in words; empty where all are near. A joint lies between its bones or in one of
// them, even where the scan has only a part of each: what is farther off is in another unit or
// frame. Joints of tissues without a surface pass.
std::string find_far_joint(const std::vector<Tissue>& tissues,
                           const std::vector<JointSettings>& joints);

}  // namespace sinew::anatomy
