"""The report's parts: metrics read back, means and errors, scales, the page, the tables."""

from __future__ import annotations

import csv
import io
import math
import re
import statistics
from html.parser import HTMLParser
from pathlib import Path

import pytest

from geode import report as report_package
from geode.report.draw_curves import MOST, draw_curves
from geode.report.draw_effects import draw_effect
from geode.report.metrics import read_metrics, read_results
from geode.report.runs_to_files import columns_to_csv, columns_to_parquet, runs_to_columns
from geode.report.runs_to_report import Results, duration, runs_to_report
from geode.report.runs_to_table import Run, by_value, mean_text, runs_to_rows, sort_values, spread_of
from geode.report.svg import Scale, number, scale_over


def run(alpha: str, seed: int, goal: float | None, *, state: str = "done", updates: str = "ADAM-UPDATES") -> Run:
    """A run with a curve that falls to its goal."""
    end = 1.0 if goal is None else goal
    curve = tuple((float(t), end * (1 + 3 / (t + 1))) for t in range(20)) if state == "done" else ()
    made = {"toolchain": "gcc", "binary": "ab12"} if state != "missing" else {}
    point = {"ALPHA": alpha, "updates": updates}
    name = f"{alpha}-{seed}-{updates}"
    why = "status 1" if state == "failed" else ""
    return Run(name, point, seed, state, goal, why, "error: <b>&", 0.5, 1, {"best": goal}, made, curve)


RUNS = (
    run("0.1", 1, 4.0),
    run("0.1", 2, 6.0),
    run("0.1", 3, 8.0),
    run("0.01", 1, 1.0),
    run("0.01", 2, None, state="failed"),
    run("1e-3", 1, 3.0, updates="MUON-UPDATES"),
    run("1e-3", 2, None, state="missing", updates="MUON-UPDATES"),
)


def results(runs: tuple[Run, ...] = RUNS, name: str = "a <sweep>") -> Results:
    """A sweep's results."""
    settings = {"EPOCHS": "20"}
    return Results(
        name,
        "p.gs",
        "smallest center",
        "center",
        False,
        ("ALPHA", "updates"),
        runs,
        settings,
        {},
        {"graph": "00ff"},
        "geode x",
    )


def test_rows_have_mean_error_and_order() -> None:
    """Against the statistics module; a failed replicate is left out; larger first where larger is better."""
    rows = runs_to_rows(RUNS, largest=False)
    assert [row.point["ALPHA"] for row in rows] == ["0.01", "1e-3", "0.1"]
    assert [row.point["ALPHA"] for row in runs_to_rows(RUNS, largest=True)] == ["0.1", "1e-3", "0.01"]
    last = rows[-1]
    assert last.mean == statistics.mean([4, 6, 8])
    assert last.error == pytest.approx(statistics.stdev([4, 6, 8]) / math.sqrt(3), rel=1e-12)
    assert rows[0].error is None
    assert [mean_text(row) for row in rows] == ["1 (n = 1)", "3 (n = 1)", "6 ± 1.15 (n = 3)"]


def test_a_point_without_a_number_comes_last() -> None:
    """Whatever the direction."""
    runs = (run("0.5", 1, None), *RUNS)
    for largest in (False, True):
        assert runs_to_rows(runs, largest=largest)[-1].point["ALPHA"] == "0.5"


def test_values_of_an_axis_are_in_order() -> None:
    """Numbers by size, other values as they came."""
    assert sort_values(["0.1", "1e-3", "0.01"]) == ["1e-3", "0.01", "0.1"]
    assert sort_values(["b", "a"]) == ["b", "a"]
    found = by_value(runs_to_rows(RUNS, largest=False), "updates", ["MUON-UPDATES", "ADAM-UPDATES", "none"])
    assert {value: len(rows) for value, rows in found.items()} == {"MUON-UPDATES": 1, "ADAM-UPDATES": 2}


def test_spread_is_over_the_replicates() -> None:
    """Mean, least and largest at an epoch; a value that was not finite is left out."""
    row = runs_to_rows(RUNS, largest=True)[0]
    epoch, mean, least, largest = spread_of(row)[0]
    assert (epoch, mean, least, largest) == (0.0, 24.0, 16.0, 32.0)
    bad = Run("x", {}, 1, "done", 1.0, curve=((0.0, None), (1.0, 2.0)))
    assert spread_of(runs_to_rows([bad], largest=True)[0]) == [(1.0, 2.0, 2.0, 2.0)]


