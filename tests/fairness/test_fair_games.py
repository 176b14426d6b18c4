"""The parts of what is asked about whole games, as questions that a store can keep and give back."""

import pytest

import tlsim
from tlsim.engine.packed import pack, unpack
from tlsim.engine.paired import TogetherTally, TogetherWork
from tlsim.engine.store import StoreError
from tlsim.errors import UsageError
from tlsim.fairness.plays import VIEWS_OF, parts_of
from tlsim.fairness.sample import SampleWork
from tlsim.fairness.views import PLAYED_VIEWS
from tlsim.questions.fair import Fair, FairGames
from tlsim.questions.how import How, outcome_of, run, spoken_headline
from tlsim.questions.kept import list_runs, merge_stores, stored_result

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
    assert [table.view.name for table in page.tables] == ["prices", "pairs", "summary", "notions", "verdicts"]
    assert not any("simulated games" in note for note in page.notes)


# --- kept, shared out, interrupted ---

FAIR = {"rules": "luckywin", "games": 2400, "policies": "lowest", "rake": 0.05, "seed": 3}


def rows_of(fairness):
    return {view.name: fairness.rows(view.name) for view in PLAYED_VIEWS}


def fair(**how):
    return rows_of(tlsim.payout_fairness(**FAIR, **how))


@pytest.fixture(scope="module")
def tables():
    return fair()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "runs.db"


def test_prices_are_the_same_on_any_number_of_threads(tables):
    assert fair(threads=1) == tables


def test_parts_are_runs_of_their_own(tables, file):
    assert fair(store=file) == tables
    rows = {row["label"]: row for row in list_runs(file)}
    parts = parts_of(tlsim.load_rules("luckywin"))
    assert list(rows) == sorted(f"fair luckywin, {name}" for name in parts)
    assert {row["stopped"] for row in rows.values()} == {"size"}
    assert [rows[f"fair luckywin, {name}"]["done"] for name in ("games", "sample", "leading", "skill")] == [
        2400, 2400, 4 * 600, 8 * 600,
    ]  # fmt: skip
    fairness = tlsim.payout_fairness(**FAIR, store=file)
    assert rows_of(fairness) == tables
    assert fairness.stopped == "stored"
    for name in parts:
        part = stored_result(file, f"fair luckywin, {name}")
        assert set(part.views) == set(VIEWS_OF[name])
        assert (part.complete, part.stopped) == (True, "stored")
        for view in part.views:
            shown = [{k: v for k, v in row.items() if k != "mean_after_rake"} for row in part.rows(view)]
            wanted = [{k: v for k, v in row.items() if k != "mean_after_rake"} for row in tables[view]]
            assert shown == wanted


def test_fewer_games_later_are_just_these(tables, file):
    """Parts hang together, so each gives the games that are asked for, not what else is stored."""
    more = tlsim.payout_fairness(**FAIR | {"games": 4800}, store=file)
    assert len({str(more.rows(view)) for view in ("items", "skill")}) == 2
    assert fair(store=file) == tables
    assert tlsim.payout_fairness(**FAIR | {"games": 4800}, store=file).rows("seats") == more.rows("seats")


def test_shards_of_prices(tables, tmp_path):
    files = [tmp_path / f"{number}.db" for number in (1, 2)]
    parts = [fair(store=tlsim.Keep(each, shard=(number + 1, 2))) for number, each in enumerate(files)]
    assert parts[0] != parts[1]
    merge_stores(tmp_path / "all.db", files)
    assert fair(store=tmp_path / "all.db") == tables


def interrupted(patch, work, blocks=3):
    """Interrupt a kind of work after so many blocks."""
    left, call = iter(range(blocks)), work.__call__

    def counted(self, block, stop=None):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return call(self, block, stop)

    patch.setattr(work, "__call__", counted)


