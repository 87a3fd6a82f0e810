"""Importing duelli is light, and the registries go by the rule."""

import inspect
import re
import subprocess
import sys

import pytest

from duelli import ENGINES, LANDSCAPES, LEARNERS, LINKS, SCALARS

HEAVY = ["numba", "matplotlib", "starlette", "joblib", "pyarrow", "pytest", "scipy"]


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@pytest.fixture(scope="module")
def loaded():
    """The modules that a fresh process has loaded once it has imported duelli."""
    code = "import sys, duelli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_fresh_import_is_seen(loaded):
    assert {"duelli", "duelli.learners.arc", "numpy"} <= loaded


@pytest.mark.parametrize("heavy", HEAVY)
def test_importing_duelli_does_not_load(loaded, heavy):
    assert heavy not in loaded


@pytest.mark.parametrize("package", ["cli", "experiments", "live", "report", "testing"])
def test_importing_duelli_does_not_load_its_own(loaded, package):
    assert f"duelli.{package}" not in loaded


def test_everything_public_is_there():
    import duelli

    assert [name for name in duelli.__all__ if not hasattr(duelli, name)] == []


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (key, kind)
        for registry in (LEARNERS, SCALARS, ENGINES)
        for key, kind in registry.items()
        if inspect.isclass(kind)
    ]
    + [(key, type(found)) for key, found in LINKS.items()],
)
def test_a_registry_key_is_the_class_in_snake_case(key, kind):
    assert key == snake_case(kind.__name__)


@pytest.mark.parametrize("registry", [LEARNERS, SCALARS, ENGINES, LINKS, LANDSCAPES])
def test_registry_keys_are_snake_case(registry):
    assert [key for key in registry if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", key)] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ArcDuelli", "arc_duelli"),
        ("PerDuel", "per_duel"),
        ("RMEDTwo", "rmed_two"),
        ("Tanh", "tanh"),
    ],
)
def test_snake_case(name, expected):
    assert snake_case(name) == expected
