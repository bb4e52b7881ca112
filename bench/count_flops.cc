#include "count_flops.h"

#include "sinew/material/tissue_law.h"

namespace sinew::bench {
namespace {

double flops = 0;  // of this thread's one count

struct Counted {
  double v = 0;

  Counted() = default;
  Counted(double x) : v(x) {}
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  friend Counted operator+(Counted a, Counted b) { return ++flops, Counted(a.v + b.v); }
  friend Counted operator-(Counted a, Counted b) { return ++flops, Counted(a.v - b.v); }
  friend Counted operator*(Counted a, Counted b) { return ++flops, Counted(a.v * b.v); }
  friend Counted operator/(Counted a, Counted b) { return ++flops, Counted(a.v / b.v); }
  friend bool operator<(Counted a, Counted b) { return a.v < b.v; }
  friend bool operator>(Counted a, Counted b) { return a.v > b.v; }
};

constexpr double kFlopsOfAPolynomial = 20;

Counted sqrt(Counted a) {
  return ++flops, Counted(std::sqrt(a.v));
}
Counted rcbrt(Counted a) {
  return flops += kFlopsOfAPolynomial, Counted(1 / std::cbrt(a.v));
}
Counted rsqrt(Counted a) {
  return flops += 2, Counted(1 / std::sqrt(a.v));
}
Counted min(Counted a, Counted b) {
  return a < b ? a : b;
}
Counted max(Counted a, Counted b) {
  return a > b ? a : b;
}
Counted log(Counted a) {
  return flops += kFlopsOfAPolynomial, Counted(std::log(a.v));
}
Counted select(bool condition, Counted yes, Counted no) {
  return condition ? yes : no;
}
int index_of(Counted a) {
  return static_cast<int>(a.v);
}
Counted to_real(int index, Counted /*like*/) {
  return Counted(index);
}
Counted gather(const Table& table, int index, Counted /*like*/) {
  return Counted(table.in_double[index]);
}

}  // namespace

double count_stress_flops(const material::Muscle& law) {
  Mat3<Counted> F = Mat3<Counted>::identity();
  F.col(0).x = Counted(1.1);
  const material::Fiber<Counted> fiber{{Counted(1), Counted(0), Counted(0)}, Counted(0.5)};
  flops = 0;
  const Mat3<Counted> P = stress(law, F, fiber);
  return P.col(0).x.v == 0 ? 0 : flops;
}

}  // namespace sinew::bench
