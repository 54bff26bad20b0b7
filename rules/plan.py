"""The plan: targets -> steps.

In: a workspace. Out: `Step`s, those of needed targets first; for each package with mistakes, one step that fails with
them. Invariant: programs are parsed and emitted here, through the cache, so a plan names every unit; a mistake in a
program becomes its own failing `parse` and stops nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.analyse import RULES, Workspace
from rules.rule import Rule
from rules.step import Step, fail, never


def plan(workspace: Workspace, rules: Mapping[str, Rule] = RULES) -> list[Step]:
    """The steps of every target, and one failing step for each package with mistakes."""
    steps: list[Step] = []
    for package in sorted({mistake.package for mistake in workspace.mistakes}):
        said = "\n".join(str(mistake) for mistake in workspace.mistakes if mistake.package == package)
        steps.append(Step("parse", f"//{package}:BUILD", "mistakes in the BUILD file", fail, never, said=said))
    for target in workspace.targets.values():
        steps.extend(rules[target.rule].steps(target, workspace.root))
    return steps
