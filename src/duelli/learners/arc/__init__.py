"""ARC-DuelLi, the paper's algorithm to the letter.

Sharma, Jain, Aggarwal, Ghalme (2026), "Lipschitz Dueling Bandits over Continuous Action Spaces".
"""

from duelli.learners.arc.config import ArcConfig
from duelli.learners.arc.learner import ArcDuelli

__all__ = ["ArcConfig", "ArcDuelli"]
