#include "sinew/skeleton/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "sinew/core/parse_number.h"
#include "sinew/core/text.h"

namespace sinew::skeleton {
namespace {

constexpr std::size_t kLongest = 4096;  // letters
constexpr int kDeepest = 64;            // of parentheses in parentheses
constexpr std::string_view kSigns = "+-*/^";

using Operation = Expression::Operation;

struct FunctionEntry {
  std::string_view name;
  double (*one)(double);          // or
  double (*two)(double, double);  // of two arguments
};
constexpr FunctionEntry kFunctions[] = {
    {"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    {"exp", [](double x) { return std::exp(x); }, nullptr},
    {"log", [](double x) { return std::log(x); }, nullptr},
    {"sin", [](double x) { return std::sin(x); }, nullptr},
    {"cos", [](double x) { return std::cos(x); }, nullptr},
    {"sec", [](double x) { return 1 / std::cos(x); }, nullptr},
    {"csc", [](double x) { return 1 / std::sin(x); }, nullptr},
    {"tan", [](double x) { return std::tan(x); }, nullptr},
    {"cot", [](double x) { return 1 / std::tan(x); }, nullptr},
    {"asin", [](double x) { return std::asin(x); }, nullptr},
    {"acos", [](double x) { return std::acos(x); }, nullptr},
    {"atan", [](double x) { return std::atan(x); }, nullptr},
    {"sinh", [](double x) { return std::sinh(x); }, nullptr},
    {"cosh", [](double x) { return std::cosh(x); }, nullptr},
    {"tanh", [](double x) { return std::tanh(x); }, nullptr},
    {"erf", [](double x) { return std::erf(x); }, nullptr},
    {"erfc", [](double x) { return std::erfc(x); }, nullptr},
    {"step", [](double x) { return x >= 0 ? 1.0 : 0.0; }, nullptr},
    {"delta", [](double x) { return x == 0 ? 1.0 : 0.0; }, nullptr},
    {"square", [](double x) { return x * x; }, nullptr},
    {"cube", [](double x) { return x * x * x; }, nullptr},
    {"recip", [](double x) { return 1 / x; }, nullptr},
    {"abs", [](double x) { return std::abs(x); }, nullptr},
    {"min", nullptr, [](double x, double y) { return std::min(x, y); }},
    {"max", nullptr, [](double x, double y) { return std::max(x, y); }},
};

// sum -> product (+- product)*; product -> power (*/ power)*; power -> -power | atom (^ power)?
class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string_view> variables)
      : text_(text), variables_(variables) {}

  Expression run() {
    if (text_.size() > kLongest)
      throw std::invalid_argument(fmt::format("the formula is longer than {} letters", kLongest));
    parse_sum();
    skip_blanks();
    if (at_ < text_.size()) fail();
    return std::move(out_);
  }

 private:
  void parse_sum() {
    if (++depth_ > kDeepest) throw std::invalid_argument("the formula is nested too deep");
    parse_product();
    for (char sign = take("+-"); sign != 0; sign = take("+-")) {
      parse_product();
      add_binary(sign);
    }
    --depth_;
  }

  void parse_product() {
    parse_power();
    for (char sign = take("*/"); sign != 0; sign = take("*/")) {
      parse_power();
      add_binary(sign);
    }
  }

  void parse_power() {
    if (++depth_ > kDeepest) throw std::invalid_argument("the formula is nested too deep");
    const char sign = take("+-");
    if (sign != 0) {
      parse_power();
      if (sign == '-') out_.program.push_back({Operation::Kind::kNegate, 0, 0});
    } else {
      parse_atom();
      if (take("^") != 0) {
        parse_power();
        add_binary('^');
      }
    }
    --depth_;
  }

  void parse_atom() {
    if (take("(") != 0) {
      parse_sum();
      if (take(")") == 0) fail();
      return;
    }
    skip_blanks();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.'))
      parse_number();
    else
      parse_name();
  }

  void parse_number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t end = at_ + 1;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      if (end < text_.size() && is_digit(text_[end])) {
        while (end < text_.size() && is_digit(text_[end])) ++end;
        at_ = end;
      }
    }
    double value = 0;
    if (!parse_whole(std::string(text_.substr(start, at_ - start)), value)) {
      at_ = start;
      fail();
    }
    out_.program.push_back({Operation::Kind::kNumber, value, 0});
  }

  void parse_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(letter(at_)) != 0 || text_[at_] == '_')) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    if (name.empty()) fail();
    if (take("(") != 0) {
      parse_call(name);
      return;
    }
    const auto found = std::ranges::find(variables_, name);
    if (found == variables_.end())
      throw std::invalid_argument(fmt::format("\"{}\" in the formula is unknown; its variables: {}",
                                              printable(name), join(variables_)));
    const auto index = static_cast<std::size_t>(found - variables_.begin());
    out_.program.push_back({Operation::Kind::kVariable, 0, index});
  }

  void parse_call(std::string_view name) {
    const auto* found = std::ranges::find(kFunctions, name, &FunctionEntry::name);
    if (found == std::end(kFunctions))
      throw std::invalid_argument(
          fmt::format("the formula's function \"{}\" is unknown", printable(name)));
    parse_sum();
    if (found->two != nullptr) {
      if (take(",") == 0) fail();
      parse_sum();
    }
    if (take(")") == 0) fail();
    const auto index = static_cast<std::size_t>(found - std::begin(kFunctions));
    out_.program.push_back({Operation::Kind::kFunction, 0, index});
  }

  void add_binary(char sign) {
    out_.program.push_back({Operation::Kind::kBinary, 0, kSigns.find(sign)});
  }

  // The next letter that is no blank, if it is one of these; 0: it is not.
  char take(std::string_view letters) {
    skip_blanks();
    if (at_ == text_.size() || letters.find(text_[at_]) == std::string_view::npos) return 0;
    return text_[at_++];
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(letter(at_)) != 0) ++at_;
  }
  unsigned char letter(std::size_t i) const { return static_cast<unsigned char>(text_[i]); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  [[noreturn]] void fail() const {
    throw std::invalid_argument(
        at_ < text_.size()
            ? fmt::format("the formula cannot be read from \"{}\" on", printable(text_.substr(at_)))
            : std::string("the formula ends too early"));
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression out_;
};

double apply_sign(char sign, double a, double b) {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return std::pow(a, b);
  }
}

}  // namespace

Expression parse_expression(std::string_view text, std::span<const std::string_view> variables) {
  return Parser(text, variables).run();
}

double evaluate(const Expression& expression, std::span<const double> values) {
  std::vector<double> stack;
  stack.reserve(expression.program.size());
  const auto pop = [&stack] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Operation& operation : expression.program) {
    switch (operation.kind) {
      case Operation::Kind::kNumber:
        stack.push_back(operation.number);
        break;
      case Operation::Kind::kVariable:
        stack.push_back(values[operation.index]);
        break;
      case Operation::Kind::kNegate:
        stack.back() = -stack.back();
        break;
      case Operation::Kind::kBinary: {
        const double second = pop();
        stack.back() = apply_sign(kSigns[operation.index], stack.back(), second);
        break;
      }
      case Operation::Kind::kFunction: {
        const FunctionEntry& function = kFunctions[operation.index];
        const double last = pop();
        stack.push_back(function.two != nullptr ? function.two(pop(), last) : function.one(last));
        break;
      }
    }
  }
  return stack.empty() ? 0 : stack.back();
}

}  // namespace sinew::skeleton