@pytest.mark.parametrize("view", ["skill", "direction", "leading", "ket_3_bich"])
def test_an_interrupted_part_has_the_same_deals_from_every_seat(view, monkeypatch):
    asked = {"rules": "doithuong", "games": 40_000, "policies": "lowest", "seed": 3, "threads": 1}
    with monkeypatch.context() as patch:
        interrupted(patch, TogetherWork)
        fairness = tlsim.payout_fairness(**asked)
        rows = fairness.rows(view)
    assert rows
    assert (fairness.complete, fairness.stopped) == (False, "interrupt")
    part = next(name for name, views in VIEWS_OF.items() if view in views)
    answer = fairness.played.answer(part)
    assert 0 < answer.games < 10_000
    assert {stats.games for stats in answer.found} == {answer.games}
    each = answer.games if part == "ket_3_bich" else 4 * answer.games
    assert tlsim.payout_fairness(**asked | {"games": each}).rows(view) == rows


def test_an_interrupted_sample_has_whole_matches(monkeypatch, tables):
    with monkeypatch.context() as patch:
        interrupted(patch, SampleWork)
        fairness = tlsim.payout_fairness(**FAIR, threads=1)
        rows = fairness.rows("risks")
    games = fairness.played.sample.games
    assert 0 < games < 2400
    assert games % 12 == 0
    assert rows == tlsim.payout_fairness(**FAIR | {"games": games}).rows("risks") != tables["risks"]


@pytest.mark.parametrize(("work", "there"), [(TogetherWork, ["items"]), (SampleWork, ["items", "risks"])])
def test_a_page_has_what_there_is_after_an_interrupt(work, there, monkeypatch):
    with monkeypatch.context() as patch:
        interrupted(patch, work)
        fairness = tlsim.payout_fairness(**FAIR | {"games": 12_000}, threads=1)
        page = fairness.page("fair", "en")
    assert isinstance(fairness.ended, KeyboardInterrupt)
    assert not page.complete
    assert [table.view.name for table in page.tables][5:] == ["verdicts", *there]
    assert {row["list"] for table in page.tables if table.view.name == "verdicts" for row in table.rows} == {
        "regular", "opening",
    }  # fmt: skip
    assert not any("simulated games" in note for note in page.notes)
    assert page.provenance["games"] == fairness.played.stats.games
    assert (page.provenance["games"] < 12_000) is (work is TogetherWork)  # what was played, not what was asked for


def test_no_time_at_all_still_gives_every_table():
    fairness = tlsim.payout_fairness(**FAIR | {"games": 10**8}, until=tlsim.Until(max_time=0.001))
    found = rows_of(fairness)
    assert all(found[view] for view in found if view not in {"ket_3_bich", "declaring"})  # luckywin has neither
    assert (fairness.stopped, fairness.complete) == ("time", True)
    assert fairness.game_verdicts
    played = fairness.page("fair", "en").provenance["games"]
    assert 0 < played == fairness.played.stats.games < 10**8


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"until": tlsim.Until(rel_error=0.1)}, "fairness asks several questions, which no one error ends"),
        ({"until": 60}, "until = 60: must be a tlsim.Until"),
        ({"games": 0, "store": "runs.db"}, "games = 0: there is nothing to keep"),
        ({"executor": "cloud"}, "executor = 'cloud': must be None or"),
    ],
)
def test_what_prices_refuse(more, said):
    with pytest.raises(UsageError, match=said):
        tlsim.payout_fairness(**FAIR | more).rows("seats")


def test_a_kept_part_under_other_rules_is_refused(file):
    fair(store=file)
    rules = tlsim.load_rules("luckywin").replace("cong.fine", 7)
    with pytest.raises(StoreError, match=r"label 'fair luckywin, games': rules\.cong\.fine is"):
        tlsim.payout_fairness(**FAIR | {"rules": rules}, store=file).rows("items")


def test_runs_together_are_the_runs_alone():
    answer = run(FairGames("luckywin", "leading", 4 * 3000, 4, "lowest", seed=1), QUIET)
    for leader, stats in enumerate(answer.found):
        alone = tlsim.simulate("luckywin", games=3000, policies="lowest", seed=1, leader=leader)
        assert (stats.tally, stats.matches) == (alone.tally, 3000)


def test_tallies_of_several_runs_as_bytes():
    asked = FairGames("luckywin", "leading", 96, 4, "lowest", seed=1)
    tally = outcome_of(asked, QUIET).tally
    again = unpack(pack(tally), asked.work().zero())
    assert isinstance(again, TogetherTally)
    assert again.tallies == tally.tallies
    assert all(found.batches.any() for found in again.tallies)
