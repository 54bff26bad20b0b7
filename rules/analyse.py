"""Analysis: rule calls -> targets.

In: the calls of all BUILD files. Out: a `Workspace`: the targets in an order in which each comes after what it needs,
and the mistakes. Invariant: a target is there only if its attributes are right, its inputs exist and everything it needs
is there; a mistake in one leaves the others usable.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from geode.record import dataclass
from rules.attribute import Attribute, Values, check_attributes
from rules.dataset import RULE as DATASET
from rules.errors import near_miss
from rules.geode_library import RULE as GEODE_LIBRARY
from rules.geode_program import RULE as GEODE_PROGRAM
from rules.geode_report import RULE as GEODE_REPORT
from rules.geode_run import RULE as GEODE_RUN
from rules.geode_sweep import RULE as GEODE_SWEEP
from rules.geode_test import RULE as GEODE_TEST
from rules.load_build import load_build_files
from rules.rule import Context, Rule
from rules.target import Label, Mistake, Place, RuleCall, Target, parse_label

RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (DATASET, GEODE_LIBRARY, GEODE_PROGRAM, GEODE_RUN, GEODE_TEST, GEODE_SWEEP, GEODE_REPORT)
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the BUILD files below `root` say: targets, needed ones first, and mistakes by place."""

    root: Path
    targets: Mapping[Label, Target]
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    """A call with checked attributes and parsed labels; `named` has them by attribute's text."""

    label: Label
    rule: Rule
    where: Place
    values: Values
    named: Mapping[str, Label]


class _Analysis:
    """The calls by label, and by the file that stands for them; mistakes as they are found."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.calls: dict[Label, _Call] = {}
        self.files: dict[Label, Label] = {}
        self.mistakes: list[Mistake] = []

    def wrong(self, where: Place, package: str, message: str) -> None:
        self.mistakes.append(Mistake(where, package, message))


def load_workspace(root: Path, rules: Mapping[str, Rule] = RULES) -> Workspace:
    """Load and analyse the BUILD files below `root`."""
    calls, mistakes = load_build_files(root, rules)
    found = _Analysis(root)
    found.mistakes.extend(mistakes)
    for call in calls:
        _enter(call, rules[call.rule], found)
    targets: dict[Label, Target] = {}
    broken: set[Label] = set()
    for label in list(found.calls):
        _visit(label, [], found, targets, broken)
    _refuse_shared_outputs(targets, found)
    return Workspace(root, targets, tuple(sorted(set(found.mistakes))))


@functools.cache
def known_workspace(root: Path) -> Workspace:
    """The workspace at `root` as this process found it first: one command loads its BUILD files once."""
    return load_workspace(root)


def _enter(call: RuleCall, rule: Rule, found: _Analysis) -> None:
    """Check a call's attributes and enter it under its label."""
    values, wrong = check_attributes(rule.name, rule.attributes, call.given)
    for message in wrong:
        found.wrong(call.where, call.package, message)
    if values is None:
        return
    named: dict[str, Label] = {}
    try:
        label = parse_label(":" + values.text("name"), call.package)
        for name in _label_attributes(rule):
            named |= {text: parse_label(text, call.package) for text in values.texts(name)}
    except ValueError as error:
        found.wrong(call.where, call.package, str(error))
        return
    before = found.calls.get(label)
    if before is not None:
        found.wrong(call.where, call.package, f"{label} is defined twice, first at {before.where}")
        return
    found.calls[label] = _Call(label, rule, call.where, values, named)
    for name, attribute in rule.attributes.items():
        if attribute.stands_for:
            found.files.setdefault(named[values.text(name)], label)


def _label_attributes(rule: Rule) -> list[str]:
    return [name for name, attribute in rule.attributes.items() if attribute.kind in {"label", "labels"}]


def _visit(
    label: Label, path: list[Label], found: _Analysis, targets: dict[Label, Target], broken: set[Label]
) -> Target | None:
    """Make the target of `label` after all that it needs; None if it or one of those cannot be made."""
    if label in targets or label in broken:
        return targets.get(label)
    call = found.calls[label]
    if label in path:
        circle = " needs ".join(map(str, [*path[path.index(label) :], label]))
        found.wrong(call.where, label.package, f"targets go in a circle: {circle}")
        broken.add(label)
        return None
    files: dict[str, str] = {}
    named: dict[str, Target] = {}
    needs: list[Label] = []
    whole = True
    for text, name in _resolve(call, found):
        if name is None:
            whole = False
        elif isinstance(name, str):
            files[text] = name
        else:
            needed = _visit(name, [*path, label], found, targets, broken)
            whole = whole and needed is not None
            if needed is not None:
                named[text] = needed
                needs.append(name)
    if not whole or label in broken:
        broken.add(label)
        return None
    try:
        made = call.rule.implement(Context(label, call.values, files, named))
    except ValueError as error:
        found.wrong(call.where, label.package, str(error))
        broken.add(label)
        return None
    inputs = tuple(sorted(set(files.values())))
    target = Target(label, call.rule.name, call.where, inputs, tuple(dict.fromkeys(needs)), made.outputs, made.provider)
    targets[label] = target
    return target


def _resolve(call: _Call, found: _Analysis) -> Iterable[tuple[str, Label | str | None]]:
    """For each label that the call gives: the target it means, or the file, or None after a mistake."""
    for name, attribute in call.rule.attributes.items():
        if attribute.kind not in {"label", "labels"}:
            continue
        for text in call.values.texts(name):
            yield text, _mean(call, text, found, attribute)


def _mean(call: _Call, text: str, found: _Analysis, attribute: Attribute) -> Label | str | None:
    label = call.named[text]
    package = call.label.package
    if attribute.stands_for:
        makes = call.values.of.get("script") is not None
        if makes or (found.root / label.path).is_file():
            return label.path
        _say_missing(call, label, found)
        return None
    meant = label if label in found.calls else found.files.get(label)
    accepted = " or ".join(attribute.accepts)
    if attribute.accepts and meant is not None:
        rule = found.calls[meant].rule.name
        if rule in attribute.accepts:
            return meant
        found.wrong(call.where, package, f"{meant} is a {rule}, {call.rule.name} wants a {accepted} there")
        return None
    if (found.root / label.path).is_file():
        if not attribute.files:
            found.wrong(call.where, package, f"{label} is a file, {call.rule.name} wants a {accepted} there")
            return None
        return label.path
    _say_missing(call, label, found)
    return None


def _say_missing(call: _Call, label: Label, found: _Analysis) -> None:
    """Say that `label` is neither a target nor a file."""
    folder = found.root / label.package
    names = {other.name for other in (*found.calls, *found.files) if other.package == label.package}
    if folder.is_dir():
        names |= {path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")}
    names -= {label.name, call.label.name}
    close = near_miss(label.name, tuple(sorted(names))) if names else ""
    hint = close if close.startswith(": did") else ""
    found.wrong(call.where, call.label.package, f"{label} is missing: no target and no file {label.path}{hint}")


def _refuse_shared_outputs(targets: dict[Label, Target], found: _Analysis) -> None:
    """Take out the later of two targets that write the same file or folder."""
    writers: dict[str, Target] = {}
    for target in sorted(targets.values(), key=lambda target: target.where):
        for output in target.outputs:
            first = writers.setdefault(output, target)
            if first is not target:
                message = f"{target.label} has the output {output}, and so has {first.label} at {first.where}"
                folder = output.partition("/")[0]
                if folder in {"build", "runs"}:
                    message += f"; give one of them another name, for {folder}/ does not tell packages apart"
                found.wrong(target.where, target.label.package, message)
                targets.pop(target.label, None)
