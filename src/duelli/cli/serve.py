"""duelli serve."""

import sys
from typing import Any

import click

from duelli.cli.extras import need
from duelli.cli.values import database
from duelli.live.errors import StoreError


@click.command()
@database
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option("--public", help="The address under which a reverse proxy shows the server.")
@click.option("--images", "file", help="A Python file with functions that draw arms.")
@click.option("--i-know", "forced", is_flag=True, help="Accept a file on a network file system.")
def serve(db: str, file: str | None, **options: Any) -> None:
    """Serve the studies of a database to pages and programs.

    On the local address no token is needed. On any other one, and with --public, a link for the
    owner is printed.
    """
    need("starlette", "pydantic", "uvicorn")
    from duelli.live.images import Images
    from duelli.live.service import serve as run

    images = Images.from_file(file) if file else None
    try:
        code = run(db, images=images, say=click.echo, **options)
    except StoreError as error:
        click.echo(f"duelli: {error}", err=True)
        code = 1
    if code:
        sys.exit(code)
