"""ARC-DuelLi, the paper's algorithm to the letter.

Sharma, Jain, Aggarwal, Ghalme (2026), "Lipschitz Dueling Bandits over Continuous Action Spaces".
"""

from duelli.learners.arc.learner import ArcDuelli
from duelli.learners.arc.machine import ArcConfig

__all__ = ["ArcConfig", "ArcDuelli"]
