"""Links: the paper's transfer function ρ, from a difference of utilities to a win probability.

Each link has a ``steepness`` s, ρ(u) = ρ_1(s u), and a ``span`` R: its slopes Γ and λ are those on
[-R, R], where the differences of utility lie (Assumption 3.2, Lemmas D.1-D.3).
"""

from duelli.links.base import Link
from duelli.links.custom import CustomLink, link
from duelli.links.named import LINKS, known_slopes, parse
from duelli.links.shapes import Arctan, Linear, Logistic, Probit, Tanh

__all__ = [
    "LINKS",
    "Arctan",
    "CustomLink",
    "Linear",
    "Link",
    "Logistic",
    "Probit",
    "Tanh",
    "known_slopes",
    "link",
    "parse",
]
