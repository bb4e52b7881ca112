#include <cstring>

#include <fmt/format.h>

#include "sinew/core/temporary_file.h"
#include "sinew/mesh/base64.h"
#include "sinew/record/export_files.h"

namespace sinew::record {
namespace {

constexpr std::uint8_t kVtkTriangle = 5;
constexpr std::uint8_t kVtkTetra = 10;

// VTK's inline binary: the number of bytes as a UInt64, then the bytes, in base64 as one.
template <class T>
std::string encode_block(const std::vector<T>& values) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::vector<unsigned char> bytes(sizeof(size) + size);
  std::memcpy(bytes.data(), &size, sizeof(size));
  if (size > 0) std::memcpy(bytes.data() + sizeof(size), values.data(), size);
  return mesh::encode_base64(bytes);
}

std::string escape_xml(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

template <class T>
std::string make_array(const char* type, const std::string& name, int components,
                       const std::vector<T>& values) {
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}"
      "</DataArray>\n",
      type, escape_xml(name), components, encode_block(values));
}

template <std::size_t N>
std::string make_cells(const std::vector<std::array<std::uint32_t, N>>& cells, std::uint8_t type) {
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t> offsets;
  for (const auto& cell : cells) {
    indices.insert(indices.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int64_t>(indices.size()));
  }
  return "<Cells>\n" + make_array("Int64", "connectivity", 1, indices) +
         make_array("Int64", "offsets", 1, offsets) +
         make_array("UInt8", "types", 1, std::vector<std::uint8_t>(cells.size(), type)) +
         "</Cells>\n";
}

// `point_data` and `cell_data` are arrays; `cells` is what make_cells() returns.
std::string make_vtu(const std::vector<Vec3f>& points, std::size_t num_cells,
                     const std::string& cells, const std::string& point_data,
                     const std::string& cell_data) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
      "<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n<Points>\n{}</Points>\n{}"
      "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
      points.size(), num_cells, point_data, cell_data, make_array("Float32", "position", 3, points),
      cells);
}

double compute_volume(const std::vector<Vec3f>& nodes, const std::array<std::uint32_t, 4>& tet) {
  const auto node = [&](std::size_t i) {
    const Vec3f& p = nodes[tet[i]];
    return Vec3d{p.x, p.y, p.z};
  };
  const Vec3d origin = node(0);
  return dot(node(1) - origin, cross(node(2) - origin, node(3) - origin)) / 6;
}

// Volume against rest, a value a tet; 1 where a tet has no volume at rest.
std::vector<float> compute_volume_ratios(const engine::BodyTopology& body,
                                         const std::vector<Vec3f>& nodes) {
  std::vector<float> ratios;
  for (const auto& tet : body.tets) {
    const double rest = compute_volume(body.rest_nodes, tet);
    ratios.push_back(rest == 0 ? 1.0F : static_cast<float>(compute_volume(nodes, tet) / rest));
  }
  return ratios;
}

std::string make_surface_vtu(const engine::BodyTopology& body, const engine::BodyFrame& frame) {
  std::string fields;
  for (std::size_t f = 0; f < body.fields.size(); ++f)
    fields += make_array("Float32", body.fields[f].name, 1, frame.fields[f]);
  return make_vtu(frame.surface, body.triangles.size(), make_cells(body.triangles, kVtkTriangle),
                  fields, "");
}

std::string make_volume_vtu(const engine::BodyTopology& body, const engine::BodyFrame& frame) {
  return make_vtu(
      frame.nodes, body.tets.size(), make_cells(body.tets, kVtkTetra), "",
      make_array("Float32", "volume_ratio", 1, compute_volume_ratios(body, frame.nodes)));
}

std::string make_pvd(const std::string& entries) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
         "byte_order=\"LittleEndian\">\n<Collection>\n" +
         entries + "</Collection>\n</VTKFile>\n";
}

}  // namespace

std::vector<std::string> export_vtu(const RecordingReader& recording, const FrameRange& range,
                                    const std::string& folder) {
  const std::vector<std::size_t> frames = list_frames(recording, range);
  make_folder(folder);
  const auto& bodies = recording.info().bodies;
  std::vector<std::string> files = {folder + "/surface.pvd", folder + "/volume.pvd"};
  std::string surface_entries;
  std::string volume_entries;
  for (const std::size_t k : frames) {
    const double time = recording.read_time(k);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const engine::BodyFrame frame = recording.read_body(k, b);
      const auto add = [&](const std::string& kind, std::string& entries, const std::string& vtu) {
        const std::string name = numbered_name(recording, bodies[b].name + "-" + kind, k, "vtu");
        files.push_back(fmt::format("{}/{}", folder, name));
        write_file(files.back(), vtu);
        entries += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n",
                               time, b, bodies[b].name, name);
      };
      add("surface", surface_entries, make_surface_vtu(bodies[b], frame));
      // Bones and lines of action are surfaces only.
      if (!bodies[b].rest_nodes.empty())
        add("volume", volume_entries, make_volume_vtu(bodies[b], frame));
    }
  }
  write_file(files[0], make_pvd(surface_entries));
  write_file(files[1], make_pvd(volume_entries));
  return files;
}

}  // namespace sinew::record
