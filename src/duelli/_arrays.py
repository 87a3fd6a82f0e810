"""The array type of the package, and the lattice of points that many modules need."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def lattice(ticks: npt.ArrayLike, dim: int) -> Array:
    """Return every point whose coordinates are all in ``ticks``, shape ``(len(ticks)^dim, dim)``.

    The points come in lexicographic order: the first coordinate changes slowest. In zero
    dimensions there is one point, with no coordinates.
    """
    axis = np.asarray(ticks, dtype=np.float64)
    axes = np.meshgrid(*[axis] * dim, indexing="ij")
    return np.stack(axes, -1).reshape(-1, dim) if axes else np.empty((1, 0))
