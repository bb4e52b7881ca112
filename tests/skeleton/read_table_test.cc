#include "sinew/skeleton/read_table.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/skeleton/read_osim.h"
#include "sinew/skeleton/table_lines.h"

#include "skeleton/osim_text.h"

namespace sinew::skeleton {
namespace {

template <class Parse>
void expect_refused(const Parse& parse, const std::string& words) {
  std::string message;
  try {
    parse();
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_NE(message.find(words), std::string::npos) << "\"" << message << "\" lacks: " << words;
}

const std::string kTable =
    "Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n\nAngles are in degrees.\n"
    "endheader\ntime\tangle\tother\n   0.0\t  90\t1.5\n 0.25  -45 2.5\n\n";

TEST(ReadTable, ReadsRowsWithTabsAndBlanks) {
  const TimeTable table = parse_time_table(kTable, "a.mot");
  EXPECT_EQ(table.name, "Coordinates");
  EXPECT_TRUE(table.in_degrees);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"angle", "other"}));
  EXPECT_EQ(table.times, (std::vector<double>{0, 0.25}));
  EXPECT_EQ(table.rows[1], (std::vector<double>{-45, 2.5}));
}

TEST(ReadTable, TakesHeadersWithTrailingTabsAndWindowsLineEnds) {
  const TimeTable table = parse_time_table(
      "x\t\t\r\nnRows=1\t\t\r\ninDegrees=no\t\r\nENDHEADER\t\t\r\ntime\ta b\tc\t\r\n"
      "1\t2\t3\t\r\n",
      "a.sto");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(table.rows[0], (std::vector<double>{2, 3}));
}

TEST(ReadTable, WithoutInDegreesTheEndingOfTheNameDecides) {
  const std::string text = "x\nendheader\ntime a\n0 1\n";
  EXPECT_TRUE(parse_time_table(text, "a.mot").in_degrees);
  EXPECT_FALSE(parse_time_table(text, "a.sto").in_degrees);
}

TEST(ReadTable, RefusesDamagedTables) {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& words) {
    std::string text = kTable;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    expect_refused([&] { parse_time_table(text, "bad.mot"); }, words);
  };
  refused("nRows=2", "nRows=-1", "nRows is \"-1\"");
  refused("nRows=2", "nRows=99999999999999999999", "a whole number");
  refused("inDegrees=yes", "inDegrees=perhaps", "allowed: yes, no");
  refused("endheader", "end", "the header does not end");
  refused("time\t", "frame\t", "the first column must be \"time\"");
  refused("0.25", "-0.25", "line 11: the time -0.25 follows 0");
  refused("-45", "nan", "the number nan is not allowed");
  refused("-45", "4x", "\"4x\" stands where a number should");
  refused("-45 2.5", "-45", "the row has 2 numbers; 3 are needed");
  expect_refused([] { parse_time_table("x\nendheader\ntime a\n", "bad.sto"); }, "no rows");
  expect_refused([] { parse_time_table("x\nendheader\n", "bad.sto"); }, "ends after its header");
  expect_refused([] { parse_time_table(" \n", "bad.sto"); }, "bad.sto: the file is empty");
  expect_refused([] { read_time_table("there/is/none.sto"); }, "there is no such motion file");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The only note of a table, without its file; several or none are a failure.
template <class Table>
std::string note_of(const Table& table) {
  EXPECT_EQ(table.notes.size(), 1U);
  const std::string file = "a.sto: ";
  if (table.notes.size() != 1 || !table.notes[0].starts_with(file)) return {};
  return table.notes[0].substr(file.size());
}