@pytest.mark.parametrize(
    ("low", "high", "log"), [(0, 1, False), (-3, 1e6, False), (1e-9, 3, True), (20000, 64000, True), (5, 5, False)]
)
def test_ticks_are_few_round_and_inside(low: float, high: float, log: bool) -> None:
    """Two to nine of them, ascending, and each mapped into the drawing."""
    scale = scale_over([low, high], 300.0, 10.0, log=log)
    ticks = scale.ticks()
    assert 1 < len(ticks) <= 9
    assert ticks == sorted(set(ticks))
    assert all(10.0 <= scale(tick) <= 300.0 for tick in ticks)
    assert all(len(f"{tick:.12g}".lstrip("-0.").replace("e", "").rstrip("0")) <= 5 for tick in ticks)


def test_scale_maps_ends_and_middle() -> None:
    """Linear and logarithmic."""
    assert [Scale(0, 10, 0, 100)(x) for x in (0, 5, 10)] == [0, 50, 100]
    assert [round(Scale(1, 100, 0, 100, log=True)(x), 9) for x in (1, 10, 100)] == [0, 50, 100]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (0, "0"),
        (21497.06, "21\u2009497"),
        (0.01, "0.01"),
        (-1.5, "−1.5"),
        (1e9, "10⁹"),
        (2.5e-7, "2.5·10⁻⁷"),
        (99999.96, "100\u2009000"),
    ],
)
def test_numbers_are_written_for_people(value: float | None, text: str) -> None:
    """Five digits, thin spaces, powers of ten."""
    assert number(value) == text


def test_durations() -> None:
    """Each with the unit that fits."""
    assert [duration(s) for s in (0.42, 12, 185, 7800)] == ["0.42 s", "12 s", "3 min 05 s", "2 h 10 min"]


class _Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "link", "img", "br"}:
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in self.open[-1:]:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_page_is_whole_and_fetches_nothing() -> None:
    """Well-formed, no address in it, every part there; a name or a log with mark-up is shown, not obeyed."""
    text = runs_to_report(results())
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.fetched == []
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    shown = "".join(page.text)
    for part in (
        "a <sweep>",
        "Learning curves",
        "Ranking",
        "Effect of each axis",
        "Settings and digests",
        "error: <b>&",
        "00ff",
        "geode x",
    ):
        assert part in shown, part
    assert "<b>&" not in text
    assert text.count('class="curve"') == 2 * 2 * 3  # three points that ended, on two kinds of axis, wide and narrow
    assert "prefers-color-scheme: dark" in text
    assert runs_to_report(results()) == text


def test_lines_join_points_that_differ_in_one_axis_alone() -> None:
    """Three step sizes with two optimizers: a line for each optimizer; a point that has no partner has none."""
    runs = [
        run(alpha, 1, goal, updates=u) for u, goal in (("ADAM-UPDATES", 1.0), ("SGD-UPDATES", 2.0)) for alpha in "123"
    ]
    runs.append(run("4", 1, 3.0, updates="MUON-UPDATES"))
    rows = runs_to_rows(runs, largest=False)
    numbers = {id(row): place for place, row in enumerate(rows)}
    drawing = draw_effect("ALPHA", by_value(rows, "ALPHA", "1234"), rows, numbers)
    lines = re.findall(r'class="alike" d="M([^"]*)"', drawing)
    assert [len(places.split("L")) for places in lines] == [3, 3]
    dots = set(re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawing))
    assert len(dots) == 7
    assert {tuple(place.split()) for places in lines for place in places.split("L")} < dots


def test_ranks_stand_at_the_ends_and_not_upon_one_another() -> None:
    """Five at the most, the best first, those at least a line apart."""
    runs = [run(str(k), 1, goal) for k, goal in enumerate((1.0, 1.001, 50.0, 100.0, 150.0, 200.0))]
    curves = draw_curves(runs_to_rows(runs, largest=False), "center")
    assert curves is not None
    wide = curves.svg.partition("</svg>")[0]
    linear = wide.partition('<g class="log">')[0]
    assert re.findall(r'class="rank">(\d+)<', linear) == ["1", "3", "4", "5"]


def _themes() -> dict[str, dict[str, str]]:
    """The colours of the style sheet: light, dark by the system, dark by the button."""
    text = (Path(report_package.__file__).parent / "templates" / "report.css").read_text(encoding="utf-8")
    blocks = re.findall(r"(:root[^{]*)\{([^}]*--paper[^}]*)\}", text)
    assert len(blocks) == 3
    names = ("light", "dark", "chosen dark")
    return {
        name: dict(re.findall(r"(--\w+): (#[0-9a-f]{6})", body)) for name, (_, body) in zip(names, blocks, strict=True)
    }


