"""The optional packages that some commands need."""

from importlib.util import find_spec

EXTRAS = {  # what each optional package comes with: pip install 'duelli[NAME]'
    "numba": "fast",
    **dict.fromkeys(("matplotlib", "pyarrow"), "report"),
    **dict.fromkeys(("starlette", "pydantic", "uvicorn"), "live"),
    "psycopg": "postgres",
    **dict.fromkeys(("dask", "distributed"), "cluster"),
    "ray": "ray",
    "pytest": "dev",
}


def need(*packages: str) -> None:
    """Check that the packages of a command are there, before it does any work."""
    for package in packages:
        if find_spec(package) is None:
            raise ModuleNotFoundError(missing(package), name=package)


def missing(package: str) -> str:
    """Return how to install a package that is not there."""
    return f"this needs the package {package}: pip install 'duelli[{EXTRAS[package]}]'"
