"""Whatever a file may be, the answer is a clear message."""

import os
import time
from pathlib import Path

import pytest

from tlsim.errors import RulesError, UsageError
from tlsim.rules import load_rules

MINIMAL = 'extends = "zing"\nname = "x"\n'


def fault_of(tmp_path, content):
    path = tmp_path / "rules.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    (fault,) = caught.value.faults
    assert caught.value.file == str(path)
    assert "Traceback" not in str(caught.value)
    return str(fault)


@pytest.mark.parametrize(
    ("text", "name"),
    [("miền bắc", "mien_bac"), ("Đà Nẵng", "da_nang"), ("HUẾ", "hue"), ("Sâm lốc", "sam_loc"),
     ("Tổng Thống", "tong_thong"), ("tiến lên đổi thưởng", "doithuong"), ("Tiến lên kiểu Huế", "hue")],
)  # fmt: skip
def test_a_preset_has_its_vietnamese_names(text, name, tmp_path, monkeypatch):
    """A file of that name comes first."""
    assert load_rules(text) is load_rules(name)
    monkeypatch.chdir(tmp_path)
    Path(text).write_text('extends = "zing"\nname = "own"\n', encoding="utf-8")
    assert load_rules(text).name == "own"


def test_not_toml_names_line_and_column(tmp_path):
    assert "at line 2, column" in fault_of(tmp_path, 'extends = "zing"\nname = = 3\n')


def test_empty(tmp_path):
    for content in ("", "\n\n# nothing\n", "\ufeff"):
        assert "is empty" in fault_of(tmp_path, content)


def test_a_comma_in_a_number_is_told(tmp_path):
    told = "(at line 2, column 20); a number has a point, such as 2.5"
    assert told in fault_of(tmp_path, 'extends = "zing"\nset."cong.fine" = 2,5\n')
    assert "a point" not in fault_of(tmp_path, 'extends = "zing"\nset."cong.fine" = 2 5\n')


def test_not_utf8_names_the_line(tmp_path):
    assert "is not UTF-8 text (line 2," in fault_of(tmp_path, b'extends = "zing"\nlabel = "Qu\xe1n"\n')


def test_utf16(tmp_path):
    assert "is UTF-16 text; save it as UTF-8" in fault_of(tmp_path, MINIMAL.encode("utf-16"))


def test_binary(tmp_path):
    assert "zero bytes" in fault_of(tmp_path, b"\x7fELF\x02\x01\x01\x00\x00\x00" * 100)


def test_a_byte_order_mark_is_tolerated(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xef\xbb\xbf" + MINIMAL.encode())
    assert load_rules(path).name == "x"


def test_windows_line_ends_are_tolerated(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_bytes(MINIMAL.replace("\n", "\r\n").encode())
    assert load_rules(path).name == "x"


def test_huge(tmp_path):
    assert "larger than 1 MiB" in fault_of(tmp_path, MINIMAL + "#" * 2**20)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")  # noqa: PTH110
def test_a_file_without_end():
    with pytest.raises(RulesError, match="larger than 1 MiB"):
        load_rules("/dev/zero")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 20_000 + "]" * 20_000,
        "x = " + "{a = " * 5_000 + "1" + "}" * 5_000,
        "x = " + "[" * 100 + "]" * 100,
        MINIMAL + 'set."cong.fine" = ' + "{a = " * 60 + "1" + "}" * 60,
        MINIMAL + "set." + ".".join("a" * 1 for _ in range(60)) + " = 1",
        "[" + ".".join(["a"] * 50_000) + "]",
        ".".join(["a"] * 300_000) + " = 1",
        "\n".join(f"k{n}.{'.'.join(['a'] * 60)} = 1" for n in range(5_000)),
    ],
    ids=["lists", "inline", "lists of 100", "set value", "set key", "header", "dotted key", "many dotted keys"],
)
def test_nested_too_deep(tmp_path, text):
    start = time.monotonic()
    message = fault_of(tmp_path, text)
    assert "nested" in message
    assert time.monotonic() - start < 20
    assert len(message) < 300


def test_a_setting_with_a_path_too_deep(tmp_path):
    path = '"' + ".".join(["a"] * 50) + '"'
    assert "no such key" in fault_of(tmp_path, f"{MINIMAL}set.{path} = 1")


def test_a_number_with_thousands_of_digits(tmp_path):
    assert "too many digits" in fault_of(tmp_path, f"{MINIMAL}match_length = {'9' * 5000}")


def test_a_huge_number_is_refused_as_a_value(tmp_path):
    assert "match_length = 9999" in fault_of(tmp_path, f"{MINIMAL}match_length = {'9' * 400}")
    assert "prices.heo_co = 9999" in fault_of(tmp_path, f"{MINIMAL}prices.heo_co = {'9' * 400}")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("doithong", "there is no rule set 'doithong'; did you mean 'doithuong'?"),
        ("SAM_LO", "did you mean 'sam_loc'?"),
        ("what", "there is no rule set 'what'; presets: da_nang, doithuong,"),
        ("nowhere/rules.toml", "there is no rule file 'nowhere/rules.toml'"),
        ("", "there is no rule set"),
        ("a\0b", "rule"),
        ("x" * 5000, "rule"),
    ],
)
def test_neither_preset_nor_file(name, message):
    with pytest.raises(UsageError) as caught:
        load_rules(name)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_misspelt_file_beside_the_right_one(tmp_path):
    (tmp_path / "quan.toml").write_text(MINIMAL)
    with pytest.raises(UsageError, match=r"did you mean 'quan\.toml'\?"):
        load_rules(tmp_path / "qaun.toml")


def test_a_folder(tmp_path):
    with pytest.raises(UsageError, match="is a folder"):
        load_rules(tmp_path)


def test_an_unreadable_file(tmp_path, monkeypatch):
    path = tmp_path / "rules.toml"
    path.write_text(MINIMAL)

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)  # a mode of 0 would not keep root out
    with pytest.raises(UsageError, match="cannot read rule file"):
        load_rules(path)


@pytest.mark.parametrize("value", [3, None, ["zing"], b"zing"])
def test_not_even_a_name(value):
    with pytest.raises(UsageError, match="must be a preset name or the path"):
        load_rules(value)


def test_rules_are_returned_as_they_are():
    rules = load_rules("zing")
    assert load_rules(rules) is rules
