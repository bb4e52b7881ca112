// Where a muscle begins and ends: patches of its surface that touch the bones which its name stands
// for, and how far along the muscle each vertex lies. For fibres, tendons and boundary conditions.
//
// Nearness alone is not enough, as many muscles lie along their bone: of all contact with an end's
// bones, that counts which lies towards the end, measured by paths over the surface. The core of an
// end is the contact farthest from the other end, bone by bone; with g the paths' lengths from the
// cores, t = gO / (gO + gI) says how far along a contact lies, and each kind of end takes its share
// of the way. docs/theory/anatomy.md compares the rule with plain nearness.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/anatomy/bone_contact.h"
#include "sinew/anatomy/model.h"
#include "sinew/mesh/surface.h"
#include "sinew/volume/image.h"

namespace sinew::anatomy {

// What holds an end that the border of the image cuts off; no tissue has such a name.
inline constexpr const char* kImageBorder = "image border";

// What an end's patch has to have, m^2. One that touches with less is enlarged along the surface,
// so that it holds nodes; how little it touches with is in `contact`.
inline constexpr double kLeastArea = 25e-6;

// How far an end's patch may lie from its bone, m, or one and a half voxels of the volume where
// that is more: 6 mm is what the repair of labels, which draws missing tendons, leaves to the rule
// of contact; gaps of hand-made shapes, up to 2.5 mm, are well within. What lies farther is in the
// air, whatever `reach` says.
inline constexpr double kFarthestPatch = 6e-3;

struct AttachedEnd {
  double area = 0;      // m^2
  double contact = 0;   // m^2, what of it the end's rule found before it was enlarged
  Vec3d centroid;       // m
  std::string bone;     // the nearest one, or kImageBorder; empty where there is none
  double distance = 0;  // m, least from patch to bone, negative inside it; 0 without bone
  std::uint32_t num_vertices = 0;
  std::string sibling;  // the muscle that the end is tied to; empty: to the bone
  double tied = 0;      // part of the patch's area within `tie_gap` of the sibling
  bool valid = false;
  std::string problem;  // a sentence; empty where valid
};

struct Attachments {
  std::vector<std::uint8_t> end;  // (num_vertices) kNoEnd, kOriginEnd, kInsertionEnd
  std::vector<double> along;      // (num_vertices) from 0 at the origin to 1 at the insertion
  AttachedEnd origin, insertion;
  double length = 0;  // m, of the longest way over the surface between the ends' cores
};

// `bones` and `siblings` hold at least those that the two ends name; a name that is not among them
// is as if it had not been given. Every end gets a patch: where its rule finds none it is a guess,
// not `valid`, and `problem` says why. `image` is the grid of the label volume, null without one: a
// muscle that reaches its border is cut off there. Precondition: `muscle` is closed and not empty.
Attachments find_attachments(const mesh::Surface& muscle, const EndSettings& origin,
                             const EndSettings& insertion, std::span<const NamedSolid> bones,
                             std::span<const NamedSolid> siblings,
                             const volume::Grid* image = nullptr);

}  // namespace sinew::anatomy
