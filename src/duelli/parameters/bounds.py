"""Bounds and scales, which real and whole numbers share."""

REAL_SCALES = ("linear", "log")
WHOLE_SCALES = ("int", "log int")
SCALES = REAL_SCALES + WHOLE_SCALES
ENDS = ("low", "high")


def check_order(name: str, low: float, high: float) -> None:
    """Check that the bounds of the parameter ``name`` are two different ones, in order."""
    if low >= high:
        raise ValueError(f"{name}.low must be below {name}.high; got {low}, {high}")
