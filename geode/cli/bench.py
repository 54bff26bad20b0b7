"""`geode bench`: what a program reaches beside the same work by hand or in other libraries, measured here and now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rules.tool import Tool

FOLDER = Path("build") / "bench"
_PICTURES = (".svg", ".png")
LEAST_ROUNDS = 5  # of a comparison with the peers that is to be kept


@click.command(
    epilog="\b\nExamples:\n  geode bench                          every row; some minutes on an idle machine"
    "\n  geode bench round-dense scaling      rows by name or by how their name begins"
    "\n  geode bench --check                  fails if a ratio is 15 % worse than the committed one"
    "\n  geode bench --out bench.json --plot bench.svg"
    "\n  geode bench --peers                  NumPy, JAX, evosax, EvoTorch and pycma on the same work; a quarter of an hour"
    "\n  geode bench --peers W1 W3            two of the works"
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Measurements of each side.")
@click.option("--toolchain", metavar="NAME", help="clang, gcc or zig [default: the first that is there].")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the results as JSON.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw them (.svg or .png).")
@click.option("--check", is_flag=True, help="Compare with the committed results; status 1 on a loss over 15 %.")
@click.option("--write", is_flag=True, help="Make these results the committed ones, and docs/benchmarks.md.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of the table.")
@click.option("--list", "only_list", is_flag=True, help="Print the rows' names and what they measure.")
@click.option("--peers", is_flag=True, help="Compare with other libraries, in an environment of their own.")
@click.option(
    "--peers-python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A Python that has the other libraries [default: one made under build/bench/peers].",
)
@click.argument("rows", nargs=-1)
def command(
    rows: tuple[str, ...],
    rounds: int,
    toolchain: str | None,
    out: Path | None,
    picture: Path | None,
    *,
    check: bool,
    write: bool,
    as_json: bool,
    only_list: bool,
    peers: bool,
    peers_python: Path | None,
) -> int:
    """Measure ROWS (all, if none is named) and print a table.

    Every figure is a ratio to something timed in turn with it in this run, or says its unit. Wants a checkout of the
    repository, a C compiler and an idle machine. With --peers, ROWS are works: W1 to W5.
    """
    if peers_python is not None and not peers:
        raise click.UsageError("--peers-python wants --peers")
    if write and rows:
        raise click.UsageError("--write wants every row: name none")
    if write and peers and rounds < LEAST_ROUNDS:
        raise click.UsageError(f"--write --peers wants at least {LEAST_ROUNDS} rounds")
    try:
        import benchmarks.results
    except ImportError as error:
        if error.name is None or not error.name.startswith("benchmarks"):
            raise
        from rules.errors import BuildError

        raise BuildError("the benchmarks are no part of an installed Geode: run this in a checkout of it") from None
    if only_list:
        click.echo(_listing(rows, peers=peers), nl=False)
        return 0
    _refuse_outputs(out, picture)
    record = _compare(rows, rounds, toolchain, peers_python) if peers else _measure(rows, rounds, toolchain)
    _show(record, out, picture, peers=peers, as_json=as_json)
    if check:
        return _check(record, peers=peers)
    if write:
        benchmarks.results.commit(record, peers=peers)
    return 0


def _refuse_outputs(out: Path | None, picture: Path | None) -> None:
    """Raises BuildError for a file that could not be written when all is measured."""
    from rules.errors import BuildError

    if picture is not None and picture.suffix not in _PICTURES:
        raise BuildError(f"--plot {picture}: its name must end in {' or '.join(_PICTURES)}", status=2)
    for option, path in (("--out", out), ("--plot", picture)):
        if path is None:
            continue
        new = not path.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab"):
                pass
            if new:
                path.unlink()
        except OSError as error:
            raise BuildError(f"{option} {path}: {error.strerror}", status=2) from None


def _listing(rows: Sequence[str], *, peers: bool) -> str:
    from benchmarks import run
    from benchmarks.comparison.works import chosen_works

    if peers:
        works = chosen_works(rows)
        return "".join(f"{w.key:18} {w.what}, against {', '.join(peer.name for peer in w.peers)}\n" for w in works)
    selected = run.chosen(rows)
    return "".join(f"{row.key:18} {row.what}{', against ' + row.against if row.against else ''}\n" for row in selected)


def _compiler(toolchain: str | None) -> tuple[Tool, dict[str, str | int | float]]:
    """The compiler, and what the results' head says of it and of the machine; a warning if that is not idle."""
    from benchmarks import machine
    from rules.cache import open_cache
    from rules.tool import find_tool
    from rules.toolchain import data_folder

    cache = open_cache(FOLDER / ".cache", _say)
    tool = find_tool(data_folder() / "toolchains", cache, toolchain=toolchain, profile="fast", lanes=None)
    about = machine.describe(tool)
    doubt = machine.warning(about)
    if doubt is not None:
        _say(doubt)
    return tool, about


def _measure(rows: Sequence[str], rounds: int, toolchain: str | None) -> dict[str, Any]:
    from benchmarks import results, run

    selected = run.chosen(rows)
    tool, about = _compiler(toolchain)
    return results.to_record(about, run.run(selected, tool, FOLDER, rounds))


def _compare(keys: Sequence[str], rounds: int, toolchain: str | None, given: Path | None) -> dict[str, Any]:
    """What the peers and Geode do; their environment is made first, so that it is not in the measured load."""
    from benchmarks.comparison.environment import peers_python
    from benchmarks.comparison.measure import compare
    from benchmarks.comparison.works import chosen_works

    works = chosen_works(keys)
    folder = FOLDER / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    python = peers_python(folder, given, _say)
    tool, about = _compiler(toolchain)
    return {"machine": about, **compare(works, tool, python, folder, rounds, _say)}


def _show(record: dict[str, Any], out: Path | None, picture: Path | None, *, peers: bool, as_json: bool) -> None:
    from benchmarks import plot, results
    from benchmarks.comparison.page import to_tables

    if as_json:
        from geode.cli.text import show_json

        show_json(record)
    else:
        click.echo(to_tables(record) if peers else results.to_table(record), nl=False)
    if out is not None:
        results.write(record, out)
    if picture is not None:
        plot.plot(record, picture)


def _check(record: dict[str, Any], *, peers: bool) -> int:
    """Status 1 and a line for each ratio that is worse than the committed one."""
    from benchmarks import results
    from rules.errors import BuildError

    committed = results.comparable(record["machine"]) or {}
    before = committed.get("peers") if peers else committed
    if not before or not before["rows"]:
        raise BuildError(f"nothing to compare with: {results.COMMITTED} does not have it; --write makes it")
    whose = committed["machine"]["processor"]
    if whose != record["machine"]["processor"]:
        _say(f"nothing is committed for this processor: compared with the results of {whose}")
    lost = results.losses(record, before)
    for line in lost:
        _say(line)
    return 1 if lost else 0


def _say(line: str) -> None:
    click.echo(f"geode: {line}", err=True)
