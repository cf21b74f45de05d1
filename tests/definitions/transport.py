"""The transportation problem in plain Python and exact arithmetic."""

from collections.abc import Sequence
from fractions import Fraction

Edge = tuple[int, int, float]  # row, column, weight


def transport(
    supply: Sequence[float], demand: Sequence[float], edges: Sequence[Edge]
) -> tuple[Fraction, dict[tuple[int, int], Fraction]]:
    """The largest sum of weight times flow, and a flow {(row, column): amount} that attains it.

    The flow out of a row is at most its supply, the flow into a column at most its demand. Found by
    successive longest paths: as long as a path from a row with supply left to a column with demand
    left has a gain, use the best one (Busacker and Gowen 1960; Bellman and Ford's method finds it,
    since undoing flow has a negative weight).

    >>> value, flow = transport([1, 0.5], [0.5, 1], [(0, 0, 1.0), (0, 1, 0.5), (1, 0, 0.75)])
    >>> value, sorted(flow.items())
    (Fraction(7, 8), [((0, 1), Fraction(1, 1)), ((1, 0), Fraction(1, 2))])
    """
    left = [Fraction(amount) for amount in supply]
    room = [Fraction(amount) for amount in demand]
    weights = {(i, j): Fraction(weight) for i, j, weight in edges if weight > 0}
    flow: dict[tuple[int, int], Fraction] = {}
    while path := _best_path(left, room, weights, flow):
        undone = [(i, j) for (i, j), forward in path if not forward]
        amount = min([left[path[0][0][0]], room[path[-1][0][1]], *(flow[edge] for edge in undone)])
        left[path[0][0][0]] -= amount
        room[path[-1][0][1]] -= amount
        for edge, forward in path:
            flow[edge] = flow.get(edge, Fraction(0)) + (amount if forward else -amount)
            if not flow[edge]:
                del flow[edge]
    return sum((weights[edge] * amount for edge, amount in flow.items()), Fraction(0)), flow


Step = tuple[tuple[int, int], bool]  # an edge, and whether flow is added (or removed)


def _best_path(
    left: list[Fraction],
    room: list[Fraction],
    weights: dict[tuple[int, int], Fraction],
    flow: dict[tuple[int, int], Fraction],
) -> list[Step]:
    """The steps of the path with the largest gain per unit; empty if no path has a gain."""
    rows: dict[int, Fraction] = {i: Fraction(0) for i, amount in enumerate(left) if amount}
    columns: dict[int, Fraction] = {}
    came_to_row: dict[int, tuple[int, int]] = {}
    came_to_column: dict[int, tuple[int, int]] = {}
    changed = True
    while changed:
        changed = False
        for (i, j), weight in weights.items():
            if i in rows and (j not in columns or rows[i] + weight > columns[j]):
                columns[j], came_to_column[j], changed = rows[i] + weight, (i, j), True
        for i, j in flow:
            weight = weights[i, j]
            if j in columns and (i not in rows or columns[j] - weight > rows[i]):
                rows[i], came_to_row[i], changed = columns[j] - weight, (i, j), True
    ends = [j for j in columns if room[j]]
    end = max(ends, key=lambda j: columns[j], default=None)
    if end is None or columns[end] <= 0:
        return []
    path: list[Step] = [(came_to_column[end], True)]
    while (row := path[-1][0][0]) in came_to_row:
        path.append((came_to_row[row], False))
        path.append((came_to_column[path[-1][0][1]], True))
    return path[::-1]
