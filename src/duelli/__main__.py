"""`python -m duelli` is the command line."""

from duelli.cli import main

main()
