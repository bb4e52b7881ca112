// The specimens that the options ask for, with their names in plots and rows.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/lab/experiment.h"
#include "sinew/lab/specimen.h"

namespace sinew::lab {

struct NamedSpecimen {
  std::string name;  // line, tets, bricks, grids
  std::unique_ptr<Specimen> specimen;
};

// For experiments on force-velocity, which active shapes do not have.
inline Options without_grids(const Options& options) {
  return {options.line, options.tets, options.bricks, false};
}

// The frog's gastrocnemius with the curves of `muscle`.
std::vector<NamedSpecimen> make_specimens(const Options& options,
                                          const material::MusculotendonParameters& muscle);

// Adds a row that fails where the specimen was held and did not come to rest.
void check_settled(const std::string& name, const Specimen& specimen, Result& result);

// How a model's curves look in every plot, so that those that lie on each other are all seen.
Stroke stroke_of(std::string_view model);
int color_of(std::string_view model);

}  // namespace sinew::lab
