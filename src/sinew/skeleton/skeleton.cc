#include "sinew/skeleton/skeleton.h"

#include <algorithm>

namespace sinew::skeleton {
namespace {

template <class T>
std::size_t find_name(const std::vector<T>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return found == items.end() ? kNone : static_cast<std::size_t>(found - items.begin());
}

}  // namespace

std::size_t find_body(const Skeleton& skeleton, const std::string& name) {
  return find_name(skeleton.bodies, name);
}
std::size_t find_coordinate(const Skeleton& skeleton, const std::string& name) {
  return find_name(skeleton.coordinates, name);
}
std::size_t find_muscle(const Skeleton& skeleton, const std::string& name) {
  return find_name(skeleton.muscles, name);
}

void apply_couplers(const Skeleton& skeleton, std::vector<double>& q) {
  // A chain of couplers is settled after as many rounds as it is long; most have one link.
  bool changed = true;
  for (std::size_t round = 0; changed && round < q.size(); ++round) {
    changed = false;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const auto& coupler = skeleton.coordinates[i].coupler;
      if (!coupler) continue;
      const double value = evaluate(coupler->function, q[coupler->independent]).value;
      changed = changed || value != q[i];
      q[i] = value;
    }
  }
}

std::vector<double> rest_pose(const Skeleton& skeleton) {
  std::vector<double> q(skeleton.coordinates.size());
  std::transform(skeleton.coordinates.begin(), skeleton.coordinates.end(), q.begin(),
                 [](const Coordinate& coordinate) { return coordinate.rest; });
  apply_couplers(skeleton, q);
  return q;
}

}  // namespace sinew::skeleton