def _contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, by WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of their relative luminances."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_can_be_seen(theme: str) -> None:
    """Text has a contrast of at least 4.5 with all that it stands on, lines and dots of at least 3 with their card."""
    colours = _themes()[theme]
    for text in ("--ink", "--soft", "--bad", "--accent"):
        for ground in ("--paper", "--card", "--wash"):
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    marks = [name for name in colours if re.fullmatch(r"--[ks]\d|--none", name)]
    assert len(marks) == 17
    assert {
        name: _contrast(colours[name], colours["--card"])
        for name in marks
        if _contrast(colours[name], colours["--card"]) < 3
    } == {}


def test_both_ways_to_the_dark_are_one() -> None:
    """What the system asks for and what the button chooses."""
    themes = _themes()
    assert themes["dark"] == themes["chosen dark"]
    assert themes["dark"].keys() == themes["light"].keys()


def test_page_of_little_is_a_page_too() -> None:
    """One run without a number; one trial without axes; values that differ by powers of ten; curves beyond the most."""
    for runs in (
        (run("0.1", 1, None, state="failed"),),
        (Run("only", {}, 1, "done", 2.0),),
        (run("0.1", 1, 1e-3), run("0.2", 1, 1e9), run("0.3", 1, 5.0)),
        tuple(run(str(k), 1, float(k + 1)) for k in range(MOST + 5)),
        (run("0.1", 1, -2.0), run("0.2", 1, 0.0)),
    ):
        page = _Page()
        page.feed(runs_to_report(results(runs)))
        assert page.open == []


def test_diverging_curves_do_not_hide_the_others() -> None:
    """The linear axis ends where most curves do, and the page says so."""
    runs = [run(str(k), 1, float(k + 1)) for k in range(30)] + [run("99", 1, 1e12)]
    curves = draw_curves(runs_to_rows(runs, largest=False), "center")
    assert curves is not None
    assert "is cut off" in curves.note
    assert curves.log


def test_tables_hold_every_run() -> None:
    """CSV with all digits, axes as they are called, empty fields for what is missing."""
    columns = runs_to_columns(RUNS, ("ALPHA", "updates"), "center")
    rows = list(csv.DictReader(io.StringIO(columns_to_csv(columns))))
    assert len(rows) == len(RUNS)
    assert [row["state"] for row in rows] == [one.state for one in RUNS]
    assert (
        rows[3] | {"ALPHA": "0.01", "goal:center": "1.0", "SEED": "1", "last:best": "1.0", "toolchain": "gcc"}
        == rows[3]
    )
    assert rows[6]["goal:center"] == ""
    assert [float(row["ALPHA"]) for row in rows][:2] == [0.1, 0.1]


def test_parquet_is_the_same_table(tmp_path: Path) -> None:
    """Read back by pyarrow: the same columns with types."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    columns = runs_to_columns(RUNS, ("ALPHA", "updates"), "center")
    assert columns_to_parquet(columns, tmp_path / "t.parquet")
    table = parquet.read_table(tmp_path / "t.parquet")
    assert table.to_pydict() == columns
    assert str(table.schema.field("ALPHA").type) == "double"
    assert str(table.schema.field("SEED").type) == "uint64"


def test_metrics_end_at_a_line_that_was_cut(tmp_path: Path) -> None:
    """Lines before it stay; null is None; the header is apart."""
    path = tmp_path / "m.jsonl"
    path.write_text('{"program":"p","run":"ab"}\n{"epoch":0,"best":null}\n{"epoch":1,"best":2.5}\n{"epoch":2,"be')
    found = read_metrics(path)
    assert found.header["run"] == "ab"
    assert found.epochs == ({"epoch": 0, "best": None}, {"epoch": 1, "best": 2.5})


def test_results_are_read_from_the_output() -> None:
    """Scores with their epochs, what EVALUATE gave, why it stopped; `nan` is None."""
    text = "x\nstop reason=patience at=5\nresult last score=nan at=5\nresult best-weights score=1.5 at=3\n"
    text += "evaluate word=ACC value=0.9 rows=4\n"
    found = read_results(text)
    assert found.scores == {"last": (None, 5), "best-weights": (1.5, 3)}
    assert found.evaluated == {"ACC": 0.9}
    assert found.stopped == "patience"
