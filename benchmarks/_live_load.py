"""Clients that ask and answer over HTTP as fast as they can, in a process of their own.

``python benchmarks/_live_load.py PORT STUDY CONNECTIONS SECONDS`` prints one JSON line: the pairs
that were finished, and the times of the tells. Requests are written to sockets as they are, so that
the clients take as little as possible of the cores that the server needs.
"""

import asyncio
import json
import sys
import time
from typing import Any


class Load:
    """So many connections to one server, each of which answers one pair after the other."""

    def __init__(self, port: int, study: str, seconds: float) -> None:
        self._port, self._study, self._seconds = port, study, seconds
        self.tells: list[float] = []  # seconds
        self.waits = 0
        self.others: dict[str, int] = {}
        self._until = 0.0

    async def run(self, connections: int) -> dict[str, Any]:
        """Play, and return what was measured."""
        self._until = time.perf_counter() + self._seconds
        started = time.perf_counter()
        await asyncio.gather(*(self._play(k) for k in range(connections)))
        took = time.perf_counter() - started
        return {
            "pairs": len(self.tells),
            "seconds": took,
            "p50_ms": 1e3 * quantile(self.tells, 0.5),
            "p99_ms": 1e3 * quantile(self.tells, 0.99),
            "waits": self.waits,
            "others": self.others,
        }

    async def _play(self, k: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        ask, number = self._request("ask", json.dumps({"client": f"client{k}"})), 0
        while time.perf_counter() < self._until:
            code, pair = await _sent(reader, writer, ask)
            if code == 204:
                self.waits += 1
                await asyncio.sleep(0.002)
                continue
            if "duel" not in pair:
                break
            number += 1
            winner = "left" if (number * 7 + k) % 3 else "right"
            body = {"duel": pair["duel"], "ticket": pair["ticket"], "winner": winner}
            begun = time.perf_counter()
            key = f"Idempotency-Key: {k}-{begun}\r\n"
            code, said = await _sent(reader, writer, self._request("tell", json.dumps(body), key))
            if said.get("status") == "accepted":
                self.tells.append(time.perf_counter() - begun)
            else:
                what = f"{code} {said.get('status')}"
                self.others[what] = self.others.get(what, 0) + 1
        writer.close()

    def _request(self, what: str, body: str, more: str = "") -> bytes:
        return (
            f"POST /v1/studies/{self._study}/{what} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode()


async def _sent(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> tuple[int, dict[str, Any]]:
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    code = int(head[9:12])
    place = head.lower().find(b"content-length:")
    length = int(head[place + 15 : head.index(b"\r", place)]) if place > 0 else 0
    return code, json.loads(await reader.readexactly(length)) if length else {}


def quantile(values: list[float], share: float) -> float:
    """Return a quantile; nan of nothing."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    port, study, connections, seconds = sys.argv[1:5]
    load = Load(int(port), study, float(seconds))
    try:
        import uvloop as loop
    except ImportError:
        loop = asyncio  # type: ignore[misc]
    print(json.dumps(loop.run(load.run(int(connections)))))


if __name__ == "__main__":
    main()
