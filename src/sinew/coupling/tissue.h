// What coupling needs of tissue, the same for every engine: go on and say what bones and tendons
// feel, go back, and be looked at. For the coupled engine.
//
// Source: docs/theory/coupling.md, equations (4) and (10).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sinew/brick/brick_engine.h"
#include "sinew/coupling/bone_track.h"
#include "sinew/coupling/no_tissue.h"
#include "sinew/engine/controls.h"
#include "sinew/engine/tissue_engine.h"
#include "sinew/engine/world.h"
#include "sinew/eulerian/eulerian_engine.h"
#include "sinew/tet/tet_engine.h"

namespace sinew::coupling {

using Tissue = std::variant<std::unique_ptr<tet::TetEngine>, std::unique_ptr<brick::BrickEngine>,
                            std::unique_ptr<eulerian::EulerianEngine>, std::unique_ptr<NoTissue>>;
using TissueState = std::variant<tet::State, brick::State, eulerian::State, NoTissue::State>;

engine::TissueEngine& engine_of(const Tissue& tissue);
// Null where the engine cannot be steered.
engine::Steerable* steering_of(const Tissue& tissue);
double time_of(const Tissue& tissue);  // s

// Whether advance_with_loads may be called: tetrahedra that step by backward Euler or quasi-statics
// know what they do to bones, grids always do, bricks never.
bool knows_loads(const Tissue& tissue);
// Whether bones may be moved by forces beside it: it knows its loads, or is none.
bool allows_free_bones(const Tissue& tissue);
// Goes on to `time`; means over the time that passed.
engine::BoneLoads advance_with_loads(const Tissue& tissue, double time);

TissueState state_of(const Tissue& tissue);
// Goes back to an earlier state_of() the same tissue.
void restore(const Tissue& tissue, const TissueState& state);

// Activation of the body of this name, 0..1: that of its most active region; none where there is no
// such body, or it cannot be active.
std::optional<double> activation_of(const Tissue& tissue, const std::string& name);

// Whether any tissue hangs on this tendon of the bone track.
bool pulls_at(const Tissue& tissue, std::size_t tendon);

// Largest distance of held material from where its bone or tendon has it, m.
double measure_attachment_error(BoneTrack& track, const Tissue& tissue);

}  // namespace sinew::coupling
