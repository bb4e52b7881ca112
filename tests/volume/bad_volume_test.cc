// A table of damaged files: what each is, and what its message must say.
#include <limits>

#include <gtest/gtest.h>

#include "sinew/volume/read_volume.h"

#include "test_nifti.h"

namespace sinew::volume::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct BadFile {
  const char* name;
  std::string bytes;
  std::vector<std::string> says;
};

void expect_refused(const std::string& ending, const std::vector<BadFile>& files) {
  const ScratchFolder folder;
  for (const BadFile& file : files) {
    SCOPED_TRACE(file.name);
    const std::string path = folder.write("bad" + ending, file.bytes);
    const std::string message = message_of([&] { read_label_volume(path); });
    EXPECT_NE(message.find("bad"), std::string::npos) << "no error, or one without the file";
    for (const std::string& part : file.says)
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

// A sound file of 2 x 2 x 2 voxels with one line changed.
std::string make_nrrd(const std::string& line, const std::string& instead,
                      const std::string& data = std::string(8, '\1')) {
  std::string header =
      "NRRD0004\ntype: uint8\ndimension: 3\nspace: LPS\nsizes: 2 2 2\n"
      "space directions: (1,0,0) (0,1,0) (0,0,1)\nencoding: raw\nspace origin: (0,0,0)\n";
  if (!line.empty()) header.replace(header.find(line), line.size(), instead);
  return header + "\n" + data;
}

TEST(DamagedVolumes, OfNrrdAreRefusedByLine) {
  const std::string directions = "(1,0,0) (0,1,0) (0,0,1)";
  const std::string packed = gzip(std::string(8, '\1'));
  std::string wrong_sum = packed;
  wrong_sum[packed.size() - 8] ^= 1;
  expect_refused(
      ".nrrd",
      {{"empty", "", {"line 1", "NRRD0001 to NRRD0005"}},
       {"no image", "<html></html>", {"line 1", "\"<html></html>\"", "no NRRD"}},
       {"newer version", "NRRD0009\n", {"line 1", "newer"}},
       {"only a magic", "NRRD0004\n", {"\"type\" is missing"}},
       {"no field", make_nrrd("type: uint8", "type uint8"), {"line 2", "neither"}},
       {"field twice", make_nrrd("type: uint8", "type: int\nTYPE: int"), {"line 3", "twice"}},
       {"type", make_nrrd("uint8", "block"), {"line 2 (type)", "\"block\"", "allowed: int8"}},
       {"dimension", make_nrrd("dimension: 3", "dimension: 2"), {"line 3", "2 axes"}},
       {"no number", make_nrrd("sizes: 2 2 2", "sizes: 2 x 2"), {"line 5 (sizes)", "\"x\""}},
       {"too few sizes", make_nrrd("sizes: 2 2 2", "sizes: 2 2"), {"2 values", "3 whole"}},
       {"zero size", make_nrrd("sizes: 2 2 2", "sizes: 2 0 2"), {"line 5", "a size is 0"}},
       {"negative size", make_nrrd("sizes: 2 2 2", "sizes: 2 -2 2"), {"a size is -2"}},
       {"sizes that overflow",
        make_nrrd("sizes: 2 2 2", "sizes: 2097152 2097152 2097152"),
        {"line 5", "more than 1073741824 voxels"}},
       {"lying sizes",
        make_nrrd("sizes: 2 2 2", "sizes: 1000 1000 1000"),
        {"promises 1000000000 bytes", "at most 8", "truncated"}},
       {"truncated", make_nrrd("", "", "1234567"), {"promises 8 bytes", "at most 7"}},
       {"value of list", make_nrrd("(1,0,0) (0,1,0)", "none (0,1,0)"), {"no direction in space"}},
       {"NaN direction",
        make_nrrd(directions, "(nan,0,0) (0,1,0) (0,0,1)"),
        {"line 6 (space directions)", "\"nan,0,0\"", "finite"}},
       {"singular",
        make_nrrd(directions, "(1,0,0) (0,1,0) (1,1,0)"),
        {"line 6", "lie in one plane"}},
       {"zero axis", make_nrrd(directions, "(0,0,0) (0,1,0) (0,0,1)"), {"line 6", "0 m long"}},
       {"open bracket", make_nrrd(directions, "(1,0,0 (0,1,0"), {"line 6"}},
       {"four vectors", make_nrrd(directions, directions + " (1,0,0)"), {"more than 3 vectors"}},
       {"two numbers", make_nrrd(directions, "(1,0) (0,1,0) (0,0,1)"), {"\"1,0\"", "three"}},
       {"negative spacing",
        make_nrrd("space directions: " + directions, "spacings: 1 -1 1"),
        {"line 6 (spacings)", "-1", "> 0"}},
       {"far origin", make_nrrd("(0,0,0)\n", "(0,0,1e300)\n"), {"origin", "at most"}},
       {"space", make_nrrd("space: LPS", "space: LPST"), {"line 4", "\"lpst\"", "allowed"}},
       {"unit", make_nrrd("space: LPS", "space units: \"ell\" \"mm\" \"mm\""), {"\"ell\""}},
       {"encoding", make_nrrd("encoding: raw", "encoding: bzip2"), {"bzip2", "raw, gzip, ascii"}},
       {"no endian", make_nrrd("uint8", "int16", std::string(16, '\0')), {"\"endian\""}},
       {"skip", make_nrrd("encoding: raw", "encoding: gzip\nbyte skip: -1"), {"0 or more"}},
       {"list", make_nrrd("encoding: raw", "encoding: raw\ndata file: LIST"), {"one file"}},
       {"no data file",
        make_nrrd("encoding: raw", "encoding: raw\ndata file: gone.raw"),
        {"gone.raw", "no data file"}},
       {"no gzip", make_nrrd("raw", "gzip"), {"damaged", "incorrect header"}},
       {"lying gzip",
        make_nrrd("sizes: 2 2 2\nspace directions: " + directions + "\nencoding: raw",
                  "sizes: 9 9 9\nspace directions: " + directions + "\nencoding: gzip", packed),
        {"after 8 unpacked bytes", "721 bytes too soon"}},
       {"truncated gzip",
        make_nrrd("raw", "gzip", packed.substr(0, packed.size() - 9)),
        {"unpacked bytes", "truncated"}},
       {"wrong check sum", make_nrrd("raw", "gzip", wrong_sum), {"damaged", "data check"}},
       {"text", make_nrrd("raw", "ascii", "1 2 3 4 x 6 7 8"), {"value 5", "\"x\""}},
       {"short text", make_nrrd("raw", "ascii", "1 2 3 4     "), {"promises 15", "at most 12"}},
       {"negative label",
        make_nrrd("uint8", "int8", "\1\1\1\1\1\1\xff\1"),
        {"voxel (0, 1, 1)", "-1", "0 to 65535"}},
       {"half a label", make_nrrd("raw", "ascii", "0 0 0 0.5 0 0 0 0"), {"voxel (1, 1, 0)"}}});
}

std::string make_nifti(const NiftiFields& fields) {
  return make_nifti_header(fields, false, false) + "\1";
}

TEST(DamagedVolumes, OfNiftiAreRefusedByByte) {
  NiftiFields type, sizes, spacing, quaternion, rows, plane, units, slope;
  type.datatype = 128;
  sizes.size = {30000, 30000, 30000};
  NiftiFields lie;
  lie.size = {1000, 100, 10};
  spacing.spacing = {1, -1, 1};
  quaternion.qform_code = 1;
  quaternion.quaternion = {1, 1, 0};
  rows.sform_code = 1;
  rows.rows = {{{kNan, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  plane.sform_code = 1;
  plane.rows = {{{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}}};
  units.units = 5;
  slope.intercept = kNan;
  std::string pair = make_nifti({}), early = pair, magic = pair, series = pair;
  pair.replace(344, 3, "ni1");
  magic.replace(344, 3, "abc");
  early.replace(108, 4, std::string(4, '\0'));
  series[40] = 4;
  series[48] = 9;
  expect_refused(".nii",
                 {{"empty", "", {"4 bytes too soon"}},
                  {"no image", "hello, world", {"byte 0 (sizeof_hdr)", "348 or 540"}},
                  {"truncated header", pair.substr(0, 100), {"248 bytes too soon"}},
                  {"magic", magic, {"byte 344 (magic)", "n+1"}},
                  {"pair of files", pair, {".hdr, .img"}},
                  {"colours", make_nifti(type), {"byte 70 (datatype)", "128", "allowed"}},
                  {"too many voxels", make_nifti(sizes), {"byte 40 (dim)", "1073741824"}},
                  {"lying sizes", make_nifti(lie), {"promises 1000000 bytes"}},
                  {"lying packed sizes", gzip(make_nifti(lie)), {"promises 1000000 bytes"}},
                  {"series", series, {"dim[4]", "9 values a voxel"}},
                  {"values in the header", early, {"byte 108 (vox_offset)", "at least 352"}},
                  {"negative spacing", make_nifti(spacing), {"pixdim[2]", "-1", "> 0"}},
                  {"quaternion", make_nifti(quaternion), {"byte 256", "unit quaternion"}},
                  {"NaN direction", make_nifti(rows), {"byte 76", "nan m long"}},
                  {"singular", make_nifti(plane), {"lie in one plane"}},
                  {"unit", make_nifti(units), {"byte 123", "5 is no unit"}},
                  {"scaling", make_nifti(slope), {"byte 112", "finite"}}});
}

std::string make_meta(const std::string& line, const std::string& instead) {
  std::string header =
      "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementSpacing = 1 1 1\n"
      "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n";
  if (!line.empty()) header.replace(header.find(line), line.size(), instead);
  return header + std::string(8, '\1');
}

TEST(DamagedVolumes, OfMetaImageAreRefusedByLine) {
  expect_refused(
      ".mha",
      {{"empty", "", {"\"ElementDataFile\"", "missing"}},
       {"no image", "\x89PNG\r\n", {"line 1", "no MetaImage"}},
       {"no image of theirs", make_meta("Image", "Tube"), {"line 1 (ObjectType)", "Tube"}},
       {"no sizes", make_meta("DimSize", "Dims"), {"\"DimSize\" is missing"}},
       {"flat", make_meta("NDims = 3", "NDims = 2"), {"line 2", "2 axes"}},
       {"overflow", make_meta("2 2 2", "9999999 9999999 9999999"), {"line 3", "1073741824"}},
       {"huge number", make_meta("2 2 2", "99999999999999999999 2 2"), {"line 3", "whole number"}},
       {"lying sizes", make_meta("2 2 2", "9 9 9"), {"promises 729 bytes", "at most 8"}},
       {"negative spacing", make_meta("1 1 1", "1 -1 1"), {"line 4", "-1", "> 0"}},
       {"NaN spacing", make_meta("1 1 1", "1 nan 1"), {"line 4", "nan"}},
       {"singular",
        make_meta("ElementType", "TransformMatrix = 1 0 0 1 0 0 0 0 1\nElementType"),
        {"line 5 (TransformMatrix)", "plane"}},
       {"letters",
        make_meta("ElementType", "AnatomicalOrientation = RAL\nElementType"),
        {"line 5", "\"ral\""}},
       {"channels",
        make_meta("ElementType", "ElementNumberOfChannels = 3\nElementType"),
        {"3 values a voxel"}},
       {"flag", make_meta("ElementType", "BinaryData = maybe\nElementType"), {"True nor False"}},
       {"type", make_meta("MET_UCHAR", "MET_STRING"), {"line 5", "met_string"}},
       {"list", make_meta("LOCAL", "LIST"), {"line 6", "one file"}},
       {"no packed data",
        make_meta("ElementType", "CompressedData = True\nElementType"),
        {"damaged"}}});
}

}  // namespace
}  // namespace sinew::volume::testing
