"""The contract of a question, held by every one of them: a value, its JSON, its work, its result, its kept run."""

import csv
import importlib
import inspect
import io
import json
import pickle
import pkgutil
import re
from dataclasses import FrozenInstanceError, fields, replace

import pytest

import tlsim
import tlsim.questions
from tlsim.engine.packed import pack, unpack
from tlsim.engine.run import Outcome
from tlsim.engine.work import Block
from tlsim.questions.advise import Advise
from tlsim.questions.event import Event
from tlsim.questions.fair import Fair, FairGames
from tlsim.questions.games import Games, GamesInFiles, Money
from tlsim.questions.hand import Declare, Hand
from tlsim.questions.how import How, quantity, run, spoken_headline, unit_of
from tlsim.questions.kept import KINDS, list_runs, merge_stores, stored_result
from tlsim.questions.odds import ListOdds, Odds
from tlsim.questions.playing import Played, Replayed
from tlsim.questions.question import Question
from tlsim.questions.report import Reporting
from tlsim.questions.review import Review
from tlsim.questions.train import Train
from tlsim.show import Asked, rendered
from tlsim.terms import term

PLAIN = "3S 4D 5H 5C 7H 8D 9D 9S JH QS KC AC 2H"
SAM = "2S 2C 2H AS AC 9D 9S 9H 5S 5H"
LOW = {"policies": "lowest", "seed": 5}
GAME = ("rules luckywin", "players An Bình", "game leader An",
        "An 3♠ 3♣; An 4♠ 4♣; An 5♠ 5♣; An 6♠ 6♣; An 7♦ 8♠ 9♠ 10♠ J♦",
        "left Bình 3♦ 3♥ 4♦ 4♥ 5♦ 5♥ 6♦ 6♥ 7♠ 8♦ 9♦ 10♦ J♠")  # fmt: skip
DEAL = {"hands": [["3S", "3C"], ["2S"], [], []], "leader": 1}

RUNS = {
    "odds": Odds("zing", 9000, 2, opening=True, seed=3),
    "odds of known cards": Odds("doithuong", 3000, holding="2S 2H", dead="3S"),
    "event": Event("faulty:has_two_of_hearts", 9000, seed=3),
    "games": Games("luckywin", 240, policies="smart[hold_3s=1],lowest,random,smart", seed=5),
    "games of Sâm": Games("sam_loc", 120, players=5, policies="smart[sam=1],smart,smart,smart,smart"),
    "games for titles": Games("tong_thong", 40, policies="smart", match_length=2),
    "games of a pattern": Games("luckywin", 60, **LOW, hands={1: "tu_quy_2", 0: "3S 3C"}, leader=0),
    "games of given deals": Games("luckywin", 60, **LOW, deals=[DEAL]),
    "played": Played("hue", 12, **LOW),
    "hand": Hand(PLAIN, "luckywin", games=64, **LOW),
    "hand of Sâm": Hand(SAM, "sam_loc", games=64, **LOW, players=3, dead="3S"),
    "hands of a pattern": Hand("tu_quy_2", "doithuong", games=64, distance=1, **LOW),
    "declared pattern": Declare("doithuong", pattern="sanh_rong", games=64, distance=0, **LOW),
    "money": Money("luckywin", 2400, **LOW),
    "money of players": Money("luckywin", 2400, rotate=True, **LOW),
    "review": Review(GAME, policies="lowest", games=64, seed=5),
    **{f"fair, {play}": FairGames("doithuong", play, 96, **LOW)
       for play in ("games", "sample", "ket_3_bich", "leading", "skill")},
}  # fmt: skip
OTHERS = {
    "exact": ListOdds("zing", 2, opening=True, holding="3S"),
    "declare": Declare("doithuong", games=64, distance=0, **LOW),
    "fair": Fair("luckywin", rake=0.05, games=48, **LOW),
    "replayed": Replayed("luckywin", seed=3, match=1, game=2),
    "in files": GamesInFiles(Games("luckywin", 12), "folder"),
    "advise": Advise("luckywin", PLAIN, "3 3D", games=64),
    "train": Train("luckywin", rounds=0, answers=2_000, games=12),
    "report": Reporting("luckywin", games=48, policies="lowest"),
}
every_run = pytest.mark.parametrize("question", RUNS.values(), ids=RUNS)
every_question = pytest.mark.parametrize("question", [*RUNS.values(), *OTHERS.values()], ids=[*RUNS, *OTHERS])
every_language = pytest.mark.parametrize("lang", ["vi", "en"])
QUIET = {"threads": 1, "progress": lambda *_: None}