TEST(ReadTable, AWrongHeaderIsNotedAndAllIsRead) {
  const TimeTable more = parse_time_table(replaced(kTable, "nRows=2", "nRows=3"), "a.sto");
  EXPECT_EQ(more.rows.size(), 2U);
  EXPECT_EQ(note_of(more),
            "there are 2 rows, though the header says nRows=3; all that are there are read; is the "
            "file cut off?");
  const TimeTable fewer = parse_time_table(replaced(kTable, "nRows=2", "nRows=1"), "a.sto");
  EXPECT_EQ(fewer.rows.size(), 2U);
  EXPECT_EQ(note_of(fewer),
            "there are 2 rows, though the header says nRows=1; all that are there are read");
  const TimeTable columns = parse_time_table(replaced(kTable, "nColumns=3", "nColumns=2"), "a.sto");
  EXPECT_EQ(columns.rows[1], (std::vector<double>{-45, 2.5}));
  EXPECT_EQ(note_of(columns), "there are 3 columns, though the header says nColumns=2");
  EXPECT_TRUE(parse_time_table(kTable, "a.sto").notes.empty());
}

TEST(ReadTable, OfColumnsOfOneNameTheFirstIsTaken) {
  const TimeTable table = parse_time_table(replaced(kTable, "other", "angle"), "a.sto");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"angle"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{90}, {-45}}));
  EXPECT_EQ(note_of(table),
            "columns that are there twice (line 9), of which the first is taken: angle");
}

TEST(ReadTable, OfRowsOfOneTimeTheLastIsTaken) {
  const std::string head = "x\nnRows=5\nendheader\ntime\ta\n";
  const TimeTable table = parse_time_table(head + "0 1\n1 2\n1 3\n2 4\n2 5\n", "a.sto");
  EXPECT_EQ(table.times, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1}, {3}, {5}}));
  EXPECT_EQ(note_of(table),
            "the time 2 is there again (line 9), after 1 more; the later row is taken");
}

TEST(ReadTable, TabsInARowSeparateNamesAsOneDoes) {
  const TimeTable table =
      parse_time_table("x\nnColumns=3\nendheader\ntime\t\ta\t\t\tb\t\n0\t\t1\t2\t\n", "a.sto");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.rows[0], (std::vector<double>{1, 2}));
  EXPECT_TRUE(table.notes.empty());
}

TEST(ReadTable, NumbersComeBackToTheLastBit) {
  TimeTable table;
  table.name = "activations";
  table.columns = {"a", "b"};
  table.times = {0, 1.0 / 3, 1e5};
  table.rows = {{0.1, -0.0}, {std::numbers::pi, 1e-300}, {-2e11, 5e-324}};
  const std::string path =
      (std::filesystem::temp_directory_path() / "sinew_read_table_test.sto").string();
  write_time_table(table, path);
  const TimeTable back = read_time_table(path);
  std::filesystem::remove(path);
  EXPECT_EQ(back.name, table.name);
  EXPECT_EQ(back.columns, table.columns);
  EXPECT_EQ(back.times, table.times);
  EXPECT_EQ(back.rows, table.rows);
  EXPECT_FALSE(back.in_degrees);
}

Skeleton planar_arm() {
  return parse_osim(
      model4("PlanarJoint",
             "<coordinates>" + coordinate4("turn") + coordinate4("x") + coordinate4("y") +
                 "</coordinates>",
             set_of("ConstraintSet",
                    tagged("CoordinateCouplerConstraint", "c",
                           "<coupled_coordinates_function><LinearFunction><coefficients>2 0"
                           "</coefficients></LinearFunction></coupled_coordinates_function>"
                           "<independent_coordinate_names>turn</independent_coordinate_names>"
                           "<dependent_coordinate_name>y</dependent_coordinate_name>"))),
      "arm.osim");
}

TEST(MakeMotion, TurnsDegreesAndObeysCouplersAndRestValues) {
  TimeTable table;
  table.columns = {"speed", "turn"};
  table.times = {0, 1};
  table.rows = {{7, 0}, {8, 90}};
  table.in_degrees = true;
  ColumnUse use;
  const Motion motion = make_motion(planar_arm(), table, &use);
  EXPECT_EQ(use.ignored, (std::vector<std::string>{"speed"}));
  EXPECT_EQ(use.coordinates, (std::vector<std::size_t>{0}));
  ASSERT_EQ(motion.q.size(), 2U);
  EXPECT_DOUBLE_EQ(motion.q[1][0], std::numbers::pi / 2);
  EXPECT_EQ(motion.q[1][1], 0.5);  // the rest value: a length is not turned
  EXPECT_DOUBLE_EQ(motion.q[1][2], std::numbers::pi);
}

