"""The parts of what is asked about whole games, as questions that a store can keep and give back."""

import pytest

import tlsim
from tlsim.errors import UsageError
from tlsim.fairness.plays import VIEWS_OF, parts_of
from tlsim.questions.bar import spoken_headline
from tlsim.questions.fair import Fair, FairGames
from tlsim.questions.question import How, run

QUIET = How(threads=1, progress=lambda *_: None)


def of(play, **more):
    return FairGames("doithuong", play, **{"games": 96, "policies": "lowest", "seed": 3} | more)


@pytest.mark.parametrize("play", VIEWS_OF)
def test_a_question_from_its_json_is_the_same(play):
    asked = of(play)
    kept = asked.to_json()
    again = FairGames.from_json(kept | {"games": asked.wanted * kept["each"]})
    assert (kept["command"], again.part) == ("fair", play)
    assert (again.wanted, again.each, again.identity()) == (asked.wanted, asked.each, asked.identity())


@pytest.mark.parametrize("play", VIEWS_OF)
def test_games_are_shared_by_those_who_see_the_same_deals(play):
    """96 games of matches of 12; led games are matches of one; 3♠ blocked is paid in four ways."""
    runs = {"games": 1, "sample": 1, "ket_3_bich": 4, "leading": 4, "skill": 8}[play]
    matches = {"leading": 96 // 4, "skill": 96 // 4 // 12}.get(play, 96 // 12)
    assert (of(play).wanted, of(play).each) == (matches, runs * (1 if play == "leading" else 12))


@pytest.mark.parametrize("play", VIEWS_OF)
def test_an_answer_has_the_views_of_its_part(play):
    found = run(of(play), QUIET)
    whole = tlsim.payout_fairness("doithuong", games=96, policies="lowest", seed=3)
    assert found.views == tuple(view.name for view in found.VIEWS if view.name in VIEWS_OF[play])
    for view in found.views:
        assert found.rows(view) == whole.rows(view)
        assert tuple(found.to_frame(view)) == found.view(view).keys
    page = found.page("runs show", "en")
    assert [table.view.name for table in page.tables] == list(found.views)
    assert page.provenance["seed"] == 3


def test_a_bar_shows_the_money_of_the_first_seat_and_nothing_of_single_games():
    games, sample = (run(of(play), QUIET) for play in ("games", "sample"))
    assert spoken_headline(of("games"), games, "en").startswith("seat 0 ")
    assert spoken_headline(of("sample"), sample, "en") == ""


def test_labels_in_stores():
    assert [part.name for part in Fair("luckywin").parts()] == [
        f"fair luckywin, {part}" for part in ("games", "sample", "leading", "skill")
    ]
    assert Fair("luckywin", games=0).parts() == []
    assert [part.play for part in Fair("doithuong").parts()] == list(parts_of(tlsim.load_rules("doithuong")))


def test_all_parts_played_at_once_are_those_played_one_by_one():
    asked = Fair("luckywin", opening=True, rake=0.05, games=48, policies="lowest")
    at_once, lazily = run(asked, QUIET), asked.judged(QUIET)
    for view in at_once.views:
        assert at_once.rows(view) == lazily.rows(view)
    assert at_once.rows("skill")[0]["mean_after_rake"] is not None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"play": "ket_3_bich"}, "play = 'ket_3_bich': must be one of games, sample, leading, skill"),
        ({"games": 0}, "games = 0: must be a whole number from 1"),
        ({"skill": "smart,smart"}, "has nothing to be better by"),
        ({"policies": "foo"}, "foo"),
    ],
)
def test_bad_parts(options, words):
    with pytest.raises(UsageError, match=words):
        FairGames("luckywin", **options)


def test_what_cannot_be_played_can_be_judged():
    rules = tlsim.load_rules("sam_loc").replace("end_condition", "last_one")
    fairness = tlsim.payout_fairness(rules, opening=False, games=12)
    page = fairness.page("fair", "en")
    assert "there is one winner" in fairness.unplayable
    assert fairness.ended is None
    assert page.complete
    assert [table.view.name for table in page.tables] == ["prices", "pairs", "summary", "verdicts"]
    assert not any("simulated games" in note for note in page.notes)