def kinds_of(kind):
    """Return the questions that are declared below one."""
    found = {each for below in kind.__subclasses__() for each in (below, *kinds_of(below))}
    return {each for each in found if "command" in dir(each)}


def test_these_are_all():
    for module in pkgutil.iter_modules(tlsim.questions.__path__):
        importlib.import_module(f"tlsim.questions.{module.name}")
    concrete = {each for each in kinds_of(Question) if not kinds_of(each) or each in {Games, Hand}}
    assert {type(each) for each in (*RUNS.values(), *OTHERS.values())} == concrete
    assert {type(each) for each in RUNS.values()} - {Played} == set(KINDS)


# A value


@every_question
def test_it_is_a_value(question):
    with pytest.raises(FrozenInstanceError):
        question.seed = 9
    assert all(not isinstance(getattr(question, f.name), list | dict) for f in fields(question))


@every_question
def test_its_fields_are_options_or_its_own(question):
    """What is no option is set by the command or the store, by name alone."""
    options = question.options()
    own = {f.name for f in fields(question) if f.name not in options}
    assert own <= {"part", "given", "compiled", "play", "origin", "asked", "folder", "position", "stages", "chosen",
                   "named", "fairs", "error", "decisions", "lines", "beside"}  # fmt: skip
    assert all(name == option.name for name, option in options.items())


@pytest.mark.parametrize("question", [each for each in (*RUNS.values(), *OTHERS.values()) if type(each) is not Event])
def test_what_is_settled_stays_as_it_is(question):
    again = replace(question)
    assert [getattr(again, f.name) for f in fields(again)] == [getattr(question, f.name) for f in fields(question)]


@pytest.mark.parametrize(("question", "name"), [
    (each, name) for each in (*RUNS.values(), *OTHERS.values()) for name, option in each.options().items()
    if option.default is not None
])  # fmt: skip
def test_nothing_is_no_value_of_an_option(question, name):
    """Where the default is a value, None is refused, and the message names the field."""
    if type(question) is Event and name == "predicate":
        pytest.skip("a predicate is known by its place")
    changed = {"predicate": "faulty:has_two_of_hearts"} if type(question) is Event else {}
    with pytest.raises(tlsim.UsageError) as caught:
        replace(question, **changed, **{name: None})
    assert name in str(caught.value) or "rule set" in str(caught.value) or "polic" in str(caught.value)


# Its JSON form


def again_of(question):
    """Return a question read back, as a store does: so much being asked for as was wanted."""
    text = json.dumps(question.to_json(), allow_nan=False)
    kept = json.loads(text)
    assert (kept["command"], kept["each"]) == (question.command, question.each)
    return type(question).from_json(kept | {question.size: question.wanted * question.each})


@every_run
def test_from_its_json_it_is_the_same(question):
    again = again_of(question)
    if type(question) is Event:  # whose predicate may be out of reach: enough of it to show its result
        assert (again.predicate, again.deals, again.hand_size, again.seed) == ("has_two_of_hearts", 9000, 13, 3)
        return
    assert (again.wanted, again.each, again.label) == (question.wanted, question.each, question.label)
    assert again.identity() == question.identity()
    assert again.provenance() == question.provenance()


@pytest.mark.parametrize("question", [OTHERS[name] for name in ("exact", "declare", "fair")])
def test_several_questions_from_their_json(question):
    again = type(question).from_json(json.loads(json.dumps(question.to_json())))
    assert again.provenance() == question.provenance()
    assert [part.identity() for part in again.parts() if again.parts() != (again,)] == [
        part.identity() for part in question.parts() if question.parts() != (question,)
    ]


@every_run
def test_its_identity_is_what_changes_the_answer(question):
    """The seed is in it, the size is not; it is JSON."""
    identity = question.identity()
    assert json.loads(json.dumps(identity)) == identity
    assert identity["version"] == tlsim.__version__
    named = {"predicate": "faulty:has_two_of_hearts"} if type(question) is Event else {}
    assert replace(question, **named, **{question.size: 960}).identity() == identity
    assert replace(question, **named, seed=question.seed + 1).identity() != identity


@every_question
def test_its_label_is_one_line_that_names_the_rules(question):
    many = type(question) in {GamesInFiles, Reporting, Train}
    name = "has_two_of_hearts" if type(question) is Event else "" if many else question.rules.name
    assert name in question.label
    assert question.name.startswith(question.label)
    assert "\n" not in question.name


