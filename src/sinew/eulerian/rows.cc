#include "sinew/eulerian/rows.h"

#include "sinew/core/parallel.h"

namespace sinew::eulerian {
namespace {

constexpr std::size_t kGrain = 1024;

// Turns counts at [i + 1] into offsets.
void accumulate_counts(std::vector<std::uint32_t>& offsets) {
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
}

void transpose_rows(std::size_t num_unknowns, Rows& rows) {
  rows.column_offset.assign(num_unknowns + 1, 0);
  for (const std::uint32_t c : rows.column) ++rows.column_offset[c + 1];
  accumulate_counts(rows.column_offset);
  rows.row.resize(rows.column.size());
  rows.row_coefficient.resize(rows.column.size());
  std::vector<std::uint32_t> next(rows.column_offset.begin(), rows.column_offset.end() - 1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::uint32_t e = rows.offset[r]; e < rows.offset[r + 1]; ++e) {
      const std::uint32_t to = next[rows.column[e]]++;
      rows.row[to] = static_cast<std::uint32_t>(r);
      rows.row_coefficient[to] = rows.coefficient[e];
    }
  }
}

// Rows that nothing can answer, as those of cells within an attachment.
std::vector<std::uint8_t> find_idle(const Rows& rows) {
  std::vector<std::uint8_t> idle(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    idle[r] = is_empty(rows, r) && rows.compliance[r] <= 0 ? 1 : 0;
  }
  return idle;
}

// Idle rows have no multiplier that others could be like.
void link_rows(std::vector<Link> links, Rows& rows) {
  std::erase_if(links, [&](const Link& l) { return rows.idle[l.a] != 0 || rows.idle[l.b] != 0; });
  rows.link_offset.assign(rows.size() + 1, 0);
  for (const Link& l : links) ++rows.link_offset[l.a + 1], ++rows.link_offset[l.b + 1];
  accumulate_counts(rows.link_offset);
  rows.link_row.resize(2 * links.size());
  rows.link_weight.resize(2 * links.size());
  std::vector<std::uint32_t> next(rows.link_offset.begin(), rows.link_offset.end() - 1);
  for (const Link& l : links) {
    rows.link_row[next[l.a]] = l.b;
    rows.link_weight[next[l.a]++] = l.weight;
    rows.link_row[next[l.b]] = l.a;
    rows.link_weight[next[l.b]++] = l.weight;
  }
}

}  // namespace

void RowPart::add_entry(const Unknowns& unknowns, std::size_t body, std::size_t node,
                        const Vec3d& g) {
  const Vec3d constant = visit(unknowns, body, node, [&](std::uint32_t u, double weight) {
    for (std::size_t e = begin_; e < column_.size(); ++e) {
      if (column_[e] != u) continue;
      coefficient_[e] += g * weight;
      return;
    }
    column_.push_back(u);
    coefficient_.push_back(g * weight);
  });
  held_ += dot(constant, g);
  const auto row = static_cast<std::uint32_t>(rhs_.size());
  visit_holds(unknowns, body, node, [&](std::uint32_t h, double weight) {
    entries_.push_back({row, h, g * weight});
  });
}

void RowPart::finish(double rhs, double compliance, double start) {
  length_.push_back(static_cast<std::uint32_t>(column_.size() - begin_));
  rhs_.push_back(rhs - held_);
  compliance_.push_back(compliance);
  multiplier_.push_back(start);
  begin_ = column_.size();
  held_ = 0;
}

void append(const std::vector<RowPart>& parts, Rows& rows) {
  for (const RowPart& p : parts) {
    const auto first = static_cast<std::uint32_t>(rows.size());
    for (const HeldEntry& e : p.entries_) {
      rows.held.push_back({first + e.row, e.held, e.coefficient});
    }
    rows.column.insert(rows.column.end(), p.column_.begin(), p.column_.end());
    rows.coefficient.insert(rows.coefficient.end(), p.coefficient_.begin(), p.coefficient_.end());
    rows.rhs.insert(rows.rhs.end(), p.rhs_.begin(), p.rhs_.end());
    rows.compliance.insert(rows.compliance.end(), p.compliance_.begin(), p.compliance_.end());
    rows.multiplier.insert(rows.multiplier.end(), p.multiplier_.begin(), p.multiplier_.end());
    for (const std::uint32_t n : p.length_) rows.offset.push_back(rows.offset.back() + n);
  }
}

void finish_rows(std::size_t num_unknowns, const std::vector<Link>& links, Rows& rows) {
  rows.idle = find_idle(rows);
  transpose_rows(num_unknowns, rows);
  link_rows(links, rows);
}

void multiply(const Rows& rows, std::span<const Vec3d> v, std::span<double> out) {
  parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      double sum = 0;
      for (std::uint32_t e = rows.offset[r]; e < rows.offset[r + 1]; ++e) {
        sum += dot(rows.coefficient[e], v[rows.column[e]]);
      }
      out[r] = sum;
    }
  });
}

void multiply_transposed(const Rows& rows, std::span<const double> y, std::span<Vec3d> out) {
  parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t u = begin; u < end; ++u) {
      Vec3d sum{};
      for (std::uint32_t e = rows.column_offset[u]; e < rows.column_offset[u + 1]; ++e) {
        sum += rows.row_coefficient[e] * y[rows.row[e]];
      }
      out[u] = sum;
    }
  });
}

}  // namespace sinew::eulerian
