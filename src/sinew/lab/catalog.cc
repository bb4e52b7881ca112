#include "sinew/lab/catalog.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/text.h"
#include "sinew/lab/experiments.h"

namespace sinew::lab {
namespace {

constexpr std::array kExperiments = {
    Experiment{"tendon-length", "Isometric force over length for three tendons",
               "chen1992 Fig. 2.26", "line, tets, bricks", run_tendon_length},
    Experiment{"tension-length", "Tension over length of resting and active muscle",
               "chen1992 Fig. 2.10, 6.5", "line, tets, bricks, grids", run_tension_length},
    Experiment{"force-velocity", "Force over velocity from releases at constant speed",
               "Hill 1938; chen1992 Fig. 2.13, 2.25", "line, tets, bricks", run_force_velocity},
    Experiment{"isotonic", "Shortening after a release to a smaller load",
               "Wilkie 1956; chen1992 Fig. 2.17", "line, tets, bricks", run_isotonic},
    Experiment{"quick-release", "Force after a sudden release to a shorter length",
               "Gasser and Hill 1924; chen1992 Fig. 2.12, 6.6", "line, tets, bricks",
               run_quick_release},
    Experiment{"twitch-summation", "From a twitch to a tetanus", "textbook; chen1992 section 2.2",
               "line, tets, bricks", run_twitch_summation},
    Experiment{"beam", "A clamped beam under its own weight, with all modes and with few",
               "chen1992 section 5.7", "bricks", run_beam, make_beam_cases},
    Experiment{"modes", "Frequencies of a beam, clamped and free", "chen1992 Fig. 5.9", "bricks",
               run_modes, make_mode_cases},
    Experiment{"volume", "Volume of a stretched and an active muscle", "chen1992 Fig. 6.9 to 6.11",
               "tets, bricks, grids", run_volume, make_volume_cases},
    Experiment{"inhomogeneous", "Tension over length with fibres of uneven strength",
               "chen1992 Fig. 6.12", "bricks", run_inhomogeneous},
    Experiment{"gravity-sag", "A relaxed muscle hangs down, an active one is taut",
               "chen1992 Fig. 6.7", "tets, bricks, grids", run_gravity_sag, make_sag_cases},
    Experiment{"fan2014", "The claims of fan2014 on small versions of its figures",
               "fan2014 Fig. 4, 7 to 10, 13", "grids", run_fan2014},
};

}  // namespace

std::span<const Experiment> experiments() {
  return kExperiments;
}

const Experiment& find_experiment(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : kExperiments) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  throw InputError("lab", "",
                   fmt::format("there is no experiment \"{}\"{}; there are {}", printable(name),
                               did_you_mean(name, names), join(names)));
}

}  // namespace sinew::lab
