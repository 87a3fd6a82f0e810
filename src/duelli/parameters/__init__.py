"""The kinds of parameters that make a box, each with its way to [0, 1] and back."""

from duelli.parameters.base import Array, Parameter
from duelli.parameters.bounds import REAL_SCALES, SCALES
from duelli.parameters.choices import Choices
from duelli.parameters.continuous import Continuous
from duelli.parameters.fixed import Fixed
from duelli.parameters.scalars import Scalar
from duelli.parameters.whole import Whole

__all__ = [
    "REAL_SCALES",
    "SCALES",
    "Array",
    "Choices",
    "Continuous",
    "Fixed",
    "Parameter",
    "Scalar",
    "Whole",
]
