"""The one renderer: numbers and words by language, tables that fit, CSV, JSON, Markdown, HTML."""

from tlsim.show.page import Asked, Note, Page, as_html, rendered, show

__all__ = ["Asked", "Note", "Page", "as_html", "rendered", "show"]
