"""`geode query`: questions about the targets of the BUILD files."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    epilog="\b\nExamples:\n  geode query //...                                   every target"
    "\n  geode query 'deps(//examples:sine-ae)'               it, what it needs, and their files"
    "\n  geode query 'rdeps(//datasets:xor)'                  what needs it"
    "\n  geode query 'somepath(//examples:xor, //datasets:xor)'   why the one needs the other"
    "\n  geode query '//... except kind(dataset, //...)'      every target but data sets"
    "\n  geode query --output=dot 'kind(dataset, //...)'      for graphviz"
)
@click.option(
    "--output",
    type=click.Choice(["text", "dot", "json"]),
    default="text",
    show_default=True,
    help="One label a line, a graph for graphviz, or JSON.",
)
@click.argument("expression")
def command(expression: str, output: str) -> int:
    """Print the part of the target graph that EXPRESSION describes.

    An expression is a label (`:name` for one of the working directory), `//...`, `//package:all`, deps(…), rdeps(…),
    kind(RULE, …) or somepath(FROM, TO); `union`, `intersect` and `except` stand between two of them, and are applied
    from left to right, brackets first. Targets are those of the BUILD files below the folder that holds dodo.py, else
    below the working directory. Mistakes in BUILD files go to stderr, and make the status 1.
    """
    from geode.cli.text import show_json
    from rules.by_label import open_workspace, package_of, workspace_root
    from rules.query import graph_to_dot, graph_to_record, graph_to_text, query

    here = Path.cwd()
    root = workspace_root(here)
    workspace = open_workspace(root)
    for mistake in workspace.mistakes:
        click.echo(str(mistake), err=True)
    graph = query(workspace, expression, package_of(here, root))
    match output:
        case "json":
            show_json(graph_to_record(graph))
        case "dot":
            click.echo(graph_to_dot(graph), nl=False)
        case _:
            click.echo(graph_to_text(graph), nl=False)
    return 1 if workspace.mistakes else 0
