"""BoTorch as a contender of benchmarks/practice.py: PairwiseGP and EUBO, over lines of JSON.

``python benchmarks/practice.py --botorch PYTHON`` runs this file with the Python of a virtual
environment that has botorch (``pip install botorch``); duelli itself never imports it. It reads
``{"dim": d, "budget": T, "seed": s}``, then writes a pair of points and reads the outcome of the
first one, T times, and writes its answer at last. A draw tells PairwiseGP nothing.
"""

import json
import sys
import warnings
from typing import Any

RANDOM_PAIRS = 5  # to begin with; the first has the middle of the box
RESTARTS, SAMPLES = 4, 128  # of each search for the largest value of an acquisition function


def main() -> None:
    import torch

    task = json.loads(sys.stdin.readline())
    torch.manual_seed(task["seed"])
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    warnings.simplefilter("ignore")
    dim, model = task["dim"], None
    points, comparisons = torch.empty(0, dim), []
    for t in range(task["budget"]):
        if model is None or t < RANDOM_PAIRS:
            pair = torch.rand(2, dim)
            pair = torch.cat([torch.full((1, dim), 0.5), pair[1:]]) if t == 0 else pair
        else:
            pair = next_pair(model, dim)
        print(json.dumps(pair.tolist()), flush=True)
        outcome = float(sys.stdin.readline())
        points = torch.cat([points, pair])
        if outcome != 0.5:
            comparisons.append([2 * t, 2 * t + 1] if outcome > 0.5 else [2 * t + 1, 2 * t])
        model = fitted(points, torch.tensor(comparisons)) if comparisons else None
    answer = [0.5] * dim if model is None else best_mean(model, dim)
    print(json.dumps(answer), flush=True)


def fitted(points: Any, comparisons: Any) -> Any:
    """Return the model of all comparisons so far, with its scales fitted."""
    from botorch.fit import fit_gpytorch_mll
    from botorch.models.pairwise_gp import PairwiseGP, PairwiseLaplaceMarginalLogLikelihood

    model = PairwiseGP(points, comparisons)
    fit_gpytorch_mll(PairwiseLaplaceMarginalLogLikelihood(model.likelihood, model))
    return model


def next_pair(model: Any, dim: int) -> Any:
    """Return the pair of the largest EUBO."""
    from botorch.acquisition.preference import AnalyticExpectedUtilityOfBestOption

    return _largest(AnalyticExpectedUtilityOfBestOption(pref_model=model), dim, 2)


def best_mean(model: Any, dim: int) -> Any:
    """Return the point of the largest posterior mean."""
    from botorch.acquisition import PosteriorMean

    return _largest(PosteriorMean(model), dim, 1)[0].tolist()


def _largest(acquisition: Any, dim: int, q: int) -> Any:
    import torch
    from botorch.optim import optimize_acqf

    box = torch.stack([torch.zeros(dim), torch.ones(dim)])
    found, _ = optimize_acqf(acquisition, box, q, num_restarts=RESTARTS, raw_samples=SAMPLES)
    return found.detach().clamp(0, 1)


if __name__ == "__main__":
    main()
