// Cylindrical range scans and stacks of contours.
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"

namespace sinew::mesh {
namespace {

std::string write_text(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "sinew_scan_" + name;
  std::ofstream(path) << text;
  return path;
}

std::string refusal(const std::string& name, const std::string& text) {
  const std::string path = write_text(name, text);
  try {
    check_closed(read_surface(path, 1e-3), path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// A ball of radius 1 by `rows` levels; every `gap`-th sample is missing.
std::string ball_scan(int columns, int rows, int gap) {
  std::string text = "range " + std::to_string(columns) + " " + std::to_string(rows) + " " +
                     std::to_string(2.0 / (rows - 1)) + "  # a ball\n";
  for (int r = 0; r < rows; ++r) {
    const double z = -1 + 2.0 * r / (rows - 1);
    for (int c = 0; c < columns; ++c) {
      const bool missing = gap > 0 && (r * columns + c) % gap == 0;
      text += std::to_string(missing ? 0 : std::sqrt(std::fmax(1 - z * z, 1e-4))) + " ";
    }
    text += "\n";
  }
  return text;
}

TEST(ReadRangeScan, ABallComesBackWithItsVolume) {
  double last = 1;
  for (const int n : {16, 32, 64}) {
    const Surface ball = read_surface(write_text("ball.range", ball_scan(n, n, 0)), 0.1);
    check_closed(ball, "ball");
    EXPECT_EQ(ball.positions.size(), static_cast<std::size_t>(n * n + 2));
    const double error = std::abs(compute_volume(ball) / (4e-3 / 3 * std::numbers::pi) - 1);
    EXPECT_LT(error, 0.35 * last) << n;  // second order, a little less at the poles
    last = error;
  }
  EXPECT_LT(last, 0.005);
}

TEST(ReadRangeScan, MissingSamplesAreFilledFromTheirNeighbours) {
  const Surface whole = read_surface(write_text("a.range", ball_scan(24, 25, 0)), 1);
  const Surface holes = read_surface(write_text("b.range", ball_scan(24, 25, 7)), 1);
  check_closed(holes, "holes");
  // A ring's neighbours in a circle of revolution have the same radius.
  ASSERT_EQ(whole.positions.size(), holes.positions.size());
  for (std::size_t i = 0; i < whole.positions.size(); ++i) {
    EXPECT_LT(norm(whole.positions[i] - holes.positions[i]), 1e-5);
  }
}

TEST(ReadRangeScan, EmptyRowsEndTheObjectOrAreBridged) {
  const Surface s = read_surface(
      write_text("rows.range", "range 3 6 1\n0 0 0\n1 1 1\n0 0 0\n3 3 3\n1 1 1\n0 0 0\n"), 1);
  check_closed(s, "rows");
  ASSERT_EQ(s.positions.size(), 14U);  // four rings of three, and two middles
  EXPECT_DOUBLE_EQ(s.positions[0].z, 0);
  EXPECT_DOUBLE_EQ(norm(s.positions[3] - Vec3d{2, 0, 1}), 0);
}

TEST(ReadRangeScan, RefusesDamagedFiles) {
  const auto expect = [](const char* text, const char* words) {
    EXPECT_NE(refusal("bad.range", text).find(words), std::string::npos)
        << text << " -> " << refusal("bad.range", text);
  };
  expect("", "range COLUMNS ROWS PITCH");
  expect("scan 3 2 1\n", "must begin with the word range");
  expect("range 2 2 1\n1 1 1 1\n", "2 columns; allowed: 3 to 65536");
  expect("range 3 1 1\n1 1 1\n", "1 rows; allowed: 2");
  expect("range 3 2 0\n1 1 1 1 1 1\n", "the pitch is 0");
  expect("range 60000 60000 1\n1 1\n", "room for at most");
  expect("range 3 2 1\n1 1 1\n1 1\n", "radius 6 of 6");
  expect("range 3 2 1\n1 1 1\n1 1 1 1\n", "7 radii so far");
  expect("range 3 2 1\n1 1 1\n1 1 1\n1\n", "more follows");
  expect("range 3 2 1\n1 1 1\n1 -1 1\n", "a radius is -1");
  expect("range 3 2 1\n1 1 1\n1 x 1\n", "x");
  expect("range 3 2 1\n1 1 1\n1 nan 1\n", "nan");
  expect("range 3 2 1\n0 0 0\n1 1 1\n", "1 rows hold a radius above 0");
  expect("range 3 2 1\n1 1 1\n1e300 1 1\n", "row 2, column 1");
}

std::string circle(double z, double radius, int points, double turn, bool clockwise) {
  std::string text = "contour " + std::to_string(z) + " " + std::to_string(points) + "\n";
  for (int i = 0; i < points; ++i) {
    const double angle = (turn + 2 * std::numbers::pi * i / points) * (clockwise ? -1 : 1);
    text += std::to_string(radius * std::cos(angle)) + " " +
            std::to_string(radius * std::sin(angle)) + "\n";
  }
  return text;
}

// Circles with other numbers of points, beginnings and directions: a cone's frustum.
TEST(ReadContours, CirclesOfAnyMakingBecomeAFrustum) {
  const std::string text = "contours 3\n" + circle(0, 1, 60, 0, false) +
                           circle(1.5, 1.5, 90, 1, true) + circle(3, 2, 75, 2, false);
  const Surface frustum = read_surface(write_text("frustum.contours", text), 1);
  check_closed(frustum, "frustum");
  EXPECT_EQ(frustum.positions.size(), 60U + 90 + 75 + 2);
  // pi h (a^2 + a b + b^2) / 3; a polygon of 60 corners has 0.2 % less area than its circle.
  EXPECT_NEAR(compute_volume(frustum) / (7 * std::numbers::pi), 1, 0.005);
}

TEST(ReadContours, RefusesDamagedFiles) {
  const std::string square = "contour 0 4\n0 0\n1 0\n1 1\n0 1\n";
  const auto expect = [](const std::string& text, const char* words) {
    EXPECT_NE(refusal("bad.contours", text).find(words), std::string::npos)
        << text << " -> " << refusal("bad.contours", text);
  };
  expect("", "contours COUNT");
  expect("stack 2\n", "must begin with the word contours");
  expect("contours 1\n" + square, "1 contours; allowed: 2");
  expect("contours 999999\n" + square, "for which the file has room");
  expect("contours 2\n" + square, "contour 2 of 2");
  expect("contours 2\n" + square + square, "is not above the one before");
  expect("contours 2\n" + square + "slice 1 3\n", "expected the line: contour Z POINTS");
  expect("contours 2\n" + square + "contour 1 2\n0 0\n1 0\n", "2 points in a contour; allowed: 3");
  expect("contours 2\n" + square + "contour 1 3\n0 0\n1 0\n", "point 3 of 3");
  expect("contours 2\n" + square + "contour 1 3\n0 0\n1 0\n1\n", "two numbers");
  expect("contours 2\n" + square + "contour 1 3\n0 0\n1 0\n2 0\n", "encloses no area");
  expect("contours 2\n" + square + "contour inf 3\n0 0\n1 0\n1 1\n", "inf");
  expect("contours 2\n" + square + "contour 1 3\n0 0\n1 0\n1 1\n7 7\n", "more follows");
}

}  // namespace
}  // namespace sinew::mesh
