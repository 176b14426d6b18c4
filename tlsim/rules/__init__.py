"""Rule sets as data: TOML files, their schema, and the validated `Rules`.

A rule file says what it changes. ``tlsim rules show NAME`` prints everything that can be said::

    extends = "doithuong"            # a preset, or "file.toml" beside this file
    name = "quan-ba-tam"             # default: the file's name
    label = "Quán bà Tám"
    set."cong.fine" = 20             # one clause, by key path; patterns by id: "toi_trang.regular[sau_doi].pays"
    ket_3_bich = false               # a whole table of rules, switched off
    toi_trang.remove = ["tu_quy_2"]  # patterns by id
    [prices]                         # a table lies over its parent's, key by key; a list replaces
    tu_quy = 10
    [[toi_trang.add]]                # a pattern of one's own
    id = "nam_doi_mot_sam"
    all_of = [{kind = "groups", size = 2, count = 6}, {kind = "groups", size = 3, count = 1}]
    pays = 3                         # default: toi_trang.instant_pay
    above = "sau_doi"                # or below; default: the weakest
    list = "regular"                 # or "opening" or "both"
    [sources]
    "cong.fine" = "so we agreed"     # shown behind the clause
"""

from tlsim.rules.load import list_rules, load_rules, rules_of_text
from tlsim.rules.moot import moot, moot_here
from tlsim.rules.ruleset import InstantWin, Rules, parse_setting

__all__ = ["InstantWin", "Rules", "list_rules", "load_rules", "moot", "moot_here", "parse_setting", "rules_of_text"]
