"""Clauses that cannot matter are named, and what is named does not matter in any game that is tried."""

import os
import random
import re

import pytest
from click.testing import CliRunner
from game_variants import FAMILIES, changed, differ, has, variant_of

import tlsim
from tlsim.cli.rules import rules
from tlsim.errors import UsageError
from tlsim.rules import load_rules, moot, moot_here
from tlsim.rules.keypath import model_at, read_path

EXAMPLES = [
    ("luckywin", {"turn.direction": "clockwise"}, "turn.direction"),
    ("doithuong", {"lead.next": ["last_place"]}, "lead.next[0]"),
    ("luckywin", {"lead.next": ["winner", "last_place"]}, "lead.next[1]"),
    ("doithuong", {"thoi.payer": "last"}, "thoi.payer"),
    ("doithuong", {"thoi.receiver": "above_last"}, "thoi.receiver"),
    ("doithuong", {"toi_trang.instant_pay": 5}, "toi_trang.instant_pay"),
    ("luckywin", {"chop.after_pass": ["bon_doi_thong"]}, "chop.after_pass.bon_doi_thong"),
    ("luckywin", {"turn.pass_locks": False, "turn.pass_reset_on_chop": True}, "turn.pass_reset_on_chop"),
    ("luckywin", {"finish.on_two": "forbid", "finish.two_fine": 3}, "finish.two_fine"),
    ("luckywin", {"finish.double": ["nam_doi_thong"], "combinations.pair_run": False}, "finish.double.nam_doi_thong"),
    ("luckywin", {"chop.prices.ba_heo": 3}, "chop.prices.ba_heo"),
    ("luckywin", {"chop.by": {"sau_doi_thong": 1}}, "chop.by.sau_doi_thong"),
    ("luckywin", {"cong.payee": "to_each"}, "cong.payee"),
    ("sam_loc", {"cong.items_times": 2}, "cong.items_times"),
    ("luckywin", {"den_cong.min_opponents": 4}, "den_cong"),
    ("doithuong", {"ket_3_bich.window": "none"}, "ket_3_bich.block_payees"),
    ("sam_loc", {"den_bao.min_active": 5, "deal.max_players": 4}, "den_bao"),
    ("mien_bac", {"prices.ba_doi_thong": 9}, "prices.ba_doi_thong"),
    ("tong_thong", {"president.exchange": []}, "president.exchange_tie"),
]


@pytest.mark.parametrize(("preset", "changes", "path"), EXAMPLES, ids=[path for _, _, path in EXAMPLES])
def test_what_cannot_matter_is_named(preset, changes, path):
    assert path in dict(moot(load_rules(preset).replace(changes)))


def test_who_has_passed_is_asked_after_a_chop_of_the_last_3_bich():
    """A quad of 3s may be a kết 3 bích; a bomb that chops it may let all back in before the block is paid (D1, I2)."""
    at_table = {"turn.pass_locks": False, "turn.pass_reset_on_chop": True, "ket_3_bich.single_only": False}
    for payees, named in (("active", True), ("not_passed", False)):
        rules = load_rules("doithuong").replace(at_table | {"ket_3_bich.block_payees": payees})
        assert ("turn.pass_reset_on_chop" in dict(moot(rules))) is named


def test_a_file_is_told_of_its_own_clauses_alone(tmp_path):
    file = tmp_path / "ours.toml"
    pattern = '[[toi_trang.add]]\nid = "p"\ncount_heo = true\nall_of = [{kind = "holds", cards = "3S"}]\n'
    own = 'set."cong.payee" = "to_each"\nset."cong.fine" = 3\nset."thoi.ba_bich" = 1\n'
    file.write_text(f'extends = "luckywin"\n{own}{pattern}', encoding="utf-8")
    assert "thoi.payer" in dict(moot(load_rules(file)))  # of luckywin
    assert [path for path, _ in moot_here(load_rules(file))] == ["toi_trang.regular[p].count_heo", "cong.payee"]


def check(file):
    done = CliRunner().invoke(rules, ["check", str(file)])
    return done.exit_code, done.output


