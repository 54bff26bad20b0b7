"""A run that was stopped and resumed, at any epoch, is the run that was not: files, metrics and results, to the bit."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from geode.reference.streams import normals, stream_key
from geode.report.checkpoint import CheckpointError, read_checkpoint
from tests.harness.checkpoint import arrays_of, checkpoint_bytes, header_of, with_digest
from tests.harness.compile_c import SANITIZED, Build
from tests.harness.runtime_program import runtime_program
from tests.harness.saved_runs import BUILD, SINE, Saver, straight_and_resumed

pytestmark = [pytest.mark.native, pytest.mark.skipif(BUILD.missing() is not None, reason=str(BUILD.missing()))]


@pytest.mark.parametrize(
    "options",
    [
        ("--sgd-updates", "--alpha-cosine", "--sigma-decay", "0.9"),
        ("--sgdm-updates", "--noise-reuse", "3", "--evaluate-every", "3", "--weight-decay", "0.1"),
        ("--rmsprop-updates", "--patience", "2", "--alpha", "2", "--independent", "--evaluate-every", "off"),
        ("--adam-updates", "--sigma-cosine", "--score-utility"),
        ("--muon-updates", "--set", "2:EPOCHS=7", "--set", "5:SGD-UPDATES", "--update-clip", "0.1"),
        ("--sgd-updates", "--sigma", "8e18", "--alpha", "0", "--patience", "3"),
        ("--adam-updates", "--stop-below", "0.9", "--workers", "3"),
    ],
    ids=["sgd-cosine", "sgdm-reuse", "rmsprop-patience", "adam-cosine", "muon-then-sgd", "nan-members", "stop-below"],
)
def test_resumed_at_every_epoch(stages: Saver, options: tuple[str, ...]) -> None:
    """Through three TRAIN stages, the ends of stages included."""
    assert straight_and_resumed(stages, 13, options) == []


@pytest.mark.parametrize("options", [(), ("--adam-updates", "--evaluate-every", "2")], ids=["muon", "adam"])
def test_matrices_resume_too(sine: Saver, options: tuple[str, ...]) -> None:
    """MUON's momentum and ADAM's moments of matrices are in the file."""
    assert straight_and_resumed(sine, 5, options) == []


def test_nan_members_were_there(stages: Saver) -> None:
    """The case above that is to have NaN members has some, and they are counted in the file."""
    done = stages.good("--sigma", "8e18", "--alpha", "0", "--sgd-updates", "--save-model-all", "s.safetensors")
    counts = [int(line.split(" nan=")[1].split()[0]) for line in done.epochs]
    assert 0 < sum(counts) < 6 * len(counts)
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    assert (notes["nan-members"], notes["evaluations"]) == (str(sum(counts)), str(6 * len(counts)))


def test_resumed_again_and_again(stages: Saver) -> None:
    """A process an epoch: the chain ends where the straight run ends."""
    stages.good("--save-model-all", "straight.safetensors")
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "0")
    for at in range(1, 13):
        stages.good("--save-model-all", "s.safetensors", "--resume-model", "s.safetensors", "--stop-at-epoch", str(at))
    assert stages.read("s.safetensors") == stages.read("straight.safetensors")


def test_workers_do_not_reach_the_file(sine: Saver) -> None:
    """Equal states are equal files, whoever computed them."""
    for workers in "123":
        sine.good("--save-model-all", f"{workers}.safetensors", "--set", f"WORKERS={workers}")
    assert sine.read("1.safetensors") == sine.read("2.safetensors") == sine.read("3.safetensors")


@pytest.mark.parametrize(
    ("build", "lanes", "vector"),
    [(Build("clang", "-O3", "native"), 24, 8), (SANITIZED, 1, 1)],
    ids=["clang", "sanitize"],
)
def test_compilers_and_lanes_do_not_reach_the_file(sine: Saver, build: Build, lanes: int, vector: int) -> None:
    """A state goes on under another compiler with tiles of another width, to the same bytes."""
    if missing := build.missing():
        pytest.skip(missing)
    other = Saver(runtime_program(build, SINE, lanes, vector), sine.folder, sine.options)
    saving = ("--evaluate-every", "1", "--save-model-all")
    sine.good(*saving, "straight.safetensors")
    other.good(*saving, "s.safetensors", "--stop-at-epoch", "2")
    sine.good(*saving, "s.safetensors", "--resume-model", "s.safetensors", "--stop-at-epoch", "3")
    other.good(*saving, "s.safetensors", "--resume-model", "s.safetensors")
    assert sine.read("s.safetensors") == sine.read("straight.safetensors")


def test_what_is_compared_and_what_is_not(stages: Saver) -> None:
    """Settings that change the numbers are refused with both values; --resume-changed accepts and records them."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "2")
    resume = ("--resume-model", "s.safetensors", "--save-model-all", "t.safetensors")
    refused = stages.run(*resume, "--alpha", "0.25", "--set", "2:SEED=4", "--epochs", "9")
    assert refused.status == 1
    assert refused.err.splitlines() == [
        "stages: error: s.safetensors: is the state of another run",
        "  TRAIN stage 1's ALPHA: 0.1 in the file, 0.25 now",
        "  TRAIN stage 2's SEED: 3 in the file, 4 now",
        "  TRAIN stage 2's ALPHA: 0.1 in the file, 0.25 now",
        "  TRAIN stage 3's ALPHA: 0.1 in the file, 0.25 now",
        "  help: --resume-changed ALPHA,SEED goes on all the same, and records it",
    ]
    assert stages.run(*resume, "--alpha", "0.25", "--resume-changed", "SEED").status == 1
    stages.good(*resume, "--alpha", "0.25", "--resume-changed", "alpha")
    changed = header_of(stages.folder / "t.safetensors")["__metadata__"]["resume-changed"]
    assert changed.startswith("epoch 2 TRAIN stage 1's ALPHA: 0.1 -> 0.25; epoch 2 TRAIN stage 2's ALPHA: ")
    free = ("--epochs", "9", "--workers", "1", "--patience", "50", "--stop-below", "-9", "--metrics-every", "2")
    stages.good(*resume, *free, "--time-limit", "99", "--save-every", "2")
    wrong = stages.run(*resume, "--resume-changed", "ALFA")
    assert (wrong.status, "`ALFA` is nothing that resuming compares" in wrong.err) == (2, True)
    assert stages.run("--resume-changed", "ALPHA").status == 2


