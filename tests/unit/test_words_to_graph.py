"""What words mean: shapes, lifting, layers, names of parameters, locals, loops (language.md, sections 1 to 6)."""

from __future__ import annotations

import pytest

from tests.harness.programs import checked, codes, compiled, errors, parameters

# --- signatures, both ways


@pytest.mark.parametrize(
    "words",
    [
        ": F ( r:k r:k -- r:k ) + ; : OBJECTIVE ( r:b:4 -- r ) DUP F SUM SUM ;",
        ": F ( r:* r:* -- r ) - SUM ; : OBJECTIVE ( r:b:4 -- r ) DUP F SUM ;",
        ": F ( left:r:4 scale:r -- both:r:4 ) * ; : OBJECTIVE ( r:b:4 -- r ) 2 F SUM SUM ;",
        "4 CONSTANT N : F ( r:N -- r:N ) ; : OBJECTIVE ( r:b:N -- r ) F SUM SUM ;",
        "4 CONSTANT n : F ( r:n -- r:n ) ; : OBJECTIVE ( r:b:4 -- r ) F SUM SUM ;",
        ": F ( n -- n ) 1+ ; : OBJECTIVE ( r:b:4 -- r ) 2 F LINEAR SUM SUM ;",
        ": F ( n -- r ) ; : OBJECTIVE ( r:b:4 -- r ) 2 F * SUM SUM ;",
        ": F ( f -- r ) ; : OBJECTIVE ( r:b:4 -- r ) SUM 0> F SUM ;",
        ': F ( s -- ) DROP ; : OBJECTIVE ( r:b:4 -- r ) "text" F SUM SUM ;',
        ": F ( xt -- xt ) ; : OBJECTIVE ( r:b:4 -- r ) ['] SUM F DROP SUM SUM ;",
        ": F ( -- r r:2 ) 1 r:2 ZEROS ; : OBJECTIVE ( r:b:4 -- r ) F DROP DROP SUM SUM ;",
    ],
)
def test_what_fits_its_signature_compiles(words: str) -> None:
    """Variables, stars, CONSTANTs, labels and every kind of value."""
    compiled(words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (": F ( r:k r:k -- r:k ) + ; : OBJECTIVE ( r:b:4 -- r ) DUP 3 LINEAR F SUM SUM ;", ["GS303"]),
        (": F ( r:* r:* -- r ) DROP SUM ; : OBJECTIVE ( r:b:4 -- r ) 1 F SUM ;", ["GS303"]),
        (": OBJECTIVE ( r:b:4 -- r ) r:1:1:1:1:1:1:1:1:1 PARAM SUM SUM ;", ["GS311"]),
        (': OBJECTIVE ( r:b:4 -- r ) "t.csv" r:1:1:1:1:1:1:1:1:1 TABLE SUM SUM ;', ["GS311"]),
        (': OBJECTIVE ( r:b:4 -- r ) "" r:4 TABLE + SUM SUM ;', ["GS303"]),
        (": OBJECTIVE ( r:b:4 -- r ) 3 r:4 TABLE + SUM SUM ;", ["GS303"]),
        (': OBJECTIVE ( r:b:4 -- r ) "t.csv" r:3 TABLE + SUM SUM ;', ["GS304"]),
        (': OBJECTIVE ( r:b:4 -- r ) "t.csv" r:4 TABLE TRAINABLE + SUM SUM ;', ["GS501"]),
        ("3 CONSTANT k : F ( r:k -- r:k ) ; : OBJECTIVE ( r:b:4 -- r ) F SUM SUM ;", ["GS303"]),
        (": F ( r:k -- r:k ) SUM ; : OBJECTIVE ( r:b:4 -- r ) F SUM SUM ;", ["GS301"]),
        (": F ( r:k -- r:j ) ; : G ( r:k -- r:k r:k ) DUP 3 LINEAR ; : OBJECTIVE ( r:b:4 -- r ) F G + SUM SUM ;",
         ["GS301"]),
        (": F ( n -- n ) 2.5 * ; : OBJECTIVE ( r:b:4 -- r ) 2 F LINEAR SUM SUM ;", ["GS301"]),
        (": F ( f -- f ) ; : OBJECTIVE ( r:b:4 -- r ) SUM F SUM ;", ["GS303"]),
        (": OBJECTIVE ( r:b:3 -- r ) SUM SUM ;", ["GS303"]),
        (": OBJECTIVE ( r:b:4 -- r:b ) SUM ;", ["GS606"]),
        (": F ( r:b:4 -- r ) SUM SUM ; : OBJECTIVE ( r:4 -- r ) F ;", ["GS306"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(words: str, expected: list[str]) -> None:
    """A signature is checked against what reaches a word and against what its body leaves."""
    assert codes(words) == expected


def test_one_run_reports_several_independent_mistakes() -> None:
    """A failing call leaves what it declares, so the words behind it are still checked."""
    words = """
: F ( r:4 -- r:4 ) SUM ;
: G ( r:4 -- r ) 3 LINEAR TRAINABLE + SUM ;
: H ( r:4 -- r:2 ) 3 LINEAR ;
: OBJECTIVE ( r:b:4 -- r ) F G DROP r:4 ZEROS H SUM ;
"""
    assert codes(words) == ["GS301", "GS302", "GS301"]


def test_an_error_shows_the_whole_stack_and_the_chain_of_calls() -> None:
    """The stack is the failing word's, the top last; the chain starts at the innermost call."""
    (error,) = errors(": F ( r:4 r -- r ) 3 LINEAR + SUM ;\n: G ( r:4 -- r ) 2 F ;\n: OBJECTIVE ( r:b:4 -- r ) G SUM ;")
    assert error.code == "GS303"
    assert error.stack == "r:b:4 r n"
    assert [(word, span.place()) for word, span in error.trail] == [("F", "t.gs:2:20"), ("G", "t.gs:3:28")]


# --- lifting


def test_a_word_of_one_row_is_applied_to_every_row() -> None:
    """( r:4 -- r:4 ) takes r:b:4 to r:b:4; what is one for all rows stays one."""
    shown = compiled(": F ( r:4 -- r:4 ) .S 2 * ; : OBJECTIVE ( r:b:4 -- r ) F .S r:4 ONES F .S DROP SUM SUM ;").shown
    assert [line.split(".S ")[1] for line in shown] == ["r:b:4", "r:b:4", "r:4", "r:b:4 r:4"]


def test_a_lifted_word_may_call_one_that_names_the_batch_and_reduces_nothing() -> None:
    """Only a reduction of the batch needs the whole batch."""
    compiled(": F ( r:b:4 -- r:b ) SUM ; : G ( r:4 -- r ) F ; : OBJECTIVE ( r:b:4 -- r ) G SUM ;")
    assert codes(": F ( r:b:4 -- r ) SUM SUM ; : G ( r:4 -- r ) F ; : OBJECTIVE ( r:b:4 -- r ) G SUM ;") == ["GS306"]


# --- numbers


@pytest.mark.parametrize(
    ("constants", "size"),
    [("7 2 -", 5), ("6 2 /", 3), ("7 4 MOD", 3), ("2 3 MAX", 3), ("3 NEGATE ABS", 3), ("2 1+ 1- 2*", 4), ("6 2/", 3)],
)
def test_arithmetic_of_constants_gives_a_size(constants: str, size: int) -> None:
    """An n of n is an n, and two constants that divide evenly give one too."""
    (weight,) = parameters(f": OBJECTIVE ( r:b:4 -- r ) {constants} LINEAR SUM SUM ;").values()
    assert weight.shape == (size, 4)


@pytest.mark.parametrize("constants", ["7 2 /", "5 2/", "3. 1 +", "2 SQUARE", "3 2.5 MAX", "TRUE", "3 { x } 4 TO x x"])
def test_what_is_no_n_is_no_size(constants: str) -> None:
    """A quotient that leaves a rest, a real, and an n that TO has changed are an r; a flag is an f."""
    assert codes(f": OBJECTIVE ( r:b:4 -- r ) {constants} LINEAR SUM SUM ;") == ["GS305"]


# --- layers


def test_layers_stay_open_through_words_that_declare_them() -> None:
    """INIT and TRAINABLE reach the parameter across the end of a definition with <layer>."""
    found = parameters(
        ": L ( <layer> n -- <layer> ) LINEAR ; : T ( <layer> -- <layer> ) INIT-HE TRAINABLE ; "
        ": OBJECTIVE ( r:b:4 -- r ) 3 L T 2 LINEAR SUM SUM ;"
    )
    assert [(p.name, p.trainable, p.init_word) for p in found.values()] == [
        ("L/weight", True, "INIT-HE"),
        ("weight", False, None),
    ]


@pytest.mark.parametrize(
    ("words", "closer"),
    [
        ("3 LINEAR RELU TRAINABLE SUM SUM", "`RELU`"),
        ("3 LINEAR { w } w TRAINABLE SUM SUM", "the local `w`"),
        ("3 LINEAR DUP TRAINABLE + SUM SUM", "`DUP`"),
        ("3 LINEAR PLAIN TRAINABLE SUM SUM", "`PLAIN`"),
        ("3 LINEAR 2 * TRAINABLE SUM SUM", "`*`"),
    ],
)
def test_the_word_that_closed_a_layer_is_named(words: str, closer: str) -> None:
    """TRAINABLE on a closed value says who closed it."""
    (error,) = errors(f": PLAIN ( r:3 -- r:3 ) ; : OBJECTIVE ( r:b:4 -- r ) {words} ;")
    assert error.code == "GS501"
    assert f"{closer} closed it" in error.message


# --- names of parameters


def test_parameters_are_named_by_their_call_sites() -> None:
    """The path below the trained word; the second call of a word in a word is numbered; layers count in one word."""
    found = parameters(
        ": NEURON ( <layer> n -- <layer> ) LINEAR TRAINABLE RELU ; "
        ": NET ( r:* -- r:4 ) 3 NEURON 2 NEURON 4 LINEAR RELU 4 LINEAR ; "
        ": OBJECTIVE ( r:b:4 -- r ) NET NET SUM SUM ;"
    )
    one = ["NEURON/weight", "NEURON.2/weight", "weight", "weight.2"]
    assert list(found) == [f"NET/{name}" for name in one] + [f"NET.2/{name}" for name in one]


def test_calls_are_counted_whether_they_are_compiled_or_not() -> None:
    """A branch that a CONSTANT leaves out renames nothing."""
    words = "{on} CONSTANT ON : L ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ; : OBJECTIVE ( r:b:4 -- r ) ON 0> IF L THEN L SUM SUM ;"
    assert list(parameters(words.replace("{on}", "1"))) == ["L/weight", "L.2/weight"]
    assert list(parameters(words.replace("{on}", "0"))) == ["L.2/weight"]


@pytest.mark.parametrize("mark", ["; SHARED", "; ['] L (SHARED)"])
def test_a_shared_word_has_one_set_of_weights(mark: str) -> None:
    """Its path starts at =WORD, wherever it is called."""
    found = parameters(
        f": L ( r:k -- r:k ) k LINEAR TRAINABLE {mark} : M ( r:4 -- r:4 ) L L ; : OBJECTIVE ( r:b:4 -- r ) M L SUM SUM ;"
    )
    assert list(found) == ["=L/weight"]


@pytest.mark.parametrize(
    "words",
    [
        ": L ( <layer> n -- <layer> ) LINEAR ; SHARED : OBJECTIVE ( r:b:4 -- r ) 4 L 3 L SUM SUM ;",
        ": L ( r:k r -- r:k ) * k LINEAR ; SHARED : OBJECTIVE ( r:b:4 -- r ) 2 L 3 L SUM SUM ;",
        ": L ( r:k -- r:k ) k LINEAR ; SHARED : OBJECTIVE ( r:b:4 -- r ) L 2 LINEAR L SUM SUM ;",
    ],
)
def test_calls_of_a_shared_word_have_the_same_shapes_and_constants(words: str) -> None:
    """The error names both call sites."""
    (error,) = errors(words)
    assert error.code == "GS503"
    ((_, earlier),) = error.notes
    assert earlier is not None
    assert error.span is not None
    assert earlier.start < error.span.start


def test_whether_a_value_is_batched_makes_no_difference_to_a_shared_word() -> None:
    """One row, and one for all rows, have the same row shape."""
    compiled(": L ( r:4 -- r:4 ) 4 LINEAR ; SHARED : OBJECTIVE ( r:b:4 -- r ) L r:4 ONES L + SUM SUM ;")


# --- locals


def test_the_last_local_named_was_on_top() -> None:
    """{ a b } takes b first."""
    (linear,) = parameters(": OBJECTIVE ( r:b:4 -- r ) 2 3 { a b } a LINEAR SUM SUM ;").values()
    assert linear.shape == (2, 4)


def test_a_local_hides_a_user_word_a_constant_a_dimension_and_the_scalar_shape() -> None:
    """Names are looked for among locals first."""
    found = parameters(
        "9 CONSTANT n : w ( -- n ) 8 ; "
        ": F ( r:k -- r ) { x } 1 2 3 5 { n w k r } x n LINEAR w LINEAR k LINEAR r LINEAR SUM ; "
        ": OBJECTIVE ( r:b:4 -- r ) F SUM ;"
    )
    assert [p.shape[0] for p in found.values()] == [1, 2, 3, 5]


def test_to_widens() -> None:
    """`0 { s } … TO s` with an r makes the local an r; a batched value makes it batched."""
    shown = compiled(": OBJECTIVE ( r:b:4 -- r ) SUM { x } 0 { s } s x + TO s s .S SUM ;").shown
    assert shown[0].endswith(".S r:b")


# --- loops


def test_a_step_that_the_turns_change_is_counted_by_the_loop() -> None:
    """0, 3 and 7 are below 10; three turns, not the four that a step of 3 would make."""
    graph = compiled(": OBJECTIVE ( r:b:4 -- r ) SUM { x } 2 { s } 10 0 DO s 1 + TO s x I + TO x s +LOOP x SUM ;")
    assert "turns carrying" not in graph.units[-1].graph
    constant = compiled(": OBJECTIVE ( r:b:4 -- r ) SUM { x } 10 0 DO x I + TO x 3 +LOOP x SUM ;")
    assert "4 turns carrying" in constant.units[-1].graph


# --- the batch


def test_a_reduction_of_the_batch_may_need_another() -> None:
    """Its result meets the rows again; what no weight reaches is reduced once a run."""
    graph = compiled(": OBJECTIVE ( r:b:4 -- r ) SUM DUP MEAN - SQUARE SUM ;").units[-1].graph
    assert "batch-mean %1 : r  run" in graph
    assert "batch-sum %4 : r  run" in graph
    trained = compiled(": OBJECTIVE ( r:b:4 -- r ) 2 LINEAR TRAINABLE SUM DUP MEAN - SQUARE SUM ;").units[-1]
    assert "batch-mean %4 : r  member" in trained.graph
    assert "member pass 1" in trained.loops


def test_a_word_with_weights_works_behind_a_reduction() -> None:
    """It is compiled into the trained word there, with the same names."""
    words = ": F ( r:3 -- r:2 ) 2 LINEAR TRAINABLE ; : OBJECTIVE ( r:b:4 -- r ) SUM SUM r:3 FILL F SUM ;"
    assert list(parameters(words)) == ["F/weight"]
    assert [unit.word for unit in compiled(words).units] == ["OBJECTIVE"]


# --- words that no stage reaches


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (": UNUSED ( r:4 -- r:4 ) SUM ;", ["GS301"]),
        (": UNUSED ( r:b:4 -- r ) SUM SUM SUM ;", ["GS306"]),
        (": UNUSED ( -- r ) ;", ["GS301"]),
        (": UNUSED ( r:4 -- r ) HELPER ; ", ["GS301"]),
        ("4 CONSTANT N : UNUSED ( r:N -- r ) ;", ["GS301"]),
    ],
)
def test_words_that_no_stage_reaches_are_checked(words: str, expected: list[str]) -> None:
    """Where the signature says what would reach them."""
    helper = ": HELPER ( r:k -- r ) ; " if "HELPER" in words else ""
    assert codes(helper + words + "\n: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;") == expected


@pytest.mark.parametrize(
    "words",
    [
        ": UNUSED ( r:k -- r:4 ) SUM ;",
        ": UNUSED ( <layer> -- r ) SUM SUM SUM ;",
        ": UNUSED ( n -- ) EPOCHS ;",
        ": UNUSED ( -- ) ADAM-UPDATES ; : UNUSED2 ( -- ) UNUSED 3 EPOCHS ;",
        ': UNUSED ( -- data ) "a.csv" 4 CSV-INPUT ;',
        ': UNUSED ( -- s ) "a.csv" ;',
        ": UNUSED ( -- n ) 3 4 + ;",
    ],
)
def test_words_whose_inputs_are_not_known_and_words_of_main_are_left_alone(words: str) -> None:
    """What shapes would reach them nobody knows; settings belong to MAIN."""
    compiled(words + "\n: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;")


def test_the_tree_of_a_trained_word_holds_its_parameters_in_the_order_of_their_calls() -> None:
    """Depth first, each once."""
    program = checked(
        ": L ( r:4 -- r:4 ) 4 LINEAR ; SHARED : M ( r:4 -- r:4 ) 4 LINEAR L ; : OBJECTIVE ( r:b:4 -- r ) L M SUM SUM ;"
    )
    names = [parameter.name for parameter in program.stages[0].root.all_parameters()]
    assert names == ["=L/weight", "M/weight"]
