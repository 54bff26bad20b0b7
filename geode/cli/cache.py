"""`geode cache`: how big the store of build results is, what is damaged in it, and what can go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rules.cache import Cache

_UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


@click.group(
    epilog="\b\nExamples:\n  geode cache stats                  where it is, entries and bytes"
    "\n  geode cache gc --max-size 5GB      oldest use first, nothing used within an hour"
    "\n  geode cache verify                 reads every entry"
)
def command() -> None:
    """Look after the store of build results (`$GEODE_CACHE`, else in the user's cache folder)."""


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Bytes and counts as JSON.")
def stats(*, as_json: bool) -> None:
    """Print where the store is and what it holds."""
    from dataclasses import asdict

    from geode.cli.text import show_json
    from rules.cache_upkeep import cache_stats

    cache = _open()
    found = cache_stats(cache)
    if as_json:
        show_json({"root": str(cache.root), **asdict(found)})
        return
    click.echo(f"{cache.root}: {found.records} actions, {found.blobs} results, {size_to_text(found.bytes)}")
    if found.scratch:
        click.echo(f"kept there by compilers: {size_to_text(found.scratch)}")


@command.command()
@click.option("--max-size", required=True, metavar="SIZE", help="What may stay: 500MB, 5GB, 0.")
def gc(max_size: str) -> None:
    """Remove results, oldest use first, until the store is no bigger than SIZE; nothing used within an hour goes."""
    from rules.cache_upkeep import collect_garbage

    wanted = parse_size(max_size)
    removed, freed, left = collect_garbage(_open(), wanted)
    kept = f"; {size_to_text(left)} stay, for they were used within the hour" if left > wanted else ""
    click.echo(f"{removed} entries removed, {size_to_text(freed)} freed{kept}")


@command.command()
def verify() -> int:
    """Read every entry and remove those that are damaged; status 1 if there were any."""
    from rules.cache_upkeep import verify_cache

    count, wrong = verify_cache(_open())
    for line in wrong:
        click.echo(line)
    click.echo(f"{count} entries read, {len(wrong)} wrong")
    return 1 if wrong else 0


def parse_size(text: str) -> int:
    """Bytes of `500MB`, `5GB`, `1234`. Raises click.BadParameter on anything else."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise click.BadParameter(f"`{text}`: expected a size such as 500MB or 5GB", param_hint="--max-size")
    return int(float(match[1]) * _UNITS[(match[2] or "B").upper()])


def size_to_text(size: int) -> str:
    """Bytes with the largest unit that leaves at least 1."""
    unit = next(unit for unit, value in reversed(_UNITS.items()) if size >= value or unit == "B")
    return f"{size} B" if unit == "B" else f"{size / _UNITS[unit]:.1f} {unit}"


def _open() -> Cache:
    from pathlib import Path

    from rules.cache import open_cache

    return open_cache(Path("build") / ".cache", lambda line: click.echo(f"geode: {line}", err=True))