# Its work and its result


def blocks(question):
    """Return the work cut in two, and whole."""
    unit, wanted = unit_of(question), question.wanted
    first = min(unit, wanted - 1) if wanted <= unit else unit
    if wanted <= unit:  # one unit: it cannot be cut
        return [Block(0, wanted)], Block(0, wanted)
    return [Block(0, first), Block(1, wanted - first)], Block(0, wanted)


@every_run
def test_its_work_adds_up(question):
    work = question.work()
    parts, whole = blocks(question)
    tallies = [work(block) for block in parts]
    total = work(whole)
    assert pack(sum(tallies, start=work.zero())) == pack(total)  # not all tallies know what is equal
    assert pack(unpack(pack(total), work.zero())) == pack(total)
    assert pack(pickle.loads(pickle.dumps(work))(whole)) == pack(total)


def outcomes(question):
    """Return what there is at first, in between, and in the end."""
    work = question.work()
    parts, whole = blocks(question)
    return {
        "empty": Outcome(work.zero(), False, 0.0, "interrupt"),
        "partial": Outcome(work(parts[0]), False, 0.1, "interrupt"),
        "whole": Outcome(work(whole), True, 0.2, "size"),
    }


@pytest.fixture(scope="module")
def found():
    return {name: {key: question.result(each) for key, each in outcomes(question).items()}
            for name, question in RUNS.items()}  # fmt: skip


every_name = pytest.mark.parametrize("name", RUNS)


@every_name
def test_a_bar_and_a_stop_rule_can_look_at_it(found, name):
    question = RUNS[name]
    looked_at_one_by_one = name == "fair, sample"
    for result in found[name].values():
        for asked in filter(None, (question.headline, question.usual)):
            assert looked_at_one_by_one or len(quantity(result, asked)) == 2
        for lang in ("vi", "en"):
            said = spoken_headline(question, result, lang)
            assert "nan" not in said
            assert "None" not in said
    whole = spoken_headline(question, found[name]["whole"], "en")
    assert bool(whole) is not looked_at_one_by_one


@every_name
def test_its_result_says_what_it_rests_on(found, name):
    question, results = RUNS[name], found[name]
    assert [results[key].complete for key in ("empty", "partial", "whole")] == [False, False, True]
    assert [results[key].stopped for key in ("empty", "whole")] == ["interrupt", "size"]
    for result in results.values():
        about = result.about()
        assert json.loads(json.dumps(about, default=str))
        assert (about["version"], about["seed"]) == (tlsim.__version__, question.seed)


@every_name
def test_its_views_have_the_columns_that_they_declare(found, name):
    for result in found[name].values():
        for view in result.views:
            declared = set(result.view(view).keys)
            assert all(set(row) <= declared for row in result.rows(view)), view
            frame = result.to_frame(view)
            assert set(frame) <= declared
            assert len(frame) == len(result.rows(view))
        assert "<table>" in result._repr_html_() or not any(map(result.rows, result.views))
    assert any(found[name]["whole"].rows(view) for view in found[name]["whole"].views)


@every_language
@every_name
def test_its_page_shows_in_every_format(found, name, lang):
    for result in found[name].values():
        page = result.page("x", lang)
        text = {fmt: rendered(page, Asked(fmt, lang, stake=5000, view=("all",))) for fmt in ("table", "markdown")}
        narrow = rendered(page, Asked("table", lang, view=("all",)), 80)
        assert max(map(len, plain(narrow).splitlines())) <= 80
        assert all("None" not in each and "nan" not in each.split() for each in (*text.values(), narrow))
        assert all((term("partial", lang) in each) is not result.complete for each in text.values())
        document = json.loads(rendered(page, Asked("json", lang)))
        files = [table.view.name for table in page.tables if table.view.files]
        assert list(document["tables"]) == files
        assert document["complete"] is result.complete
        rows = list(csv.DictReader(io.StringIO(rendered(page, Asked("csv", lang)))))
        assert len(rows) == sum(map(len, document["tables"].values()))


def plain(text):
    from rich.text import Text

    return Text.from_ansi(text).plain


# Run and kept


