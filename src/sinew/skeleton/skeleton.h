// A skeleton: bodies joined in a tree, coordinates that move them, muscles as lines over them,
// markers on them. Plain data in SI units, read from .osim, .bvh and DH tables or made from a built
// model; everything else in this folder is functions of it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/vec.h"
#include "sinew/skeleton/expression.h"
#include "sinew/skeleton/frame.h"
#include "sinew/skeleton/function.h"

namespace sinew::skeleton {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
inline constexpr std::size_t kGround = 0;  // index of the body that never moves

// How a joint moves: along or about an axis by a function of a coordinate.
struct TransformAxis {
  Vec3d axis{1, 0, 0};             // unit
  std::size_t coordinate = kNone;  // index; kNone: the function's value at 0
  Function function;               // rad for turns, m for shifts
};

// Child in parent: X_parent_body * parent_frame * X(q) * inverse(child_frame).
struct Joint {
  enum class Kind {
    // X(q): turns about axes[0], [1], [2], each carried by those before, then shifted by the sum of
    // axes[3..5] in the parent's frame. Pin, slider, universal, ball, planar, free and custom
    // joints
    // are all of this form; turns are body-fixed angles.
    kAxes,
    kScapulothoracic,  // on an ellipsoid, with winging: Seth et al. 2016; 4 coordinates
    kEllipsoid,        // body-fixed x-y-z angles, the origin on an ellipsoid; 3 coordinates
  };
  std::string name;
  std::string type;  // as the file called it, for messages and tables
  Kind kind = Kind::kAxes;
  Frame parent_frame = kIdentityFrame;
  Frame child_frame = kIdentityFrame;
  std::array<TransformAxis, 6> axes;           // kAxes
  std::vector<std::size_t> coordinates;        // indices, in the joint's order
  Vec3d radii{0, 0, 0};                        // m, of the other kinds
  std::array<double, 2> winging_origin{0, 0};  // m, kScapulothoracic
  double winging_direction = 0;                // rad, kScapulothoracic
};

struct Body {
  std::string name;
  std::size_t parent = kNone;  // index below this body's own; kNone for the ground alone
  Joint joint;                 // to the parent
  double mass = 0;             // kg, >= 0
  Vec3d mass_center{0, 0, 0};  // m, in the body
  Mat3d inertia{};             // kg m^2 about the mass centre, in the body's axes
};

// One coordinate that follows another.
struct Coupler {
  std::size_t independent = kNone;
  Function function;
};

struct Coordinate {
  std::string name;
  std::size_t body = kNone;  // the one whose joint it moves
  bool rotational = true;    // rad, else m
  double rest = 0;           // the file's default value
  std::array<double, 2> range{-1e9, 1e9};
  bool clamped = false;  // kept within the range
  bool locked = false;   // held at `rest`
  std::optional<Coupler> coupler;
};

struct ConditionalPoint {  // part of the path while the coordinate is in the range
  std::size_t coordinate = kNone;
  std::array<double, 2> range{0, 0};
};
struct MovingPoint {  // x, y, z each a function of a coordinate, m
  std::array<std::size_t, 3> coordinates{kNone, kNone, kNone};
  std::array<Function, 3> functions;
};
struct PathPoint {
  std::string name;
  std::size_t body = kGround;
  Vec3d location{0, 0, 0};  // m, in the body; unused by moving points
  std::variant<std::monostate, ConditionalPoint, MovingPoint> rule;
};

struct WrapObject {
  enum class Shape { kCylinder, kSphere, kEllipsoid, kTorus };
  std::string name;
  std::size_t body = kGround;
  Shape shape = Shape::kCylinder;
  Frame frame = kIdentityFrame;  // in the body; a cylinder's and a torus' axis is z
  // m. Cylinder: (radius, radius, length); sphere: radius thrice; ellipsoid: semi-axes;
  // torus: (radius of the hole's circle, radius of the tube, 0).
  Vec3d size{0, 0, 0};
  int quadrant = 0;  // 0: all; +-1, +-2, +-3: only where x, y or z has this sign
  bool active = true;
};

struct PathWrap {
  enum class Method { kHybrid, kMidpoint, kAxial };  // of ellipsoids
  std::size_t object = kNone;                        // index
  Method method = Method::kHybrid;
  std::array<int, 2> range{-1, -1};  // points between which it acts, counted from 1; < 1: the ends
};

struct Path {
  std::vector<PathPoint> points;  // two or more
  std::vector<PathWrap> wraps;
};

// A line muscle's constants, of any of the laws; material/musculotendon.h has the laws.
struct Muscle {
  enum class Law { kThelen, kMillard, kHill, kDeGroote };  // kHill: Schutte and other generic ones
  std::string name;
  std::string kind;  // as the file calls it; empty where there is no file
  Law law = Law::kThelen;
  Path path;
  double max_force = 0;                                      // N, isometric
  double optimal_length = 0;                                 // m, of the fibres
  double slack_length = 0;                                   // m, of the tendon
  double pennation = 0;                                      // rad, at optimal length
  double max_velocity = 10;                                  // optimal lengths a second
  double activation_time = 0.015, deactivation_time = 0.05;  // s
  double force_length_width = 0.45;                          // Thelen's KshapeActive
  double passive_shape = 5;                                  // Thelen's KshapePassive
  double passive_strain = 0.6;        // fibre strain at maximal isometric force
  double tendon_strain = 0.033;       // at maximal isometric force
  double force_velocity_shape = 0.3;  // Thelen's Af
  double lengthening_force = 1.8;     // Thelen's Flen
  double active_width = 1;            // De Groote's active_force_width_scale
  bool has_passive = true;            // fibres pull at rest too
  std::array<double, 2> control_range{0, 1};
  bool disabled = false;
};

// Forces besides muscles and gravity that act on joints by themselves: what OpenSim calls by the
// names given here. joint_forces.h has the laws. rad or m, N m or N, and per second.
struct CoordinateLimit {  // CoordinateLimitForce: a spring and a damper beyond each limit
  std::size_t coordinate = kNone;
  std::array<double, 2> limits{0, 0}, stiffness{0, 0};  // lower, upper
  double damping = 0;
  double transition = 0;  // beyond a limit, over which both set in
};
struct CoordinateSpring {  // SpringGeneralizedForce
  std::size_t coordinate = kNone;
  double stiffness = 0, rest = 0, viscosity = 0;
};
struct CoordinateFormula {  // ExpressionBasedCoordinateForce
  std::size_t coordinate = kNone;
  Expression force;  // of q, qdot
};
// BushingForce, FunctionBasedBushingForce, ExpressionBasedBushingForce: the second frame in the
// first turns by body-fixed x-y-z angles and shifts; six forces in these coordinates pull it back.
struct Bushing {
  std::array<std::size_t, 2> bodies{kGround, kGround};
  std::array<Frame, 2> frames{kIdentityFrame, kIdentityFrame};  // in the bodies
  // Of its own coordinate each, or of all six.
  std::variant<std::array<Function, 6>, std::array<Expression, 6>> stiffness;
  std::array<double, 6> damping{};
};
struct PointSpring {  // PointToPointSpring, ExpressionBasedPointToPointForce
  std::array<std::size_t, 2> bodies{kGround, kGround};
  std::array<Vec3d, 2> points{};  // m, in the bodies
  double stiffness = 0, rest = 0;
  std::optional<Expression> force;  // of d, ddot; instead
};
struct LigamentCurve {  // Ligament
  double rest = 0, force = 0;
  Function curve;  // of length over rest
};
struct LigamentToe {                                            // Blankevoort1991Ligament
  double stiffness = 0, rest = 0, transition = 0, damping = 0;  // stiffness in N a unit of strain
};
struct PathSpring {
  double stiffness = 0, rest = 0, dissipation = 0;
};
struct PathFormula {  // ExpressionBasedPathForce
  double rest = 0;
  bool slack = true;  // no negative stretch
  Expression force;   // of s, ldot
};
struct Band {  // what pulls along a path by a law of its length
  Path path;
  std::variant<LigamentCurve, LigamentToe, PathSpring, PathFormula> law;
};

struct JointForce {
  std::string name, type;  // as the file calls them
  bool disabled = false;
  std::variant<CoordinateLimit, CoordinateSpring, CoordinateFormula, Bushing, PointSpring, Band>
      law;
};

struct Marker {
  std::string name;
  std::size_t body = kGround;
  Vec3d location{0, 0, 0};  // m, in the body
};

// A surface that shows a body.
struct Geometry {
  std::size_t body = kGround;
  std::string file;  // as the model names it
  Frame frame = kIdentityFrame;
  Vec3d scale{1, 1, 1};
};

// Two points of two bodies that stay together.
struct PointConstraint {
  std::string name;
  std::array<std::size_t, 2> bodies{kGround, kGround};
  std::array<Vec3d, 2> locations{};  // m, in the bodies
};

// What a file has and this program does not act upon.
struct Unsupported {
  std::string type, name, consequence;
  bool acts = false;  // it would put moments on joints: whoever needs them must refuse or ignore it
};

struct Skeleton {
  std::string name;
  std::string file;  // it was read from, for messages
  Vec3d gravity{0, -9.80665, 0};
  std::vector<Body> bodies;  // parents before children; bodies[kGround] is the ground
  std::vector<Coordinate> coordinates;
  std::vector<WrapObject> wrap_objects;
  std::vector<Muscle> muscles;
  std::vector<JointForce> joint_forces;
  std::vector<Marker> markers;
  std::vector<Geometry> geometry;
  std::vector<PointConstraint> constraints;
  std::vector<Unsupported> unsupported;
};

// Indices by name; kNone where there is none.
std::size_t find_body(const Skeleton& skeleton, const std::string& name);
std::size_t find_coordinate(const Skeleton& skeleton, const std::string& name);
std::size_t find_muscle(const Skeleton& skeleton, const std::string& name);

// The coordinates' rest values, couplers obeyed.
std::vector<double> rest_pose(const Skeleton& skeleton);
// Sets every coupled coordinate from the one it follows.
void apply_couplers(const Skeleton& skeleton, std::vector<double>& q);

}  // namespace sinew::skeleton
