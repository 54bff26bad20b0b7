"""`geode bench`: what a program reaches beside the same work written by hand, measured here and now."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    epilog="\b\nExamples:\n  geode bench                          every row; some minutes on an idle machine"
    "\n  geode bench round-dense scaling      rows by name or by how their name begins"
    "\n  geode bench --check                  fails if a ratio is 15 % worse than the committed one"
    "\n  geode bench --out bench.json --plot bench.svg"
)
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Measurements of each side.")
@click.option("--toolchain", metavar="NAME", help="clang, gcc or zig [default: the first that is there].")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the results as JSON.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE", help="Draw them (.svg or .png).")
@click.option("--check", is_flag=True, help="Compare with benchmarks/results.json; status 1 on a loss over 15 %.")
@click.option("--write", is_flag=True, help="Make these results the committed ones, and docs/benchmarks.md.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of the table.")
@click.option("--list", "only_list", is_flag=True, help="Print the rows' names and what they measure.")
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
) -> int:
    """Measure ROWS (all, if none is named) and print a table.

    Every figure is a ratio to something timed in turn with it in this run, or says its unit. Wants a checkout of the
    repository, a C compiler and an idle machine.
    """
    from geode.cli.text import show_json
    from rules.cache import open_cache
    from rules.errors import BuildError
    from rules.tool import find_tool
    from rules.toolchain import data_folder

    try:
        from benchmarks import machine, plot, results, run
    except ImportError as error:
        if error.name is None or not error.name.startswith("benchmarks"):
            raise
        raise BuildError("the benchmarks are no part of an installed Geode: run this in a checkout of it") from None
    selected = run.chosen(rows)
    if only_list:
        for row in selected:
            click.echo(f"{row.key:18} {row.what}{', against ' + row.against if row.against else ''}")
        return 0
    if write and rows:
        raise click.UsageError("--write wants every row: name none")
    folder = Path("build") / "bench"
    cache = open_cache(folder / ".cache", lambda line: click.echo(f"geode: {line}", err=True))
    tool = find_tool(data_folder() / "toolchains", cache, toolchain=toolchain, profile="fast", lanes=None)
    about = machine.describe(tool)
    doubt = machine.warning(about)
    if doubt is not None:
        click.echo(f"geode: {doubt}", err=True)
    record = results.to_record(about, run.run(selected, tool, folder, rounds))
    if as_json:
        show_json(record)
    else:
        click.echo(results.to_table(record), nl=False)
    if out is not None:
        results.write(record, out)
    if picture is not None:
        plot.plot(record, picture)
    if check:
        committed = results.read_committed()
        if committed is None:
            raise BuildError(f"nothing to compare with: {results.COMMITTED} does not exist; --write makes it")
        lost = results.losses(record, committed)
        for line in lost:
            click.echo(f"geode: {line}", err=True)
        return 1 if lost else 0
    if write:
        results.write(record, results.COMMITTED)
        results.PAGE.write_text(results.to_page(record))
    return 0
