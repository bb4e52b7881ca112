// The verbs of the command: options in, a report out. They throw InputError on bad input and
// engine::StepFailure where a run cannot go on; main.cc turns both into messages and exit codes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report.h"

namespace sinew::app {

struct RunOptions {
  std::string scene;
  std::string output;  // folder; empty: out/NAME
  bool resume = false;
  bool quiet = false;  // no progress
};
Report run(const RunOptions& options);

struct PhantomOptions {
  std::string name;    // arm, eye, calf
  std::string output;  // folder; empty: NAME
  double voxel = 0;    // m; 0: as the phantom likes it
  bool quiet = false;  // no word of what comes next
};
Report phantom(const PhantomOptions& options);

struct BuildOptions {
  std::string path;    // model file
  std::string output;  // folder; empty: out/NAME
  std::string data;    // folder that the model file's paths are relative to; empty: as it says
  std::string volume;  // label volume instead of the model file's; empty: as it says
  bool quiet = false;  // no progress
};
Report build(const BuildOptions& options);

struct CheckOptions {
  std::string path;  // scene, recording (file or folder of a run) or surface
};
Report check(const CheckOptions& options);

struct ExportOptions {
  std::string path;    // recording (file or folder of a run)
  std::string format;  // vtu, obj, csv, png
  std::string output;  // folder; empty: FORMAT beside the recording
  std::size_t first = 0;
  std::size_t last = static_cast<std::size_t>(-1);  // inclusive; beyond the end: the last one
  std::size_t stride = 1;
};
Report export_recording(const ExportOptions& options);

struct CompareOptions {
  std::string first, second;        // recordings (files or folders of runs)
  std::vector<std::string> bodies;  // NAME or A=B; empty: those with equal names
  std::string output;               // .csv of all moments; empty: none
  std::size_t stride = 1;
};
Report compare(const CompareOptions& options);

struct IkOptions {
  std::string model;                 // .osim or DH table (.toml)
  std::string markers;               // .trc; empty where there are goals
  std::string goals;                 // file of end-effector goals (.toml); empty: markers
  std::string output;                // .mot or .sto
  std::string setup;                 // OpenSim's setup file with tasks; empty: all markers alike
  std::vector<std::string> weights;  // NAME=VALUE, after the setup file's
  std::optional<double> from, to;    // s; absent: as the setup file says, or all
};
Report ik(const IkOptions& options);

struct ActivationsOptions {
  std::string model;                // .osim
  std::string motion;               // .mot or .sto
  std::string output;               // .sto; forces and reserves go beside it
  std::string loads;                // ExternalLoads file (.xml); empty: none
  std::vector<std::string> ignore;  // parts that act on joints, by name or type, to leave out
  double cutoff = 6;                // Hz; 0: the motion as it is
  double exponent = 2;              // of activations in the effort
  bool quasi_static = false;        // without rates and accelerations
  bool passive = false;             // with passive fibre forces
  std::string wrap = "geodesic";    // or opensim
};
Report activations(const ActivationsOptions& options);

struct LabOptions {
  std::string name;                 // empty: list the experiments
  std::string output;               // folder; empty: out/lab/NAME
  std::vector<std::string> models;  // line, tets, bricks; empty: all that the experiment has
  std::string emit;                 // feb, inp: write cases for other programs instead
  bool json = false;
};
Report lab(const LabOptions& options);

struct CalibrateOptions {
  std::string model;                 // folder of a built model
  std::vector<std::string> muscles;  // names; empty: all that have a line of action
  double tolerance = 0.01;           // of the line's force
  bool quiet = false;                // no progress
};
Report calibrate(const CalibrateOptions& options);

struct BenchOptions {
  std::string name;
  int repeats = 5;
  int threads = 1;   // the most to use
  std::string data;  // folder of models; empty: SINEW_DATA, or ../shared/data
};
Report bench(const BenchOptions& options);

}  // namespace sinew::app
