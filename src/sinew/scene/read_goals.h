// Files of end-effector goals: which points of a skeleton should be where, and when. For
// `sinew ik --goals`; docs/scene.md lists the keys.
#pragma once

#include <string>
#include <vector>

#include "sinew/skeleton/follow_goals.h"

namespace sinew::scene {

struct GoalFile {
  std::vector<skeleton::MovingGoal> goals;
  skeleton::FollowSettings settings;
};

// Both throw InputError with file and line, the value found, what is allowed and the nearest right
// word.
GoalFile read_goals(const std::string& path, const skeleton::Skeleton& skeleton);
GoalFile parse_goals(const std::string& text, const std::string& path,
                     const skeleton::Skeleton& skeleton);

}  // namespace sinew::scene
