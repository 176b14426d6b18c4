"""What a user holds: frozen results with their provenance, as tables, pictures and numbers.

Every result has ``rows()``-like methods that give plain values, and ``to_frame()`` that makes a tidy pandas frame of
them. Ids and column names are the same in every language; only what people read (`_repr_html_`, `plot`) is translated.
"""
