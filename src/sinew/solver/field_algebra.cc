#include "sinew/solver/field_algebra.h"

#include "sinew/core/error.h"
#include "sinew/core/instruction_set.h"
#include "sinew/core/parallel.h"
#include "sinew/solver/kernels/solver_kernels.h"

namespace sinew::solver {
namespace {

constexpr std::size_t kGrain = 1 << 15;  // numbers of a piece: long against handing it over
constexpr std::size_t kItem = 16;        // numbers that ordered_sum counts as one

template <class A, class B>
void check_sizes(const Field3<A>& a, const Field3<B>& b) {
  SINEW_CHECK(a.size() == b.size(), "fields of different sizes");
}

template <class Real>
double dot_of(const Field3<Real>& a, const Field3<Real>& b) {
  check_sizes(a, b);
  const InstructionSet set = instruction_set();
  const Real* p = a.values().data();
  const Real* q = b.values().data();
  return ordered_sum(a.values().size() / kItem, [=](std::size_t begin, std::size_t end) {
    return SINEW_SOLVER_RUN(set, dot(p, q, begin * kItem, end * kItem));
  });
}

template <class Real>
void combine_of(Real a, const Field3<Real>& x, Real b, Field3<Real>& y) {
  check_sizes(x, y);
  const InstructionSet set = instruction_set();
  const Real* p = x.values().data();
  Real* q = y.values().data();
  parallel_for(y.values().size(), kGrain, [=](std::size_t begin, std::size_t end) {
    SINEW_SOLVER_RUN(set, combine(a, p, b, q, begin, end));
  });
}

template <class From, class To>
void convert_of(const Field3<From>& from, Field3<To>& to) {
  if (to.size() != from.size()) to = Field3<To>(from.size());
  const InstructionSet set = instruction_set();
  const From* p = from.values().data();
  To* q = to.values().data();
  parallel_for(to.values().size(), kGrain, [=](std::size_t begin, std::size_t end) {
    SINEW_SOLVER_RUN(set, convert(p, q, begin, end));
  });
}

}  // namespace

static_assert(Field3f::kPadding % kItem == 0, "fields are whole numbers of items");

double dot(const Field3f& a, const Field3f& b) {
  return dot_of(a, b);
}
double dot(const Field3d& a, const Field3d& b) {
  return dot_of(a, b);
}
void add_scaled(float a, const Field3f& x, Field3f& y) {
  combine_of(a, x, 1.0F, y);
}
void add_scaled(double a, const Field3d& x, Field3d& y) {
  combine_of(a, x, 1.0, y);
}
void combine(float a, const Field3f& x, float b, Field3f& y) {
  combine_of(a, x, b, y);
}
void combine(double a, const Field3d& x, double b, Field3d& y) {
  combine_of(a, x, b, y);
}
void scale(float a, Field3f& y) {
  combine_of(a, y, 0.0F, y);
}
void scale(double a, Field3d& y) {
  combine_of(a, y, 0.0, y);
}
void copy(const Field3d& from, Field3f& to) {
  convert_of(from, to);
}
void copy(const Field3f& from, Field3d& to) {
  convert_of(from, to);
}
void copy(const Field3f& from, Field3f& to) {
  to = from;
}
void copy(const Field3d& from, Field3d& to) {
  to = from;
}

}  // namespace sinew::solver
