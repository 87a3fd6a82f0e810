"""The command line. Each command is a file of a few lines that call the library."""

import sys

import click

from duelli.cli import compare, listing, plan, reproduce, serve, simulate, study
from duelli.cli.extras import EXTRAS, missing
from duelli.errors import DuelliError


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(package_name="duelli")
@click.pass_context
def cli(context: click.Context) -> None:
    """Find the best point of a continuous box from noisy pairwise comparisons."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    simulate.simulate,
    reproduce.reproduce,
    compare.compare,
    plan.plan,
    listing.list_,
    serve.serve,
    study.study,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line: exit 0 when done, 2 on bad usage, 130 when interrupted."""
    try:
        cli(standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        _leave("interrupted", 130)
    except click.ClickException as error:
        _leave(error.format_message(), 2)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        _leave(missing(package), 2)
    except (ValueError, TypeError, DuelliError, OSError) as error:
        _leave(str(error), 2)


def _leave(message: str, code: int) -> None:
    click.echo(f"duelli: {' '.join(message.split())}", err=True)
    sys.exit(code)