def test_epochs_matter_to_a_cosine_alone(stages: Saver) -> None:
    """A cosine is stretched over EPOCHS, so they are compared where there is one."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "2", "--alpha-cosine")
    done = stages.run("--resume-model", "s.safetensors", "--alpha-cosine", "--epochs", "9")
    assert "TRAIN stage 1's EPOCHS: 4 in the file, 9 now" in done.err
    stages.good("--resume-model", "s.safetensors", "--alpha-cosine")


def test_other_rows_are_refused(stages: Saver) -> None:
    """The rows that a stage reads are part of the run, those it does not read are not."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "2")
    text = (stages.folder / "train.csv").read_text(encoding="utf-8").splitlines()
    outside = [*text[:1], "9,9", *text[2:]]  # row 0 is outside of the first stage's slice
    (stages.folder / "train.csv").write_text("\n".join(outside), encoding="utf-8")
    stages.good("--resume-model", "s.safetensors")
    inside = [*text[:5], "9,9", *text[6:]]
    (stages.folder / "train.csv").write_text("\n".join(inside), encoding="utf-8")
    done = stages.run("--resume-model", "s.safetensors")
    assert (done.status, "ROWS: others in the file's run than now" in done.err) == (1, True)
    stages.good("--resume-model", "s.safetensors", "--resume-changed", "ROWS", "--save-model-all", "t.safetensors")
    assert "ROWS" in header_of(stages.folder / "t.safetensors")["__metadata__"]["resume-changed"]


def test_weights_start_a_run_afresh(stages: Saver) -> None:
    """From SAVE-MODEL's file: its weights, everything else as at the beginning; a wrong set of weights is told."""
    stages.good("--save-model", "m.safetensors")
    stages.good("--save-model-all", "s.safetensors", "--resume-model", "m.safetensors", "--stop-at-epoch", "0")
    state, weights = arrays_of(stages.folder / "s.safetensors"), arrays_of(stages.folder / "m.safetensors")
    assert sorted(weights) == ["a", "b", "c"]
    for name, array in weights.items():
        assert state[name].tobytes() == array.tobytes()
    assert header_of(stages.folder / "s.safetensors")["__metadata__"]["epochs"] == "0"
    assert not any(state[name].any() for name in state if name.startswith("optimizer/"))
    stages.write("w.safetensors", checkpoint_bytes({"NET/a": weights["a"], "b": weights["b"], "c": weights["c"]}, {}))
    stages.good("--resume-model", "w.safetensors", "--stop-at-epoch", "0", "--save-model", "again.safetensors")
    assert stages.read("again.safetensors") == stages.read("m.safetensors")
    wrong: dict[str, NDArray[Any]] = {
        "a": np.zeros((2, 3)),
        "X/b": weights["b"],
        "Y/b": weights["b"],
        "d": weights["c"],
    }
    stages.write("w.safetensors", checkpoint_bytes(wrong, {}))
    assert stages.run("--resume-model", "w.safetensors").err.splitlines() == [
        "stages: error: w.safetensors: its parameters are not those of this program",
        "  a: 2:3 in the file, a scalar now",
        "  b: several that end in it in the file, a scalar now",
        "  c: missing in the file, a scalar now",
        "  X/b: a scalar in the file, missing now",
        "  Y/b: a scalar in the file, missing now",
        "  d: a scalar in the file, missing now",
    ]


