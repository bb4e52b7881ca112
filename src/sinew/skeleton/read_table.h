// Tables in time: OpenSim's .mot and .sto files, markers of .trc files, and the motion that a table
// means for a skeleton. For inverse kinematics and everything that is driven by a motion.
//
// What is odd but has one meaning is taken as OpenSim takes it, with a note: of columns or markers
// of one name the first, of rows of one time the last. Departures from OpenSim: nRows and nColumns
// have no say in how much is read (a note tells where they are wrong), times must not fall, no
// number may be NaN. A .mot file that does not say inDegrees is in degrees, any other one is not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/skeleton/motion.h"

namespace sinew::skeleton {

// .mot and .sto. The parse_ forms take a file's text; `path` is for messages and its ending. All
// throw InputError with the line where the file is damaged.
TimeTable read_time_table(const std::string& path);
TimeTable parse_time_table(const std::string& text, const std::string& path);

// As OpenSim 4 reads it; numbers come back as they were to the last bit. Throws InputError where
// the file cannot be written. Precondition: rows and columns agree.
void write_time_table(const TimeTable& table, const std::string& path);

// Columns are coordinates by name or by a path such as "/jointset/elbow/flexion/value"; degrees
// become radians for those that turn. Coordinates without a column keep their rest value; couplers
// are obeyed. Other columns are left out; `use`, where given, tells which are which. Throws
// InputError where no column is a coordinate, two are the same one, or a file that does not say
// inDegrees has angles in radians that are more than a turn beyond a coordinate's range.
struct ColumnUse {
  std::vector<std::size_t> coordinates;  // that have a column, in the order of the columns
  std::vector<std::string> ignored;      // columns of no coordinate
  std::vector<std::string> doubts;       // what may be meant, but seldom is; a line each
};
Motion make_motion(const Skeleton& skeleton, const TimeTable& table, ColumnUse* use = nullptr);

// .trc with units mm, cm or m. A marker with three empty cells between tabs was not seen: NaN;
// nor was one at 0 0 0, with a note. Tabs in a row separate names as one does; they separate
// numbers as one does where all are there. NumFrames is not held against the frames that are there:
// recordings that were cut keep the old number; a note tells.
MarkerTable read_trc(const std::string& path);
MarkerTable parse_trc(const std::string& text, const std::string& path);

}  // namespace sinew::skeleton
