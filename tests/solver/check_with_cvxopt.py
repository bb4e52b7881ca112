#!/usr/bin/python3
"""Solves quadratic programs by CVXOPT and compares, for active_set_qp_test.cc.

Usage: check_with_cvxopt.py CASES OBJECTIVE X
A case is "case n m", then H by rows, c, A by rows, b, lower, upper and a solution to compare with.
Prints what was found; exits with 1 where an objective differs by more than OBJECTIVE (of one plus
its size) or x, of a program with a definite H, by more than X, or where CVXOPT solves less than 95 % of
them (it needs an interior, which some lack); with 77 where there is no CVXOPT.
"""
import sys

try:
    import numpy as np
    from cvxopt import matrix, solvers
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)


def read_cases(path):
    words = iter(open(path).read().split())

    def take(*shape):
        return np.array([float(next(words)) for _ in range(int(np.prod(shape)))]).reshape(shape)
    for word in words:
        assert word == "case"
        n, m = int(next(words)), int(next(words))
        yield [take(n, n), take(n), take(m, n), take(m), take(n), take(n), take(n)]


def solve(H, c, A, b, lower, upper):
    """x, or None. An interior-point method needs an interior: variables without room are put in as
    numbers, and equalities that depend on others are left out."""
    free = upper > lower
    x = np.where(free, 0, lower)
    b, c = b - A @ x, (c + H @ x)[free]
    H, A = H[np.ix_(free, free)], A[:, free]
    n = free.sum()
    if n == 0:
        return x
    _, sizes, rows = np.linalg.svd(A, full_matrices=False)
    kept = sizes > 1e-10
    A, b = rows[kept], rows[kept] @ np.linalg.lstsq(A, b, rcond=None)[0]
    if len(b) == n:
        x[free] = A.T @ b
        return x
    sides = [(-np.eye(n), -lower[free]), (np.eye(n), upper[free])]
    G, h = (np.concatenate(parts) for parts in zip(*sides))
    bounded = np.isfinite(h)
    limits = (matrix(G[bounded]), matrix(h[bounded])) if bounded.any() else (None, None)
    equalities = (matrix(A), matrix(b)) if len(b) else ()
    try:
        solution = solvers.qp(matrix(H), matrix(c), *limits, *equalities)
    except (ArithmeticError, ValueError):
        return None
    if solution["status"] != "optimal":
        return None
    x[free] = np.array(solution["x"]).ravel()
    return x


def main(path, most_objective, most_x):
    solvers.options.update(show_progress=False, abstol=1e-11, reltol=1e-11, feastol=1e-10,
                           maxiters=200)
    total = solved = definite = 0
    worst_objective = worst_x = 0.0
    for H, c, A, b, lower, upper, ours in read_cases(path):
        total += 1
        x = solve(H, c, A, b, lower, upper)
        if x is None:
            continue
        solved += 1
        theirs, value = (0.5 * v @ H @ v + c @ v for v in (x, ours))
        worst_objective = max(worst_objective, abs(value - theirs) / (1 + abs(theirs)))
        if np.linalg.eigvalsh(H)[0] > 1e-3:
            definite += 1
            worst_x = max(worst_x, np.abs(x - ours).max())
    print(f"{solved} of {total} solved by CVXOPT: objectives within {worst_objective:.2g}, "
          f"x of {definite} definite ones within {worst_x:.2g}")
    return 0 if solved > 0.95 * total and worst_objective <= most_objective and worst_x <= most_x else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
