"""GS6xx: settings and stages.

In: nothing. Out: `CODES`. Invariant: every code here is about `MAIN` or a word that it calls.
"""

from __future__ import annotations

from geode.codes.code import GOAL, OBJECTIVE, PROGRAM, RUN, TRAIN, Code

CODES: dict[str, Code] = {
    "GS601": Code(
        "there is no `MAIN`",
        "Execution starts at the word `MAIN`, which sets the settings, reads the data and trains.",
        ": F ( r -- r ) 2* ;\n",
        ": F ( r -- r ) 2* ;\n" + PROGRAM,
    ),
    "GS602": Code(
        "a setting gets a value of another type",
        "A settings word takes a literal, a CONSTANT or arithmetic on them, of the type that it names.",
        OBJECTIVE + ': MAIN ( -- ) OBJECTIVE-LOSS "many" EPOCHS\n' + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 50 EPOCHS\n" + TRAIN,
    ),
    "GS603": Code(
        "a setting is out of its range",
        "The message says what the setting takes. Settings that contradict each other (ANTITHETIC with an odd "
        "POPULATION) are told at the TRAIN that uses them.",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 1 POPULATION\n" + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 64 POPULATION\n" + TRAIN,
    ),
    "GS604": Code(
        "two words choose the same thing",
        "Two optimizers, shapings, perturbations, schedules or directions with no TRAIN between them contradict each other. A "
        "value set twice is no error: the later one holds.",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS ADAM-UPDATES MUON-UPDATES\n" + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS MUON-UPDATES\n" + TRAIN,
    ),
    "GS605": Code(
        "neither OBJECTIVE-LOSS nor OBJECTIVE-REWARD",
        "TRAIN minimises or maximises: one of the two words stands before it.",
        OBJECTIVE + ": MAIN ( -- )\n" + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS606": Code(
        "a stage's word has the wrong effect",
        "TRAIN takes the token of a word of this program that is given the data's rows and leaves one number: "
        "`( r:b:k -- r )`, or `( r:k -- r )`, whose mean over the rows is the score.",
        ": OBJECTIVE ( r:b:4 -- r:b ) SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
        ": OBJECTIVE ( r:b:4 -- r ) SUM SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS607": Code(
        "`MAIN` is no program",
        "`MAIN` takes and leaves nothing, and runs at least one stage.",
        ": MAIN ( -- ) OBJECTIVE-LOSS ;\n",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS608": Code(
        "a word stands on the wrong side of compiling",
        "`MAIN` and the words that it calls run while compiling: they hold settings, data and stages. Words that "
        "compute run in the program, and cannot change its settings.",
        ": OBJECTIVE ( r:b:4 -- r ) 5 EPOCHS SUM SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 5 EPOCHS\n" + TRAIN,
    ),
    "GS609": Code(
        "a CONSTANT is no constant",
        "A CONSTANT is one value: an integer, a real or a string, or arithmetic on literals and CONSTANTs.",
        "1 2 CONSTANT A\n" + OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
        "1 2 + CONSTANT A\n" + OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS610": Code(
        "a data or stage word gets something else",
        'Data, rows and a word come in this order: `"rows.csv" 100 CSV-INPUT ALL [\'] OBJECTIVE TRAIN`.',
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 4 ALL ['] OBJECTIVE TRAIN ;\n",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
    ),
    "GS611": Code(
        "`-D` names no CONSTANT, or gives it another type",
        "`geode build -D HIDDEN=32` replaces the value of the CONSTANT `HIDDEN`. The program must define it, and the "
        "new value has the type of the old one; an integer may stand where a real does.",
        ": OBJECTIVE ( r:b:4 -- r ) 8 LINEAR TRAINABLE SUM SUM ;\n: MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
        "8 CONSTANT HIDDEN\n: OBJECTIVE ( r:b:4 -- r ) HIDDEN LINEAR TRAINABLE SUM SUM ;\n"
        ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN,
        (("HIDDEN", "16"),),
    ),
    "GS612": Code(
        "a program that its target cannot run",
        "What a GPU lacks. A TRAIN with `TARGET-APPLE-METAL` or `TARGET-CUDA` has no `BF16`. Kernels count to 2147483647: a "
        "weight that is trained takes 7 numbers, one that is not 2, a square matrix under MUON 11 a weight. That is room for "
        "306 million trained weights, or 195 million under MUON. "
        "What is only evaluated or predicted runs on the CPU, with everything.",
        "TARGET-APPLE-METAL\n" + OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 0.1 EGGROLL-R1 BF16\n" + TRAIN,
        "TARGET-APPLE-METAL\n" + OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS 0.1 EGGROLL-R1\n" + TRAIN,
    ),
    "GS613": Code(
        "a setting stands after the last stage that it could hold for",
        "Settings hold for the stages behind them: they stand before TRAIN. Behind the last TRAIN only `SEED`, `WORKERS`, "
        "`LOOP-LIMIT`, `BF16`, `FLOAT32` and `RESUME-MODEL` may stand, where an EVALUATE or PREDICT follows.",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS\n" + TRAIN[: TRAIN.rindex(";")] + '"m.safetensors" SAVE-MODEL ;\n',
        OBJECTIVE + ': MAIN ( -- ) OBJECTIVE-LOSS "m.safetensors" SAVE-MODEL\n' + TRAIN,
    ),
    "GS614": Code(
        "raw scores without a baseline (a warning)",
        "With `SCORE-RAW` a member's weight is its score. Under `INDEPENDENT` nothing is subtracted from it, so that a "
        "common part of all scores, however large, multiplies the noise. `SCORE-ZSCORE` subtracts the mean.",
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS SCORE-RAW\n" + TRAIN,
        OBJECTIVE + ": MAIN ( -- ) OBJECTIVE-LOSS SCORE-ZSCORE\n" + TRAIN,
    ),
    "GS615": Code(
        "a setting that no TRAIN uses (a warning)",
        "A constant of an optimizer that is not chosen, or `SAVE-EVERY` without `SAVE-MODEL-ALL`'s file. The binary's options "
        "may still choose the optimizer or name the file. `MUON-UPDATES` uses the constants of ADAM too.",
        GOAL + ": MAIN ( -- ) 0.95 SGDM-BETA! ADAM-UPDATES " + RUN,
        GOAL + ": MAIN ( -- ) 0.95 SGDM-BETA! SGDM-UPDATES " + RUN,
    ),
    "GS616": Code(
        "nothing is TRAINABLE (a warning)",
        "TRAIN changes the weights that `TRAINABLE` marks. Where a stage's word reaches none, all its epochs score the same "
        "weights.",
        ": GOAL ( -- r ) r PARAM SQUARE ;\n: MAIN ( -- ) " + RUN,
        PROGRAM,
    ),
    "GS617": Code(
        "a file that would take the place of another (a warning)",
        "Two words write one file, or a word writes a file that the program reads: the binary refuses to run so, unless its "
        "options name other files. SAVE-MODEL writes NAME.best-member.EXTENSION and NAME.best-weights.EXTENSION too.",
        GOAL + ': MAIN ( -- ) "m.safetensors" SAVE-MODEL "m.safetensors" SAVE-MODEL-ALL ' + RUN,
        GOAL + ': MAIN ( -- ) "m.safetensors" SAVE-MODEL "state.safetensors" SAVE-MODEL-ALL ' + RUN,
    ),
}
