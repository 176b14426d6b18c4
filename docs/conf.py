"""How the documentation is built: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from tlsim.version import __version__

project = "tlsim"
author = "The tlsim maintainers"
copyright = author  # noqa: A001 (the name that Sphinx gives it)
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "reference"]
exclude_patterns = ["_generated", "_ext"]
default_role = "py:obj"
smartquotes = False  # "--seed" stays two hyphens

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_title = f"tlsim {__version__}"
html_copy_source = False
html_show_copyright = False

myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks are committed with what they show

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc has the parameters; signatures have the types
numpydoc_show_class_members = False
numpydoc_validation_checks: set[str] = set()