TEST(MakeMotion, LengthsStayAsTheyAre) {
  TimeTable table;
  table.columns = {"x"};
  table.times = {0};
  table.rows = {{3}};
  table.in_degrees = true;
  EXPECT_EQ(make_motion(planar_arm(), table).q[0][1], 3);
}

TEST(MakeMotion, TakesPathsOfStates) {
  TimeTable table;
  table.columns = {"/jointset/shoulder/turn/value", "/jointset/shoulder/turn/speed",
                   "shoulder/x/value"};
  table.times = {0};
  table.rows = {{0.25, 9, 0.75}};
  ColumnUse use;
  const Motion motion = make_motion(planar_arm(), table, &use);
  EXPECT_EQ(motion.q[0][0], 0.25);
  EXPECT_EQ(motion.q[0][1], 0.75);
  EXPECT_EQ(use.coordinates, (std::vector<std::size_t>{0, 1}));
}

TEST(MakeMotion, NamesCoordinatesWithoutAColumn) {
  TimeTable table;
  table.file = "a.mot";
  table.columns = {"turn"};
  table.times = {0};
  table.rows = {{1}};
  ColumnUse use;
  make_motion(planar_arm(), table, &use);
  // y follows another one.
  EXPECT_EQ(use.doubts, (std::vector<std::string>{"1 of 2 coordinates have no column in a.mot and "
                                                  "keep the model's default: x"}));
  table.columns = {"turn", "x"};
  table.rows = {{1, 2}};
  make_motion(planar_arm(), table, &use);
  EXPECT_TRUE(use.doubts.empty());
}

TEST(MakeMotion, DoubtsDegreesThatAreTakenForRadians) {
  const auto read = [](const std::string& header, const std::string& file, double angle) {
    const std::string text =
        "a\n" + header + "endheader\ntime\tturn\tx\n0\t0\t0\n1\t" + std::to_string(angle) + "\t1\n";
    ColumnUse use;
    make_motion(planar_arm(), parse_time_table(text, file), &use);
    return use.doubts;
  };
  EXPECT_TRUE(read("", "a.sto", 1.5).empty());
  expect_refused([&] { read("", "a.sto", 60); }, "turn is 60 rad, more than a turn beyond");
  expect_refused([&] { read("", "a.sto", -60); }, "inDegrees=yes or inDegrees=no");
  // What a file says is believed, but not without a word.
  ASSERT_EQ(read("inDegrees=no\n", "a.sto", 60).size(), 1U);
  EXPECT_NE(read("inDegrees=no\n", "a.sto", 60)[0].find("are these degrees?"), std::string::npos);
  EXPECT_TRUE(read("inDegrees=yes\n", "a.sto", 60).empty());
  EXPECT_TRUE(read("", "a.mot", 60).empty());  // degrees
  ASSERT_EQ(read("", "a.mot", 1.5).size(), 1U);
  EXPECT_NE(read("", "a.mot", 1.5)[0].find("are these radians?"), std::string::npos);
  EXPECT_TRUE(read("inDegrees=yes\n", "a.mot", 1.5).empty());
}

TEST(MakeMotion, RefusesTablesOfSomethingElse) {
  TimeTable table;
  table.name = "forces";
  table.columns = {"biceps"};
  table.times = {0};
  table.rows = {{1}};
  expect_refused([&] { make_motion(planar_arm(), table); }, "none of the 1 columns");
  table.file = "a.mot";
  table.columns = {"trun"};
  expect_refused([&] { make_motion(planar_arm(), table); }, "a.mot: none");
  expect_refused([&] { make_motion(planar_arm(), table); }, "did you mean \"turn\"?");
  table.columns = {"turn", "shoulder/turn/value"};
  table.rows = {{1, 2}};
  expect_refused([&] { make_motion(planar_arm(), table); }, "another column already");
}

