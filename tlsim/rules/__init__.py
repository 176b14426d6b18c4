"""Rule sets as data: TOML files, their schema, and the validated `Rules`.

A rule file says what it changes; ``docs/howto/house_rule.md`` has one with everything that can be said.
"""

from tlsim.rules.load import list_rules, load_rules, rules_of_text
from tlsim.rules.moot import moot, moot_here
from tlsim.rules.ruleset import InstantWin, Rules, parse_setting

__all__ = ["InstantWin", "Rules", "list_rules", "load_rules", "moot", "moot_here", "parse_setting", "rules_of_text"]
