"""History: every pair that a judge was asked, and the position bias that the answers show."""

from duelli.bias import Bias, BiasTally
from duelli.history.past import PastStep, past_as_json, past_from_json
from duelli.history.table import History

__all__ = ["Bias", "BiasTally", "History", "PastStep", "past_as_json", "past_from_json"]
