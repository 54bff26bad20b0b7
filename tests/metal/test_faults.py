"""What the emulator is for: faults that are planted in the kernels of a program are found, each by the check for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.syntax.file_to_text import file_to_text
from tests.harness.metal import SMALL_BUILD, emulated_once, for_metal, needs_cxx, told
from tests.harness.msl_lint import text_rules
from tests.harness.native import Finished, build
from tests.metal.small import SETTINGS, SMALL

pytestmark = [pytest.mark.native, needs_cxx]

SUMMED = "parts[gs_thread] = gs_f64_bits(sum);"
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
RACES = {"GEODE_EMULATOR_RACES": "1"}
HEAD = "kernel void gs_{}(constant gs_args &args [[buffer(0)]]"


def planted(source: Path, folder: Path, kernel: str, old: str, new: str) -> Path:
    """The kernels of a program with the first `old` of one kernel replaced."""
    text = compile_program(file_to_text(str(source))).kernels
    before, head, after = text.partition(HEAD.format(kernel))
    end = after.index("\nkernel void ") if "\nkernel void " in after else len(after)
    assert head
    assert old in after[:end]
    path = folder / "kernels.metal"
    path.write_text(before + head + after.replace(old, new, 1), encoding="utf-8")
    return path


def run(metal: Path, kernels: Path, **environment: str) -> Finished:
    """The program with these kernels in place of its own."""
    return emulated_once(metal, GEODE_EMULATOR_KERNELS=str(kernels), **environment)


# By what is wrong: kernel, text, what stands in its place, how it runs, what is said.
FAULTS: dict[str, tuple[str, str, str, dict[str, str], str]] = {
    "a missing barrier": ("score_0", f"{SUMMED}\n                {BARRIER}", SUMMED, RACES, "gs_score_0: race: "),
    "a shared index past the end": (
        "score_0",
        "parts[gs_thread] =",
        "parts[gs_thread + 1u] =",
        RACES,
        "gs_score_0: race: index outside the threadgroup array (element 256",
    ),
    "a barrier that some threads miss": (
        "update_muon",
        "threadgroup float clip[1];",
        "threadgroup float clip[1];\n    if (gs_thread == 7u) return;",
        {},
        "gs_update_muon: a barrier is not reached by every thread",
    ),
    "an index past the end of a buffer": (
        "shape",
        "args.coefficients + pair]",
        "args.coefficients + pair + 0x100000u]",
        {},
        "gs_shape touched memory outside its buffers",
    ),
    "a buffer that nobody set": (
        "shape",
        "[[buffer(8)]]",
        "[[buffer(30)]]",
        {},
        "gs_shape touched memory outside its buffers",
    ),
    "noise that nobody drew": ("prepare_0", "item < draws", "item < 0u", {}, "the scores of all 12 members are NaN"),
    "a shared array that is too large": (
        "score_0",
        "parts[256]",
        "parts[8192]",
        {},
        "gs_score_0: more than 32768 bytes of threadgroup memory",
    ),
    "shared arrays that are too large together, watched": (
        "update_muon",
        "threadgroup float clip[1];",
        "threadgroup float clip[1]; threadgroup float more[6060];",
        RACES,
        "gs_update_muon: more than 32768 bytes of threadgroup memory",
    ),
}
QUICK = ("a missing barrier", "an index past the end of a buffer", "a buffer that nobody set")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in FAULTS])
def test_a_planted_fault_is_named(name: str, source: Path, metal: Path, tmp_path: Path) -> None:
    """The run fails, and the message says which kernel did what."""
    kernel, old, new, environment, message = FAULTS[name]
    done = run(metal, planted(source, tmp_path, kernel, old, new), **environment)
    assert done.status != 0
    assert message in done.err


# Where a piece of a matrix comes to the place of the one before: by kernel, the product's last link and what runs it.
SLOTS = {
    "update_muon": (f"sum[e]);\n            }}\n            {BARRIER}", {}),
    "multiply": (f"sum);\n            {BARRIER}", {"GEODE_DEVICE_FLOPS": "1"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kernel", SLOTS)
def test_a_slot_that_is_used_again_is_named(kernel: str, tmp_path: Path) -> None:
    """The barrier behind the reads of a piece of a matrix, before the next piece comes to its place."""
    link, environment = SLOTS[kernel]
    source, kernels = tmp_path / "metal.gs", tmp_path / "kernels.metal"
    text = for_metal(SMALL.format(settings=SETTINGS["muon"], batch="ALL")).replace("4 AFFINE", "40 AFFINE")
    source.write_text(text, encoding="utf-8")
    program = build(source, tmp_path / "metal", *SMALL_BUILD)
    assert emulated_once(program, **RACES, **environment).status == 0
    whole = compile_program(file_to_text(str(source))).kernels
    assert whole.count(link) == 1
    kernels.write_text(whole.replace(link, link.removesuffix(BARRIER)), encoding="utf-8")
    done = run(program, kernels, **RACES, **environment)
    assert done.status != 0
    assert f"gs_{kernel}: race: " in done.err


@pytest.mark.slow
def test_a_wrong_buffer_gives_other_numbers(source: Path, metal: Path, tmp_path: Path) -> None:
    """A kernel that reads the rows where the scores are: a rule of the lint sees it, and so do the numbers."""
    kernels = planted(source, tmp_path, "shape", "[[buffer(8)]]", "[[buffer(1)]]")
    assert text_rules(kernels.read_text(encoding="utf-8")) == ["gs_shape: buffer 1 stands twice"]
    done = run(metal, kernels)
    assert done.status != 0 or told(done) != told(emulated_once(metal))


def test_the_self_test_passes_where_nothing_differs(metal: Path) -> None:
    """Five epochs on both sides, then it stops."""
    done = emulated_once(metal, "--epochs", "50", GEODE_SELFTEST="1")
    assert done.status == 0, done.err
    assert "selftest epochs=5 members=12 weights=26 same" in done.out
    assert "stop reason=self-test at=5" in done.out


def test_a_self_test_writes_no_file(metal: Path, tmp_path: Path) -> None:
    """A few epochs of it may not take the place of what a run has saved: not even with all that a program can write."""
    names = ("--save-model-all", "--save-model", "--metrics-file")
    kept = {name: tmp_path / f"{name.removeprefix('--')}.safetensors" for name in names}
    for file in kept.values():
        file.write_text("from before", encoding="utf-8")
    options = [word for name, file in kept.items() for word in (name, str(file))]
    done = emulated_once(metal, *options, "--save-every", "1", GEODE_SELFTEST="1")
    assert done.status == 0, done.err
    assert "selftest epochs=5 members=12 weights=26 same" in done.out
    assert sorted(tmp_path.iterdir()) == sorted(kept.values())
    assert {file.read_text("utf-8") for file in kept.values()} == {"from before"}
    assert emulated_once(metal, *options).status == 0
    assert "from before" not in {file.read_bytes()[:11].decode("latin-1") for file in kept.values()}


@pytest.mark.slow
def test_a_self_test_predicts_nothing(tmp_path: Path) -> None:
    """PREDICT's file stays as it was; the stages around it run."""
    text = for_metal(SMALL.format(settings=SETTINGS["sgd"], batch="ALL"))
    (tmp_path / "before.csv").write_text("from before", encoding="utf-8")
    predict = f'[\'] OBJECTIVE TRAIN "datasets/xor.csv" 3 CSV-INPUT ALL [\'] NETWORK "{tmp_path}/before.csv" PREDICT ;'
    assert text.count("['] OBJECTIVE TRAIN ;") == 1
    (tmp_path / "p.gs").write_text(text.replace("['] OBJECTIVE TRAIN ;", predict), encoding="utf-8")
    program = build(tmp_path / "p.gs", tmp_path / "out", *SMALL_BUILD)
    done = emulated_once(program, GEODE_SELFTEST="1")
    assert (done.status, "selftest epochs=5" in done.out) == (0, True), done.err
    assert (tmp_path / "before.csv").read_text("utf-8") == "from before"
    assert emulated_once(program).status == 0
    assert (tmp_path / "before.csv").read_text("utf-8").count("\n") > 1


@pytest.mark.slow
def test_the_self_test_names_what_differs(source: Path, metal: Path, tmp_path: Path) -> None:
    """A wrong constant of ADAM: the first entry, with both values."""
    text = compile_program(file_to_text(str(source))).kernels
    wrong = text.replace("args.kept1 * g;", "args.kept2 * g;")
    assert wrong != text
    kernels = tmp_path / "kernels.metal"
    kernels.write_text(wrong, encoding="utf-8")
    done = run(metal, kernels, GEODE_SELFTEST="1")
    assert done.status == 5
    assert "self-test: epoch 0: weights " in done.err
