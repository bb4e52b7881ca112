#include "sinew/levelset/volume_offset.h"

#include <cmath>

#include "sinew/levelset/distance_field.h"

namespace sinew::levelset {

// The Illinois variant of regula falsi.
volume::Field match_volume(const std::function<volume::Field(double)>& moved, double reach,
                           double volume) {
  const auto surplus = [&](double c) { return compute_volume(moved(c)) - volume; };
  double low = -reach, high = reach;
  double f_low = surplus(low), f_high = surplus(high);
  if (f_low <= 0) return moved(low);
  if (f_high >= 0) return moved(high);
  double c = 0;
  for (int n = 0; n < 12; ++n) {
    c = (low * f_high - high * f_low) / (f_high - f_low);
    const double f = surplus(c);
    if (std::abs(f) < 1e-5 * volume) break;
    if (f > 0) {
      low = c, f_low = f, f_high *= 0.5;
    } else {
      high = c, f_high = f, f_low *= 0.5;
    }
  }
  return moved(c);
}

}  // namespace sinew::levelset
