#!/usr/bin/env python3
"""Quadratic programs and their solutions by CVXOPT, for active_set_qp_test.cc.

Run: make_qp_cases.py > ../data/qp_cases.txt  (needs cvxopt and numpy)
A case: "case n m"; H by rows; c; A by rows; b; lower; upper; the minimum; x.
"""

import numpy as np
from cvxopt import matrix, solvers

NUM_CASES = 40


def make_case(random):
    n = int(random.integers(2, 13))
    m = int(random.integers(0, n // 2 + 1))
    G = random.standard_normal((n, n))
    H = G @ G.T / n + 0.05 * np.eye(n)
    A = random.standard_normal((m, n))
    lower = np.where(random.random(n) < 0.7, random.uniform(-1, 0, n), -np.inf)
    upper = np.where(random.random(n) < 0.7, random.uniform(0, 1, n), np.inf)
    inside = np.clip(random.standard_normal(n), lower, upper)
    # Pulled back from the bounds, for the interior-point method.
    inside = np.clip(inside, np.maximum(lower, -2) + 0.02, np.minimum(upper, 2) - 0.02)
    return H, 2 * random.standard_normal(n), A, A @ inside, lower, upper


def round_case(case):
    """Numbers as they are written, so that both programs see the same."""
    return [np.array([float(f"{v:.9g}") for v in part.ravel()]).reshape(part.shape) for part in case]


def solve(H, c, A, b, lower, upper):
    n = len(c)
    G, h = [], []
    for i in range(n):
        if np.isfinite(lower[i]):
            G.append(-np.eye(n)[i]), h.append(-lower[i])
        if np.isfinite(upper[i]):
            G.append(np.eye(n)[i]), h.append(upper[i])
    bounds = (matrix(np.array(G)), matrix(np.array(h))) if G else (None, None)
    equalities = (matrix(A), matrix(b)) if len(b) else ()
    solution = solvers.qp(matrix(H), matrix(c), *bounds, *equalities)
    assert solution["status"] == "optimal"
    return solution["primal objective"], np.array(solution["x"]).ravel()


def main():
    solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    random = np.random.default_rng(1992)
    for _ in range(NUM_CASES):
        case = round_case(make_case(random))
        minimum, x = solve(*case)
        print("case", len(case[1]), len(case[3]))
        for part in case:
            print(*(f"{v:.9g}" for v in part.ravel()))
        print(f"{minimum:.12g}")
        print(*(f"{v:.10g}" for v in x))


if __name__ == "__main__":
    main()
