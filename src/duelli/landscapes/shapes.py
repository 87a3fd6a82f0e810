"""The paper's utilities (Section 7 and Appendix F), each written once.

A formula takes one arm as a tuple of coordinates. The coordinates may be floats, and then numba
compiles it, or arrays, and then NumPy does all arms at once; so it calls nothing but NumPy
functions that serve both. The clip of the printed formulas never acts, and is kept.
"""

from typing import Any

import numpy as np

X1 = (0.3, 0.1, 0.5, 0.5)  # the paper's x1 and x2; extra coordinates are 0.5
X2 = (0.9, 0.9, 0.5, 0.5)


def two_cones(x: Any) -> Any:
    """1 - 2/3 |x - x1| - 1/3 |x - x2|. Paper: Section 7, with the Euclidean norm (F8)."""
    near = (x[0] - X1[0]) ** 2 + (x[1] - X1[1]) ** 2
    far = (x[0] - X2[0]) ** 2 + (x[1] - X2[1]) ** 2
    return 1 - 2 / 3 * np.sqrt(near) - 1 / 3 * np.sqrt(far)


def two_cones_linf(x: Any) -> Any:
    """The same with the maximum norm, under which it is 1-Lipschitz as assumed."""
    near = np.maximum(np.abs(x[0] - X1[0]), np.abs(x[1] - X1[1]))
    far = np.maximum(np.abs(x[0] - X2[0]), np.abs(x[1] - X2[1]))
    return 1 - 2 / 3 * near - 1 / 3 * far


def two_cones_deep(x: Any) -> Any:
    """The same in three or four dimensions. Paper: Appendix F, D = 3 and D = 4."""
    near, far = 0.0 * x[0], 0.0 * x[0]
    for i in range(len(x)):
        near += (x[i] - X1[i]) ** 2
        far += (x[i] - X2[i]) ** 2
    return 1 - 2 / 3 * np.sqrt(near) - 1 / 3 * np.sqrt(far)


def two_cones_scaled(x: Any) -> Any:
    """10 - 2/3 |y - y1| - 1/3 |y - y2| at y = 10 x. Paper: Appendix F, the scaled box."""
    near = (x[0] - X1[0]) ** 2 + (x[1] - X1[1]) ** 2
    far = (x[0] - X2[0]) ** 2 + (x[1] - X2[1]) ** 2
    return 10 * (1 - 2 / 3 * np.sqrt(near) - 1 / 3 * np.sqrt(far))


def flat(x: Any) -> Any:
    """Cubic within 0.22 of (0.78, 0.22), linear outside. Paper: Appendix F."""
    r = 0.22
    distance = np.sqrt((x[0] - 0.78) ** 2 + (x[1] - 0.22) ** 2)
    near = np.minimum(distance, r)
    drop = 0.9 * near**3 / (3 * r**2) + 0.9 * (distance - near)  # both printed cases at once
    return np.minimum(np.maximum(1 - drop, 0.0), 1.0)


def plateau(x: Any) -> Any:
    """1 - the Euclidean distance to [0.35, 0.65]². Paper: Appendix F."""
    a = np.maximum(np.abs(x[0] - 0.5) - 0.15, 0.0)
    b = np.maximum(np.abs(x[1] - 0.5) - 0.15, 0.0)
    return np.minimum(np.maximum(1 - np.sqrt(a * a + b * b), 0.0), 1.0)


def quadratic(x: Any) -> Any:
    """Quadratic within 0.12 of (0.5, 0.5), linear outside. Paper: Appendix F."""
    r = 0.12
    distance = np.sqrt((x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2)
    near = np.minimum(distance, r)
    drop = near**2 / (2 * r) + (distance - near)  # both printed cases at once
    return np.minimum(np.maximum(1 - drop, 0.0), 1.0)


def ridge(x: Any) -> Any:
    """1 - the distance to the circle of radius 0.28 about (0.5, 0.5). Paper: Appendix F."""
    distance = np.sqrt((x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2)
    return np.minimum(np.maximum(1 - np.abs(distance - 0.28), 0.0), 1.0)


def sharp(x: Any) -> Any:
    """1 - the distance to (0.5, 0.5). Paper: Appendix F."""
    distance = np.sqrt((x[0] - 0.5) ** 2 + (x[1] - 0.5) ** 2)
    return np.minimum(np.maximum(1 - distance, 0.0), 1.0)


def two_peaks(x: Any) -> Any:
    """Cones of height 1 at (0.2, 0.2) and 0.97 at (0.8, 0.75). Paper: Appendix F."""
    high = 1 - np.sqrt(((x[0] - 0.2) ** 2 + (x[1] - 0.2) ** 2) / 2)
    low = 0.97 - np.sqrt(((x[0] - 0.8) ** 2 + (x[1] - 0.75) ** 2) / 2)
    return np.minimum(np.maximum(np.maximum(high, low), 0.0), 1.0)
