"""The service: studies over HTTP, for pages and programs."""

from duelli.live.service.app import make_app
from duelli.live.service.server import serve

__all__ = ["make_app", "serve"]
