// The single steps of repair_labels (repair.h), each of which mends one kind of damage in place and
// returns the list of its repairs.
#pragma once

#include <vector>

#include "sinew/volume/connected_components.h"
#include "sinew/volume/repair.h"

namespace sinew::volume {

// Small pieces of a label away from its body go to what surrounds them. A piece is small below
// 100 mm^3 or 40 voxels, whichever is more, and below a quarter of the body; pieces that the border
// of the image may have cut off stay. Pieces within 2.5 mm or one and a half slices of the body are
// parts of a tendon thinner than a voxel: they are tied to it instead. Where pieces together hold
// more than 2 % of their label, or would make another label gain that much, they are the shape of
// something thinner than the voxels and stay.
std::vector<Repair> remove_islands(LabelVolume& labels, const RepairSettings& settings);

// Enclosed background of up to 500 mm^3 whose surroundings are one label goes to that label: all of
// the surroundings, or nine tenths where the hole is of 8 mm^3 or more (pockets between packed
// muscles are real). A neck one voxel wide does not open a hole.
std::vector<Repair> fill_cavities(LabelVolume& labels, const RepairSettings& settings);

// Slices in which a label is missing, but for a quarter of its section, although its neighbours on
// both sides show it: filled by interpolating signed distances across the gap, into background
// only.
std::vector<Repair> bridge_dropped_slices(LabelVolume& labels, const RepairSettings& settings);

// Parts of a label that lie, over a few slices, where its neighbour lies in the slices before and
// after, and that leak_evidence.h shows to be no part of its shape: they return to the neighbour.
// Between its ends a leak may go aslant, by three tenths of its length. Bones have no leaks.
std::vector<Repair> return_leaks(LabelVolume& labels, const RepairSettings& settings);

// Voxels that disagree with their neighbourhood, where the volume has more of them than clean
// segmentations have; thin tendons and labels of less than 300 voxels stay as they are. Axes along
// which labels seldom change count more; the result does not depend on their order and sense.
std::vector<Repair> smooth_boundary_noise(LabelVolume& labels, const RepairSettings& settings);

// Tendons for muscles that end 6 to 60 mm before the bones that they are named to reach. An end
// that the border of the image cuts off misses nothing, nor does one that lies against another head
// that reaches the same bone; one that is thinner than a voxel may have been lost between them.
std::vector<Repair> add_missing_tendons(LabelVolume& labels, const RepairSettings& settings);

}  // namespace sinew::volume