def test_the_best_are_who_they_are_said_to_be(stages: Saver) -> None:
    """The best member's weights are theta of its epoch plus its noise; the best center's are theta of its epoch."""
    options = ("--set", "1:EPOCHS=6", "--sigma", "0.5")
    stages.good(*options, "--save-model-all", "s.safetensors", "--stop-at-epoch", "6")
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    final = arrays_of(stages.folder / "s.safetensors")
    for kind in ("weights", "member"):
        at = notes[f"best-{kind}-epoch"]
        stages.good(*options, "--save-model", "t.safetensors", "--stop-at-epoch", at)
        theta = arrays_of(stages.folder / "t.safetensors")
        member = int(notes["best-member-member"])
        for stream, name in ((1, "a"), (2, "b"), (None, "c")):
            expected = np.float64(theta[name])
            if kind == "member" and stream is not None:
                noise = normals(stream_key(stream, 3, int(at), member // 2), 0, 1)[0]
                expected = expected + (-0.5 if member % 2 else 0.5) * np.float64(noise)
            assert final[f"best/{kind}/{name}"] == np.float32(expected)


def test_every_part_of_a_state_counts(stages: Saver) -> None:
    """A state with any tensor or note deleted or changed is refused, or gives another file."""
    saving = ("--adam-updates", "--alpha-cosine", "--stop-at-epoch", "6", "--save-model-all")
    stages.good(*saving, "s.safetensors")
    tensors = arrays_of(stages.folder / "s.safetensors")
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    assert checkpoint_bytes(tensors, notes) == stages.read("s.safetensors")
    stages.good(*saving, "t.safetensors", "--resume-model", "s.safetensors")
    assert stages.read("t.safetensors") == stages.read("s.safetensors")
    without = [("without " + name, {n: t for n, t in tensors.items() if n != name}) for name in tensors]
    other = [("other " + name, {**tensors, name: tensors[name] + np.float32(0.25)}) for name in tensors]
    wrong = [(what, changed, with_digest(changed, notes)) for what, changed in (*without, *other)]
    wrong += [("digest of " + what, changed, notes) for what, changed in other]
    digests = ("data", "header")
    missing = [(key, {k: v for k, v in notes.items() if k != key}) for key in notes]
    wrong += [("without note " + key, tensors, changed) for key, changed in missing]
    wrong += [("note less " + key, tensors, with_digest(tensors, less)) for key, less in missing if key not in digests]
    others = [(key, {**notes, key: _changed(value)}) for key, value in notes.items()]
    wrong += [
        ("other note " + key, tensors, with_digest(tensors, changed)) for key, changed in others if key not in digests
    ]
    more = {**tensors, "x": tensors["a"]}
    more_notes = {**notes, "x": ""}
    wrong += [
        ("a tensor more", more, with_digest(more, notes)),
        ("a note more", tensors, with_digest(tensors, more_notes)),
    ]
    assert len(tensors) == 13
    assert len(notes) > 80
    for what, changed, changed_notes in wrong:
        stages.write("u.safetensors", checkpoint_bytes(changed, changed_notes))
        done = stages.run(*saving, "t.safetensors", "--resume-model", "u.safetensors")
        assert (done.status, "u.safetensors: " in done.err) == (1, True) or (
            done.status == 0 and stages.read("t.safetensors") != stages.read("s.safetensors")
        ), what


def test_a_flipped_bit_is_found(stages: Saver) -> None:
    """Anywhere in the numbers of a state: the run is refused, and Python's reader says the same."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "3")
    data = stages.read("s.safetensors")
    start = 8 + int.from_bytes(data[:8], "little")
    for place in range(start, len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        stages.write("u.safetensors", bytes(flipped))
        done = stages.run("--resume-model", "u.safetensors")
        assert (done.status, "u.safetensors: is damaged: its numbers are not those that were saved" in done.err) == (
            1,
            True,
        )
        with pytest.raises(CheckpointError, match="is damaged"):
            read_checkpoint(stages.folder / "u.safetensors")


def test_a_changed_note_is_found(stages: Saver) -> None:
    """Any of them, the score that nothing here looks at among them, and the name or shape of a tensor."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "3")
    tensors = arrays_of(stages.folder / "s.safetensors")
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    assert with_digest(tensors, notes) == notes
    for key, value in notes.items():
        stages.write("u.safetensors", checkpoint_bytes(tensors, {**notes, key: _changed(value)}))
        done = stages.run("--resume-model", "u.safetensors")
        assert (done.status, "u.safetensors: " in done.err) == (1, True), key
        with pytest.raises(CheckpointError, match=r"is damaged") if key != "format" else suppress(CheckpointError):
            read_checkpoint(stages.folder / "u.safetensors")
    stages.write("u.safetensors", checkpoint_bytes(tensors, {**notes, "score": "9999"}))
    assert "is damaged: its notes are not those that were saved" in stages.run("--resume-model", "u.safetensors").err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("epochs", "03"),
        ("score", "1e999"),
        ("score", "00.5"),
        ("best-member-score", "nan"),
        ("waited", "+1"),
        ("pass", ""),
    ],
)
def test_numbers_of_another_form_are_refused(stages: Saver, key: str, value: str) -> None:
    """Though the digests are right: a number is written in one way."""
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "3")
    tensors = arrays_of(stages.folder / "s.safetensors")
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    stages.write("u.safetensors", checkpoint_bytes(tensors, with_digest(tensors, {**notes, key: value})))
    done = stages.run("--resume-model", "u.safetensors")
    assert (done.status, f"is no whole state: {key} can't be `{value}`" in done.err) == (1, True)


