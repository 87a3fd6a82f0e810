"""Judges: the user's own function with its answers checked, and what programs as judges need."""

from duelli.judges.checked import Duel, DuelMany, Judge
from duelli.judges.panels import AsyncPanel, Panel, Report

__all__ = ["AsyncPanel", "Duel", "DuelMany", "Judge", "Panel", "Report"]
