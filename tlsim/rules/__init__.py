"""Rule sets as data: TOML files, their schema, and the validated `Rules`."""

from tlsim.rules.files import list_rules
from tlsim.rules.load import load_rules
from tlsim.rules.ruleset import InstantWin, Rules, parse_setting

__all__ = ["InstantWin", "Rules", "list_rules", "load_rules", "parse_setting"]
