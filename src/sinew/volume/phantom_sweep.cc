#include "sinew/volume/phantom_sweep.h"

#include <algorithm>

#include "sinew/core/error.h"

namespace sinew::volume {
namespace {

constexpr int kPiecesASpan = 8;
constexpr double kEnd = -1;  // a turn where the sweep ends

Station operator*(double s, const Station& a) {
  return {s * a.place, s * a.wide, s * a.thick};
}
Station operator+(const Station& a, const Station& b) {
  return {a.place + b.place, a.wide + b.wide, a.thick + b.thick};
}

// Catmull-Rom between stations i and i + 1; the ends are repeated. Sizes never fall below the
// smaller neighbour: the cubic may undershoot where a belly narrows quickly.
Station interpolate(const std::vector<Station>& stations, std::size_t i, double t) {
  const Station& p1 = stations[i];
  const Station& p2 = stations[i + 1];
  const Station& p0 = i == 0 ? p1 : stations[i - 1];
  const Station& p3 = i + 2 < stations.size() ? stations[i + 2] : p2;
  const double t2 = t * t;
  const double t3 = t2 * t;
  Station s = 0.5 * ((-t3 + 2 * t2 - t) * p0 + (3 * t3 - 5 * t2 + 2) * p1 +
                     (-3 * t3 + 4 * t2 + t) * p2 + (t3 - t2) * p3);
  s.wide = std::max(s.wide, std::min(p1.wide, p2.wide));
  s.thick = std::max(s.thick, std::min(p1.thick, p2.thick));
  return s;
}

std::vector<Station> refine(const std::vector<Station>& stations) {
  std::vector<Station> fine;
  for (std::size_t i = 0; i + 1 < stations.size(); ++i) {
    for (int step = 0; step < kPiecesASpan; ++step) {
      fine.push_back(interpolate(stations, i, static_cast<double>(step) / kPiecesASpan));
    }
  }
  fine.push_back(stations.back());
  return fine;
}

SweepPiece make_piece(const Station& a, const Station& b, const Vec3d& side, double power) {
  SweepPiece piece{};
  piece.begin = a.place;
  piece.end = b.place;
  piece.length = norm(b.place - a.place);
  piece.along = (b.place - a.place) / piece.length;
  piece.across = normalized(cross(piece.along, side));
  piece.side = cross(piece.across, piece.along);
  piece.wide[0] = a.wide, piece.wide[1] = b.wide;
  piece.thick[0] = a.thick, piece.thick[1] = b.thick;
  piece.power = power;
  return piece;
}

// (|x|^p + |y|^p + |z|^p)^(1/p)
double power_norm(const Vec3d& x, double p) {
  if (p == 2.0) return norm(x);
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) sum += std::pow(std::abs(x[a]), p);
  return std::pow(sum, 1 / p);
}

}  // namespace

std::vector<SweepPiece> make_pieces(const Sweep& sweep) {
  SINEW_CHECK(sweep.stations.size() >= 2, "a sweep needs two stations");
  const std::vector<Station> fine = refine(sweep.stations);
  const Vec3d side_end = sweep.side_end.value_or(sweep.side);
  std::vector<SweepPiece> pieces;
  double arc = 0;
  for (std::size_t i = 0; i + 1 < fine.size(); ++i) {
    const double t = (static_cast<double>(i) + 0.5) / static_cast<double>(fine.size() - 1);
    const Vec3d side = (1 - t) * sweep.side + t * side_end;
    SweepPiece piece = make_piece(fine[i], fine[i + 1], side, sweep.power);
    piece.arc[0] = arc;
    arc += piece.length;
    piece.arc[1] = arc;
    pieces.push_back(piece);
  }
  for (SweepPiece& piece : pieces) piece.arc[0] /= arc, piece.arc[1] /= arc;
  pieces.front().turn[0] = pieces.back().turn[1] = kEnd;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    pieces[i].turn[1] = pieces[i + 1].turn[0] = norm(pieces[i + 1].along - pieces[i].along);
  }
  return pieces;
}

SweepPlace place_in(const SweepPiece& piece, const Vec3d& point) {
  const Vec3d from_begin = point - piece.begin;
  const double along = dot(from_begin, piece.along);
  const double t = std::clamp(along / piece.length, 0.0, 1.0);
  const double beyond = along - t * piece.length;  // past an end: a rounded cap
  const double wide = piece.wide[0] + t * (piece.wide[1] - piece.wide[0]);
  const double thick = piece.thick[0] + t * (piece.thick[1] - piece.thick[0]);
  const double side = dot(from_begin, piece.side);
  const double across = dot(from_begin, piece.across);
  const double depth =
      power_norm({side / wide, across / thick, beyond / std::min(wide, thick)}, piece.power);
  const double radius = std::sqrt(side * side + across * across + beyond * beyond);
  const double distance = depth > 1e-6 ? (1 - 1 / depth) * radius : -std::min(wide, thick);
  const double arc = piece.arc[0] + t * (piece.arc[1] - piece.arc[0]);
  return {depth, distance, arc, std::abs(side) / wide};
}

SweepBounds bounds_of(const SweepPiece& piece, double distance) {
  const double wide = std::max(piece.wide[0], piece.wide[1]) + distance;
  const double thick = std::max(piece.thick[0], piece.thick[1]) + distance;
  // Neighbours leave a wedge to each other on the outside of a bend; the ends have caps.
  const auto beyond = [&](double turn) {
    return turn == kEnd ? std::min(wide, thick) : turn * std::max(wide, thick);
  };
  SweepBounds bounds{{}, {}, -beyond(piece.turn[0]), piece.length + beyond(piece.turn[1])};
  for (std::size_t a = 0; a < 3; ++a) {
    const double reach = wide * std::abs(piece.side[a]) + thick * std::abs(piece.across[a]);
    const double first = piece.begin[a] + bounds.before * piece.along[a];
    const double last = piece.begin[a] + bounds.after * piece.along[a];
    bounds.low[a] = std::min(first, last) - reach;
    bounds.high[a] = std::max(first, last) + reach;
  }
  return bounds;
}

}  // namespace sinew::volume
