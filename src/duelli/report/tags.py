"""Tags: HTML elements with escaped text."""

from html import escape


def tag(name: str, text: str = "", *parts: str, **attributes: str) -> str:
    """Return an element with escaped text, then parts that are HTML already."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{named}>{escape(text)}{''.join(parts)}</{name}>"