const std::string kTrc =
    "PathFileType\t4\t(X/Y/Z)\ta.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n"
    "100\t100\t2\t2\tmm\n"
    "Frame#\tTime\thand\t\t\telbow\t\t\n"
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
    "\n"
    "1\t0\t10\t20\t30\t40\t50\t60\t\t\n"
    "2\t0.01\t\t\t\t41\t51\t61\n";

TEST(ReadTrc, ReadsMarkersInMetresAndThoseThatAreNotSeen) {
  const MarkerTable table = parse_trc(kTrc, "a.trc");
  EXPECT_EQ(table.names, (std::vector<std::string>{"hand", "elbow"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(table.rows[0][1].z, 0.06);
  EXPECT_TRUE(std::isnan(table.rows[1][0].x));
  EXPECT_DOUBLE_EQ(table.rows[1][1].x, 0.041);
}

TEST(ReadTrc, CellsThatAreMissingNeedTheirTabs) {
  std::string text = kTrc;
  const std::string last = "2\t0.01\t\t\t\t41\t51\t61\n";
  text.replace(text.find(last), last.size(), "2\t0.01\t41\t51\t61\t\t\t\n3 0.02 1 2 3 4 5 6\n");
  const MarkerTable table = parse_trc(text, "a.trc");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_DOUBLE_EQ(table.rows[1][0].x, 0.041);
  EXPECT_TRUE(std::isnan(table.rows[1][1].x));
  EXPECT_DOUBLE_EQ(table.rows[2][1].z, 0.006);
}

// As exporters write them: two tabs everywhere, tabs at ends, blank lines, a line x1 y1 z1.
TEST(ReadTrc, TakesTheTabsOfOtherExporters) {
  const std::string doubled =
      "PathFileType\t\t4\t\t(X/Y/Z)\t\ta.trc\t\n"
      "DataRate\t\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t\t\t\n"
      "100\t100\t2\t\t2\tmm\t\t100\t\n"
      "\n"
      "Frame#\t\tTime\t\thand\t\t\t\telbow\t\t\t\t\n"
      "\t\t\t\tx1\t\ty1\t\tz1\t\tx2\t\ty2\t\tz2\t\t\n"
      "1\t\t0\t\t10\t\t20\t\t30\t\t40\t\t50\t\t60\t\t\n"
      "2\t0.01\t\t\t\t41\t51\t61\t\t\n\t\t\n";
  const MarkerTable table = parse_trc(doubled, "a.trc");
  EXPECT_EQ(table.names, (std::vector<std::string>{"hand", "elbow"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.times[1], 0.01);
  EXPECT_DOUBLE_EQ(table.rows[0][0].x, 0.01);
  EXPECT_DOUBLE_EQ(table.rows[0][1].z, 0.06);
  EXPECT_TRUE(std::isnan(table.rows[1][0].x));
  EXPECT_DOUBLE_EQ(table.rows[1][1].x, 0.041);
  EXPECT_TRUE(table.notes.empty());
}

// A value that is left out keeps its tab.
TEST(ReadTrc, TabsSayWhichValueOfTheHeaderIsLeftOut) {
  const MarkerTable table =
      parse_trc(replaced(kTrc, "100\t100\t2\t2\tmm", "100\t\t2\t2\tmm"), "a.trc");
  EXPECT_EQ(table.names.size(), 2U);
  EXPECT_DOUBLE_EQ(table.rows[0][0].x, 0.01);
}

TEST(ReadTrc, OfMarkersOfOneNameTheFirstIsTaken) {
  const MarkerTable table = parse_trc(replaced(kTrc, "elbow", "hand"), "a.sto");
  EXPECT_EQ(table.names, (std::vector<std::string>{"hand"}));
  ASSERT_EQ(table.rows[0].size(), 1U);
  EXPECT_DOUBLE_EQ(table.rows[0][0].z, 0.03);
  EXPECT_EQ(note_of(table),
            "markers that are there twice (line 4), of which the first is taken: hand");
}

TEST(ReadTrc, TakesZerosAsNotSeenAndSaysSo) {
  std::string text = kTrc;
  const std::string last = "2\t0.01\t\t\t\t41\t51\t61\n";
  text.replace(text.find(last), last.size(),
               "2\t0.01\t\t\t\t0.0\t0\t-0\n3\t0.02\tnan\tNaN\tNAN\t0\t0\t1\n");
  const MarkerTable table = parse_trc(text, "a.trc");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_TRUE(std::isnan(table.rows[1][1].x));
  EXPECT_DOUBLE_EQ(table.rows[2][1].z, 1e-3);  // one that is not at the origin
  EXPECT_EQ(table.zeros, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(table.notes.size(), 2U);
  EXPECT_EQ(table.notes[0], "a.trc: 0 0 0 is taken as not seen: elbow (1 of 3 frames)");
  EXPECT_EQ(table.notes[1],
            "a.trc: there are 3 frames, though the header says NumFrames=2; all that are there are "
            "read");
}

TEST(ReadTrc, NotesMarkersThatNoFrameHasAndFramesThatAreMissing) {
  EXPECT_TRUE(parse_trc(kTrc, "a.trc").notes.empty());
  std::string text = kTrc;
  text.replace(text.find("10\t20\t30"), 8, "\t\t");
  text.replace(text.find("100\t100\t2\t"), 10, "100\t100\t9\t");
  const MarkerTable table = parse_trc(text, "a.trc");
  EXPECT_EQ(table.promised_frames, std::optional<std::size_t>(9));
  ASSERT_EQ(table.notes.size(), 2U);
  EXPECT_EQ(table.notes[0], "a.trc: seen in no frame: hand");
  EXPECT_EQ(table.notes[1],
            "a.trc: there are 2 frames, though the header says NumFrames=9; all that are there are "
            "read; is the file cut off?");
  // A number that does not read promises nothing, as before.
  text.replace(text.find("100\t100\t9\t"), 10, "100\t100\t-\t");
  EXPECT_FALSE(parse_trc(text, "a.trc").promised_frames);
}

TEST(TableLines, RefusesTablesThatGrowInMemory) {
  // A hundred thousand markers in rows of tabs: a byte in the file is three numbers in memory.
  TableLines lines("bad.trc", "row");
  lines.next();
  EXPECT_NO_THROW(lines.check_size(166, 300002));
  expect_refused([&] { lines.check_size(167, 300002); },
                 "166 rows of 300002 columns are read at most");
  expect_refused([&] { lines.check_size(6000000, 1); }, "the table is too large");
}

TEST(ReadTimeTable, RefusesLinesWithoutEnd) {
  const std::string text = "a\nendheader\n" + std::string(std::size_t{5} << 20U, ' ') + "time\tx\n";
  expect_refused([&] { parse_time_table(text, "a.sto"); }, "at most 4194304 are read");
}

TEST(ReadTrc, RefusesDamagedFiles) {
  const auto refused = [](const std::string& from, const std::string& to,
                          const std::string& words) {
    std::string text = kTrc;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    expect_refused([&] { parse_trc(text, "bad.trc"); }, words);
  };
  refused("PathFileType", "Path", "is it a .trc file?");
  refused("\tmm", "\tinch", "allowed: mm, cm, m");
  refused("Units", "Unit", "the header does not say Units");
  refused("100\t2\t2", "100\t2\t3", "there are 2 markers; the header promises NumMarkers=3");
  refused("0.01", "0", "times must increase");
  refused("41\t51\t61", "41\t51\t", "has 2 of 3 numbers");
  refused("41\t51\t61", "41\t51", "the line has 7 columns");
  refused("41\t51\t61", "41\t51\t61\t71", "the line has 9 columns; 8 are needed");
  refused("\t60\t\t\n", "\t60\t70\t\n", "the line has 9 columns");
  refused("2\t0.01\t\t\t\t41\t51\t61", "2\t0.01\t41\t51\t61", "the line has 5 columns");
  refused("2\t0.01\t\t\t\t41\t51\t61", "2 0.01 41 51 61", "the line has 5 columns");
  refused("41", "inf", "the number inf is not allowed");
  refused("\t\tX1", "\t\tQ1", "must follow the names");
  expect_refused([] { parse_trc("", "bad.trc"); }, "is it a .trc file?");
}

}  // namespace
}  // namespace sinew::skeleton
