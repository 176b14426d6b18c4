"""The one renderer: numbers and words by language, tables that fit, CSV, JSON, Markdown, HTML."""

from tlsim.show.page import FORMATS, Asked, Page, as_html, rendered, show

__all__ = ["FORMATS", "Asked", "Page", "as_html", "rendered", "show"]
