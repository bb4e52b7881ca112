// The specimens that the options ask for, with their names in plots and rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/lab/experiment.h"
#include "sinew/lab/specimen.h"

namespace sinew::lab {

struct NamedSpecimen {
  std::string name;  // line, tets, bricks
  std::unique_ptr<Specimen> specimen;
};

// For experiments that bricks are too slow for, or that hang a weight on the muscle.
inline Options without_bricks(const Options& options) {
  return {options.line, options.tets, false};
}

// The frog's gastrocnemius with the curves of `muscle`.
std::vector<NamedSpecimen> make_specimens(const Options& options,
                                          const material::MusculotendonParameters& muscle);

}  // namespace sinew::lab