def test_numbers_that_no_run_writes_are_refused(stages: Saver) -> None:
    """NaN and infinity in any tensor, with its name, and a negative mean of squares; in a weights file too."""
    stages.good(
        "--adam-updates", "--save-model-all", "s.safetensors", "--save-model", "m.safetensors", "--stop-at-epoch", "3"
    )
    tensors = arrays_of(stages.folder / "s.safetensors")
    notes = header_of(stages.folder / "s.safetensors")["__metadata__"]
    cases = [(name, np.nan, f"{name} holds NaN") for name in tensors]
    cases += [
        ("a", -np.inf, "a holds minus infinity"),
        ("optimizer/v/a", -1, "optimizer/v/a holds -1, a mean of squares"),
    ]
    for name, value, message in cases:
        changed = {**tensors, name: np.full_like(tensors[name], value)}
        stages.write("u.safetensors", checkpoint_bytes(changed, with_digest(changed, notes)))
        done = stages.run("--adam-updates", "--resume-model", "u.safetensors")
        assert (done.status, done.epochs, message in done.err) == (1, [], True), done.err
    weights = arrays_of(stages.folder / "m.safetensors")
    stages.write("w.safetensors", checkpoint_bytes({**weights, "b": np.float32(np.inf).reshape(())}, {}))
    done = stages.run("--resume-model", "w.safetensors")
    assert (done.status, done.epochs, "w.safetensors: b holds infinity" in done.err) == (1, [], True)
    text = checkpoint_bytes({**weights, "c": np.zeros(2)}, {}).replace(b'"F32","shape":[2]', b'"F64","shape":[] ')
    stages.write("w.safetensors", text)
    done = stages.run("--resume-model", "w.safetensors")
    assert (done.status, done.epochs, "c holds numbers of type F64, not F32" in done.err) == (1, [], True), done.err


def _changed(value: str) -> str:
    """Another value of a note that could be right."""
    if value.isdigit():
        return str(int(value) + 1)
    try:
        return repr(float(value) + 1.0)
    except ValueError:
        return ("1" if value[:1] == "0" else "0") + value[1:]


def test_metrics_go_on_where_the_state_is(stages: Saver) -> None:
    """Lines that a killed run wrote after its last save are cut, also half a line; another file is not touched."""
    stages.good("--save-model-all", "w.safetensors", "--metrics-file", "straight.jsonl")
    stages.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "6", "--metrics-file", "x.jsonl")
    stages.good("--stop-at-epoch", "9", "--metrics-file", "later.jsonl")
    stages.write("later.jsonl", stages.read("later.jsonl") + b'{"epoch":9,"best":1')
    stages.good(
        "--resume-model", "s.safetensors", "--metrics-file", "later.jsonl", "--save-model-all", "s2.safetensors"
    )
    assert stages.metrics("later.jsonl") == stages.metrics("straight.jsonl")
    assert [line.get("epoch") for line in stages.metrics("x.jsonl")][-1] is None
    stages.good("--resume-model", "s.safetensors", "--metrics-file", "new.jsonl")
    new, whole = stages.metrics("new.jsonl"), stages.metrics("straight.jsonl")
    assert [line for line in new if "epoch" in line] == [line for line in whole if "epoch" in line][6:]
    assert "epoch" not in new[0]
    stages.good("--resume-model", "s.safetensors", "--metrics-file", "/dev/stdout")
    stages.write("mine.txt", b"dear diary\n")
    done = stages.run("--resume-model", "s.safetensors", "--metrics-file", "mine.txt")
    assert (done.status, "mine.txt: is no file of metrics" in done.err) == (1, True)
    assert stages.read("mine.txt") == b"dear diary\n"
