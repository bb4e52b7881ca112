#include "sinew/lab/specimens.h"

#include <memory>

#include "sinew/lab/brick_specimen.h"
#include "sinew/lab/grid_specimen.h"
#include "sinew/lab/tet_specimen.h"

namespace sinew::lab {

std::vector<NamedSpecimen> make_specimens(const Options& options,
                                          const material::MusculotendonParameters& muscle) {
  std::vector<NamedSpecimen> specimens;
  if (options.line) specimens.push_back({"line", make_line_specimen(muscle)});
  if (options.tets) {
    specimens.push_back({"tets", std::make_unique<TetSpecimen>(muscle, TetSettings{})});
  }
  if (options.bricks) {
    specimens.push_back({"bricks", std::make_unique<BrickSpecimen>(muscle, BrickSettings{})});
  }
  if (options.grids) {
    specimens.push_back({"grids", std::make_unique<GridSpecimen>(muscle, GridSettings{})});
  }
  return specimens;
}

void check_settled(const std::string& name, const Specimen& specimen, Result& result) {
  if (specimen.num_unsettled() == 0) return;
  result.rows.push_back(
      within(name + ": held, but did not come to rest", specimen.num_unsettled(), "times", 0, 0));
}

Stroke stroke_of(std::string_view model) {
  if (model == "tets") return Stroke::kDashed;
  return model == "bricks" ? Stroke::kDotted : Stroke::kLine;
}

int color_of(std::string_view model) {
  if (model == "tets") return 1;
  if (model == "bricks") return 2;
  return model == "grids" ? 3 : 0;
}

}  // namespace sinew::lab
