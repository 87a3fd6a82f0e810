"""Tree: the cells that HOO has played, with what their rewards add up to."""

from dataclasses import dataclass

ROOT = 0
ABSENT = 0  # instead of a child: the root is nobody's child


@dataclass(slots=True, kw_only=True)
class Tree:
    """Cells in the order in which they were added; cell 0 is the root, the whole box.

    Args:
        pulls: The pulls so far.
        links: For each cell but the root, which child of which cell it is, as `link` has it.
        counts: N, how often a point of each cell was pulled.
        sums: The sum of the rewards of each cell.
    """

    pulls: int
    links: list[int]
    counts: list[int]
    sums: list[float]


def link(parent: int, *, upper: bool) -> int:
    """Return the number that says: the lower or the upper half of cell ``parent``."""
    return 2 * parent + upper


def check_tree(tree: Tree, deepest: int | None) -> None:
    """Raise ValueError if no run can have left such a tree.

    Args:
        tree: The tree.
        deepest: The depth of the smallest cells; None if there is no limit.
    """
    cells = len(tree.counts)
    if len(tree.links) != cells - 1 or len(tree.sums) != cells:
        raise ValueError(
            f"state.counts, state.sums and state.links must be of {cells} cells, of which all but "
            f"the first have a link; got {len(tree.sums)} sums and {len(tree.links)} links"
        )
    if len(set(tree.links)) != cells - 1 or any(code >> 1 > i for i, code in enumerate(tree.links)):
        raise ValueError("state.links must name each half of an earlier cell once; they do not")
    if deepest is not None and max(depths_of(tree)) > deepest:
        raise ValueError(f"state.links must not go below depth {deepest}; they do")
    _check_counts(tree, deepest)


def depths_of(tree: Tree) -> list[int]:
    """Return the depth of each cell."""
    depths = [0]
    for code in tree.links:
        depths.append(depths[code >> 1] + 1)
    return depths


def _check_counts(tree: Tree, deepest: int | None) -> None:
    """Check that a cell's rewards are those of its halves and of the pull that added it."""
    halves, totals = [0] * len(tree.counts), [0.0] * len(tree.counts)
    for node, code in enumerate(tree.links, start=1):
        halves[code >> 1] += tree.counts[node]
        totals[code >> 1] += tree.sums[node]
    depths = depths_of(tree)
    for node, count in enumerate(tree.counts):
        own = count - halves[node]  # pulls of the cell itself
        expected = node != 0  # the pull that added it; the root is never played
        replayed = depths[node] == deepest and own >= 1
        if (own != expected and not replayed) or not 0 <= tree.sums[node] - totals[node] <= own:
            raise ValueError(f"state.counts and state.sums must fit together; cell {node} does not")
    if tree.counts[0] != tree.pulls:
        raise ValueError(f"state.counts must begin with {tree.pulls} pulls; got {tree.counts[0]}")
