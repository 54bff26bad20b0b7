"""`geode profile`: run a program, and tell where its time went."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import click

from geode.cli.options import BuildOptions, define_option, parse_defines

_NO_DEVICE = 3  # a program's status where what its target names is missing


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="\b\nExamples:\n  geode profile examples/sine-ae.gs"
    "\n  geode profile examples/digits.gs --epochs 20 --workers 1    options of the program",
)
@define_option
@click.option("--toolchain", metavar="NAME", help="clang, gcc or zig [default: the first that is there].")
@click.option("--lanes", type=int, metavar="N", help="Tile width [default: the processor's].")
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of the tables.")
@click.argument("source")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(
    source: str,
    options: tuple[str, ...],
    toolchain: str | None,
    lanes: int | None,
    defines: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Build SOURCE with clocks in its units, run it with the OPTIONS that follow, and print a table a stage.

    Phases are what the run does one after another; units are the program's words at each place of the call tree, with the
    rate they reach, shared work counted in full. The clocks cost under 1 % of a run of the quick start.
    """
    folder = str(Path("build") / f"{Path(source).stem}-profile")
    built = BuildOptions(source, folder, "profile", toolchain, lanes, parse_defines(defines)).build()
    from geode.cli.text import show_json
    from geode.report.profile import profile_to_text, read_profile

    with tempfile.TemporaryDirectory(prefix="geode-profile-") as scratch:
        file = Path(scratch) / "profile.jsonl"
        program = [str(built.result.program.resolve()), *options, "--profile-file", str(file)]
        status = _run(program, quiet=as_json)
        target = built.text.target
        if status == _NO_DEVICE and target != "TARGET-CPU":
            click.echo(
                f"geode: the program was profiled where it runs, but there is no device for {target} here\n"
                f"  help: TARGET-CPU in place of {target} in its first line profiles it on the processor, unit by unit",
                err=True,
            )
        text = file.read_text() if file.is_file() else ""
    stages = read_profile(text)
    if as_json:
        show_json([asdict(stage) for stage in stages])
    else:
        click.echo("\n" + "\n".join(profile_to_text(stage) for stage in stages), nl=False)
    return status


def _run(program: list[str], *, quiet: bool) -> int:
    if sys.stdout.isatty() and not quiet:
        from geode.cli.watch import watch

        return watch(program)
    sys.stdout.flush()
    out = sys.stderr if quiet else None
    return subprocess.run(program, stdout=out, check=False).returncode