@every_run
def test_what_was_kept_is_shown_again(question, tmp_path):
    if type(question) is Played:
        pytest.skip("it is written down, not kept")
    file = tmp_path / "runs.db"
    asked = replace(question, predicate="faulty:has_two_of_hearts") if type(question) is Event else question
    first = run(asked, How(store=file, **QUIET))
    (row,) = list_runs(file)
    assert (row["label"], row["command"], row["seed"]) == (question.name, question.command, question.seed)
    assert row["done"] == row["wanted"] >= question.wanted
    shown = stored_result(file)
    assert (shown.complete, shown.stopped) == (True, "stored" if type(question) is not Event else "size")
    assert shown.about() | {"stopped": ""} == first.about() | {"stopped": ""}
    for view in first.views:
        assert shown.rows(view) == first.rows(view)
    again = run(asked, How(store=file, **QUIET))
    assert again.stopped == "stored"
    assert [again.rows(view) for view in again.views] == [first.rows(view) for view in first.views]


@pytest.mark.parametrize("question", [each for each in RUNS.values() if type(each) is not Played])
def test_shards_make_the_run(question, tmp_path):
    if type(question) is Event:
        question = replace(question, predicate="faulty:has_two_of_hearts")
    whole = question.work()(Block(0, question.wanted))
    for number in (1, 2):
        run(question, How(store=tlsim.Keep(tmp_path / f"{number}.db", shard=(number, 2)), **QUIET))
    merge_stores(tmp_path / "all.db", [tmp_path / "1.db", tmp_path / "2.db"])
    found = run(question, How(store=tmp_path / "all.db", **QUIET))
    assert found.stopped == "stored"
    views = [found.rows(view) for view in found.views]
    plainly = question.result(Outcome(whole, True, 0.0, "stored"))
    assert views == [plainly.rows(view) for view in plainly.views]


def test_several_are_kept_part_by_part(tmp_path):
    file, asked = tmp_path / "runs.db", OTHERS["declare"]
    found = run(asked, How(store=tlsim.Keep(file, "mine"), **QUIET))
    assert [row["label"] for row in list_runs(file)] == sorted(f"mine, {each.entry.id}" for each in found.patterns)
    again = stored_result(file, "mine, tu_quy_2")
    assert again.rows() == [row for row in found.rows() if row["pattern"] == "tu_quy_2"]
    assert run(asked, How(store=tlsim.Keep(file, "mine"), **QUIET)).stopped == "stored"


# The public functions


FUNCTIONS = {
    tlsim.exact_odds: ListOdds, tlsim.estimate_odds: Odds, tlsim.estimate_event: Event, tlsim.simulate: Games,
    tlsim.write_games: Games, tlsim.hand_value: Hand, tlsim.worth_of_declaring: Declare, tlsim.mean_money: Money,
    tlsim.payout_fairness: Fair, tlsim.play: Played, tlsim.replay: Replayed,
}  # fmt: skip
NOT_RUN = {tlsim.exact_odds, tlsim.play, tlsim.replay}


@pytest.mark.parametrize(("function", "kind"), FUNCTIONS.items(), ids=lambda value: value.__name__)
def test_the_signature_is_made_of_the_options(function, kind):
    parameters = inspect.signature(function).parameters
    options = kind.options()
    how = [] if function in NOT_RUN else [f.name for f in fields(How)]
    own = ["folder"] if function is tlsim.write_games else []
    assert set(parameters) == {*own, *options, *how}
    for name, option in options.items():
        assert parameters[name].default == option.default
    for name in how:
        assert parameters[name].default is None
    by_name = {f.name for f in fields(kind) if f.kw_only and f.name in options} | ({"until", "store"} & set(how))
    assert {name for name, each in parameters.items() if each.kind is each.KEYWORD_ONLY} == by_name


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda value: value.__name__)
def test_the_documentation_names_every_parameter_and_what_comes_of_it(function):
    sections = re.split(r"\n\n(?=(?:Parameters|Returns|Raises|Examples)\n-+\n)", inspect.getdoc(function))
    titles = [section.partition("\n")[0] for section in sections[1:]]
    assert titles[:3] == ["Parameters", "Returns", "Raises"]
    named = re.findall(r"^(\w+)\n    \S", sections[1], re.MULTILINE)
    assert named == list(inspect.signature(function).parameters)
    assert sections[2].splitlines()[2] == inspect.unwrap(function).__annotations__["return"]
    raised = re.findall(r"^(\w+)\n    \S", sections[3], re.MULTILINE)
    assert set(raised) - {"RunError", "RulesError"} == {"UsageError"}
    assert ("RunError" in raised) is (function not in NOT_RUN)


def test_a_wrong_word_is_refused_as_python_does():
    with pytest.raises(TypeError, match="gmes"):
        tlsim.simulate("luckywin", gmes=12)
    with pytest.raises(TypeError):
        tlsim.exact_odds("zing", 2, threads=1)
