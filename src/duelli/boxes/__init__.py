"""Boxes: the user's own parameters and units, and their way to [0, 1]^dim and back."""

from duelli.boxes.box import Box, Point
from duelli.boxes.sides import Sides, choice

__all__ = ["Box", "Point", "Sides", "choice"]
