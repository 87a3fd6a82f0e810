"""Grid: the cells of a uniform grid on [0, 1]^dim, numbered so that they can serve as arms."""

from dataclasses import dataclass

from duelli.cubes import Arm


@dataclass(frozen=True, slots=True)
class Grid:
    """``cells`` cells along each of ``dim`` axes, in lexicographic order, first axis slowest.

    Paper: Section 7, the baseline's uniform discretization; 2^(m-1) cells have its edge r_m.

    Args:
        dim: d, the number of coordinates.
        cells: The number of cells along each axis.
        shift: How far the points that are played lie from the centres, along each axis and as a
            share of a cell; () for not at all.
    """

    dim: int
    cells: int
    shift: tuple[float, ...] = ()

    @property
    def num_arms(self) -> int:
        """K, the number of cells. Paper: Section 7, "each cube is treated as an arm"."""
        count: int = self.cells**self.dim
        return count

    @property
    def edge(self) -> float:
        """The edge r of a cell. Paper: Section 7."""
        return 1 / self.cells

    def centre(self, index: int) -> Arm:
        """Return the centre of cell ``index``, the point of it that is played.

        The paper does not say which point of a cube is played. With a shift it is another point of
        the cell, the same one in every cell.
        """
        if self.shift:
            places = zip(self._places(index), self.shift, strict=True)
            return tuple((i + 0.5 + share) / self.cells for i, share in places)
        return tuple((i + 0.5) / self.cells for i in self._places(index))

    def low(self, index: int) -> Arm:
        """Return the corner of cell ``index`` that is nearest to the origin."""
        top = 1 - self.edge  # i / cells + 1 / cells may come out above 1
        return tuple(min(i / self.cells, top) for i in self._places(index))

    def index(self, arm: Arm) -> int:
        """Return a cell that holds ``arm``: on a shared face the upper one, except at 1."""
        index = 0
        for entry in arm:
            index = index * self.cells + min(int(entry * self.cells), self.cells - 1)
        return index

    def _places(self, index: int) -> list[int]:
        """Return the place of cell ``index`` along each axis."""
        places = [0] * self.dim
        for axis in range(self.dim - 1, -1, -1):
            index, places[axis] = divmod(index, self.cells)
        return places
