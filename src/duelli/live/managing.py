"""What the command line does to a store, whether a server is using it or not.

One process writes a file at a time. If a server has it, the server is asked.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from duelli.live.client import Client
from duelli.live.errors import DeniedError, StoreError
from duelli.live.ledger import Ledger
from duelli.live.requests import Call, Close
from duelli.live.settings import Settings
from duelli.live.stores import is_url, open_store
from duelli.live.stores.locking import holder, is_held
from duelli.live.tickets import new_token


def create_study(where: str, settings: Settings) -> dict[str, Any]:
    """Make a study."""

    def by_server(client: Client) -> dict[str, Any]:
        return client.create(**settings.as_json())

    def here(ledger: Ledger) -> dict[str, Any]:
        ledger.create(settings)
        return {"study": settings.name, "rater_link": f"/s/{settings.name}"}

    return _done(where, by_server, here)


def close_study(where: str, name: str) -> dict[str, Any]:
    """Let a study take no more answers."""

    def by_server(client: Client) -> dict[str, Any]:
        return client.post(f"/v1/studies/{name}/close", {})

    def here(ledger: Ledger) -> dict[str, Any]:
        ledger.do(Close(name))
        return {"study": name, "status": ledger.store.study(name).status}

    return _done(where, by_server, here)


def make_token(where: str, *, scope: str, study: str | None, **more: Any) -> dict[str, Any]:
    """Make a token."""

    def by_server(client: Client) -> dict[str, Any]:
        return client.post("/v1/tokens", {"scope": scope, "study": study, **more})

    def here(ledger: Ledger) -> dict[str, Any]:
        token = ledger.do(Call(lambda store: new_token(store, scope, study, **more)))
        return {"token": token, "scope": scope, "study": study}

    return _done(where, by_server, here)


def _done(
    where: str,
    by_server: Callable[[Client], dict[str, Any]],
    here: Callable[[Ledger], dict[str, Any]],
) -> dict[str, Any]:
    said = {} if is_url(where) or not is_held(Path(where)) else holder(Path(where))
    if (url := said.get("url")) is not None:
        try:
            return by_server(Client(url, token=said.get("token"), patience=5.0))
        except DeniedError as error:
            raise StoreError(
                f"{where} is served at {url}, which needs a token for this: {error}"
            ) from None
    with closing(Ledger(open_store(where))) as ledger:
        return here(ledger)
