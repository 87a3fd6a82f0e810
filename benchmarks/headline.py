"""Write the headline of the reproduction into README.md, from the trials of its main experiment.

Run ``python benchmarks/headline.py``. Finished trials are kept in ``out``, as those of
``duelli reproduce`` are.
"""

import textwrap
from pathlib import Path

from _write import write

from duelli.experiments.reproduce import Reproduction, headline
from duelli.experiments.spec import Narrowing


def main() -> None:
    main_only = Reproduction.of(only=("main",), narrowing=Narrowing(), out=Path("out"))
    for _ in main_only.sweep.run(main_only.sweep.pending()):
        pass
    text = headline(main_only.sweep.results())
    print(text)
    write("README.md", "benchmarks/headline.py", textwrap.indent(textwrap.fill(text, 150), "> "))


if __name__ == "__main__":
    main()