def test_rules_check_says_so(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('extends = "luckywin"\nset."cong.payee" = "to_each"\n', encoding="utf-8")
    status, out = check(file)
    assert status == 0
    assert "cong.payee: cannot matter: cong.method is 'per_player': everybody pays for himself" in out
    file.write_text('extends = "luckywin"\nset."finish.on_two" = "counts_last"\nend_condition = "first_out"\n', "utf-8")
    status, out = check(file)
    assert status == 1
    assert "finish.on_two = 'counts_last': needs a game that goes on to the last" in out
    file.write_text('extends = "luckywin_points"\n[den_bao]\nmin_active = 3\nrequires_effect = false\n', "utf-8")
    status, out = check(file)
    assert status == 1
    assert "count_cards: is needed by den_bao, or place_transfers" in out


@pytest.mark.parametrize("preset", tlsim.list_rules())
def test_what_games_refuse_check_refuses(preset):
    assert load_rules(preset).unplayable() == []


def other_value(rules, path, family, rng):
    """Rules in which a clause that cannot matter says something else; None where it can say nothing else."""
    key = next((key for key in family.parameters if path == key or path.startswith((f"{key}.", f"{key}["))), None)
    if key is None:
        return None
    value = family.parameters[key](rng)
    if path != key:  # one entry of a list: it is gone
        kept = list(_value(rules, key))
        at = path[len(key) :].strip(".[]")
        kept = [word for number, word in enumerate(kept) if at not in (word, str(number))]
        value = kept or None
    try:
        other = changed(rules, {key: value}, family) if value is not None else None
    except (UsageError, AttributeError):
        return None
    return other if (other is not None and path in dict(moot(other))) or path != key else None


def _value(rules, key):
    at = rules
    for part in key.split("."):
        at = getattr(at, part)
    return at


SEATS_AFFAIR = {"toi_trang.declare"}  # who declares is theirs
NOT_TRIED = {  # by deals that no match of these rules has: cards left out, rows of cóng that nobody can have
    "lead.opening_fallback", "lead.cong_streak",
}  # fmt: skip


def search(family, number, seed):
    """Change what is named, under variants of presets; return how many changes were tried, by clause."""
    tried = {}
    for at in range(number):
        name, rng = family.presets[at % len(family.presets)], random.Random(f"{seed} {at}")
        rules, changes = variant_of(rng, name, family)
        for path, why in moot(rules):
            other = other_value(rules, path, family, rng)
            if path in NOT_TRIED or other is None or other.digest == rules.digest or tried.get(path, 0) > number // 4:
                continue
            assert not differ(rules, other, name, family), f"{name} {changes}: {path} matters, though {why}"
            tried[path] = tried.get(path, 0) + 1
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_what_is_named_matters_in_no_game(name, capsys):
    """The search of `make slow`: TLSIM_MOOT_VARIANTS variants of each family, every clause that is named changed."""
    tried = search(FAMILIES[name], int(os.environ.get("TLSIM_MOOT_VARIANTS", "200")), "moot")
    with capsys.disabled():
        told = ", ".join(f"{path} {times}" for path, times in sorted(tried.items()))
        print(f"\n{name}: {sum(tried.values())} changes of clauses named as moot, no game differs: {told}")  # noqa: T201
    assert tried


# Every value of every parameter: some game goes otherwise for it, or it is refused, or named.


def values_of(key, family):
    """The values that a parameter is given: all that its words allow, else some that are drawn."""
    annotation = str(model_at({}, read_path(key)[:-1]).model_fields[read_path(key)[-1]].annotation)
    words = re.findall(r"'(\w+)'", annotation.partition("Literal")[2].partition("]")[0])
    if words and "tuple" not in annotation:
        return words
    rng, found = random.Random(key), []
    for _ in range(12):
        value = family.parameters[key](rng)
        if value not in found:
            found.append(value)
    return found[:3]


def fate(key, value, family, tries):
    """Whether some game differs where a parameter alone takes a value; else whether that was refused or named.

    "nothing": it was accepted, and neither was it named nor did a game differ.
    """
    named = silent = at = 0
    while silent < tries and at < 10 * tries:
        rng, name, at = random.Random(f"{key} {value} {at}"), family.presets[at % len(family.presets)], at + 1
        rules, _ = variant_of(rng, name, family)
        other = changed(rules, {key: value}, family) if has(rules, key) else None
        if other is None or other.unplayable() or other.digest == rules.digest:
            continue
        paths = [path for each in (rules, other) for path, _ in moot(each)]
        if any(path == key or path.startswith(f"{key}.") or key.startswith(f"{path}.") for path in paths):
            named += 1
        elif differ(rules, other, name, family):
            return "matters"
        else:
            silent += 1
    return "nothing" if silent else "named" if named else "refused"


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_every_value_matters_or_is_refused_or_named(name, capsys):
    """A search of `make slow`; TLSIM_MOOT_TRIES: variants in which no game differs, until a value does nothing."""
    family, tries = FAMILIES[name], int(os.environ.get("TLSIM_MOOT_TRIES", "100"))
    found = {
        f"{key} = {value}": fate(key, value, family, tries)
        for key in family.parameters
        if key not in SEATS_AFFAIR
        for value in values_of(key, family)
    }
    with capsys.disabled():
        counts = {word: sum(fate_ == word for fate_ in found.values()) for word in ("matters", "named", "refused")}
        print(f"\n{name}: {len(found)} values: {counts}")  # noqa: T201
    assert [text for text, fate_ in found.items() if fate_ == "nothing"] == []
