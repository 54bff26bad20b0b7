"""The mutants, in the order of an epoch: streams, members, scores, weights, estimate, update, schedules, stop rules, files.

Invariant: each is one line of C that compiles without a warning and computes something else than engine.md says.
"""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_C_TESTS = "tests/runtime/test_runtime.py"
_SHAPING = ("tests/differential/test_shaping_updates.py", "-k", "shaping or utilities")
_SUMS = ("tests/differential/test_shaping_updates.py", "-k", "sums")
_INITS = ("tests/differential/test_shaping_updates.py", "-k", "initial")
_COSINES = ("tests/differential/test_shaping_updates.py", "-k", "cosines")
_NORMALS = ("tests/differential/test_normals.py",)
_ESTIMATES = ("tests/differential/test_estimates_updates.py", "-k", "estimates")
_OUTER = ("tests/runtime/test_runtime.py", "-k", "test_outer and gcc")
_UPDATES = ("tests/differential/test_estimates_updates.py", "-k", "updates")
_MUON = ("tests/differential/test_estimates_updates.py", "-k", "muon")
_TRAINING = ("tests/differential/test_quick_start.py", "-k", "every_optimizer and antithetic")
_SETTINGS = ("tests/differential/test_quick_start.py", "-k", "every_setting")
_DRAWS = ("tests/differential/test_draws.py",)
_LUCK = ("tests/differential/test_quick_start.py", "-k", "luck")
_LOW_RANK = ("tests/differential/test_low_rank.py", "-k", "every_form and antithetic or filters")
_STAGES = ("tests/runtime/test_stages.py",)
_PROGRAM = ("tests/runtime/test_program.py", "-k", "schedules or stop_rules")
_RESUME = ("tests/differential/test_resume.py", "-k", "resumed_at_every")
_BEST = ("tests/differential/test_resume.py", "-k", "the_best")
_BAD = ("tests/differential/test_bad_numbers.py",)


def _c(name: str) -> tuple[str, ...]:
    return (_C_TESTS, "-k", name)


STREAMS = (
    Mutant("epoch missing from the key", "gs_noise.c", "0x45535F45504F4348u ^ epoch)", "0x45535F45504F4348u ^ (epoch & 0))",
           _NORMALS),
    Mutant("pair missing from the key", "gs_noise.c", "0x45535F504149525Fu ^ pair)", "0x45535F504149525Fu ^ (pair & 0))",
           _NORMALS),
    Mutant("seed and stream exchanged in the key", "gs_noise.c", "gs_splitmix64(hi ^ gs_splitmix64(lo))",
           "gs_splitmix64(lo ^ gs_splitmix64(hi))", _NORMALS),
    Mutant("nine rounds of Philox", "gs_noise.c", "round < 10", "round < 9", _c("philox")),
    Mutant("cosine and sine exchanged in a normal", "gs_noise.c", "store_interleaved((gs_u32s)z.cos, (gs_u32s)z.sin, out + 4",
           "store_interleaved((gs_u32s)z.sin, (gs_u32s)z.cos, out + 4", _NORMALS),
    Mutant("a bit of 0 gives -1", "gs_noise.c", "out[i] = 1.0f - 2.0f * (float)", "out[i] = -1.0f + 2.0f * (float)",
           _c("signs")),
    Mutant("uniform weights from 0 upwards", "gs_init.c", "bound * (2.0f * u - 1.0f)", "bound * u", _INITS),
    Mutant("an orthogonal start along the longer side", "gs_init.c", "if (m <= n) {", "if (m >= n) {", _INITS),
    Mutant("the shuffle ignores the pass", "gs_shuffle.c", "shuffle->seed, shuffle->pass, 0)",
           "shuffle->seed, shuffle->pass & 0, 0)", _STAGES),
    Mutant("RAND of 25 bits", "gs_random.c", "(float)(word >> 8) * 0x1p-24f", "(float)(word >> 7) * 0x1p-25f", _DRAWS),
    Mutant("MEMBER-RANDN ignores the member", "gs_random.c", "gs_splitmix64(row) ^ member : row",
           "gs_splitmix64(row) ^ (member & 0) : row", _LUCK),
)  # fmt: skip

MEMBERS = (
    Mutant("sign of s", "gs_member.c", "minus->ss = -plus->ss;", "minus->ss = plus->ss;", _TRAINING),
    Mutant("no 1/sqrt(r) in a member", "gs_member.c", "(float)(sigma / __builtin_sqrt((double)model->rank))",
           "(float)sigma", _LOW_RANK),
    Mutant("pair = member under ANTITHETIC", "gs_evaluate.c", "job->draw.epoch, pair, noise);",
           "job->draw.epoch, job->evaluator->antithetic ? 2 * pair : pair, noise);", _TRAINING),
    Mutant("B and A exchanged: A is read where B lies", "gs_member.c", "plus->a = gs_model_a(model, p, noise);",
           "plus->a = noise + model->noise_at[p];", _LOW_RANK),
    Mutant("B and A exchanged: A is drawn where B begins", "gs_factors.c", "(uint64_t)(factors->n + first) * factors->rank",
           "(uint64_t)first * factors->rank", _c("factors")),
    Mutant("factors column by column", "gs_factors.c", "out[done % rank * stride + done / rank] = drawn[i]",
           "out[done / count * stride + done % count] = drawn[i]", _c("factors")),
    Mutant("NOISE-REUSE multiplies", "gs_es.c", "training->run->epoch / settings->noise_reuse",
           "training->run->epoch * settings->noise_reuse", _SETTINGS),
    Mutant("a member's weights without fma", "gs_member.c", "out[i] = __builtin_fmaf(ss, e[i], w[i])",
           "out[i] = ss * e[i] + w[i]", ("tests/differential/test_member_weights.py",)),
    Mutant("s sigma t not rounded on its own", "kernels/gs_factored.h",
           "acc = __builtin_fmaf(slot->a[j * rank + k], scaled, acc);",
           "acc = __builtin_fmaf(slot->a[j * rank + k] * (scaled != 0.0f ? slot->ss : 0.0f), t[k * positions + i], acc);",
           _c("uniform")),
    Mutant("noise without a scale", "gs_tile.h", "gs_ne(ss, gs_set(0.0f)) & gs_bits(x)",
           "(gs_ne(ss, gs_set(0.0f)) | -1) & gs_bits(x)", _BAD),
    Mutant("a layer's chain without fma", "kernels/gs_linear.h", "acc[j][q] = gs_fma(weight, in[q], acc[j][q])",
           "acc[j][q] = gs_add(gs_mul(weight, in[q]), acc[j][q])", _c("one_chain")),
)  # fmt: skip

SCORES = (
    Mutant("blocks of 480 rows", "gs_batch_sum.h", "#define GS_BLOCK_ROWS 960", "#define GS_BLOCK_ROWS 480", _SUMS),
    Mutant("partial sums combined from left to right", "gs_batch_sum.h", "gs_batch_apply(op, p[0], p[4])",
           "gs_batch_apply(op, p[0], p[1])", _SUMS),
    Mutant("a loss is maximised", "gs_es.c", "training->minimise ? -training->scores[i] : training->scores[i]",
           "training->minimise ? training->scores[i] : training->scores[i]", _TRAINING),
    Mutant("an infinite score counts", "gs_es.c", "score - score == 0.0 ? score", "score == score ? score", _BAD),
    Mutant("ties for best go to the highest member", "gs_metrics.c", "(minimise ? x < scores[best] : x > scores[best])",
           "(minimise ? x <= scores[best] : x >= scores[best])", ("tests/differential/test_flat.py",)),
    Mutant("worst is the best of the others", "gs_metrics.c", "(minimise ? x > worst : x < worst)",
           "(minimise ? x < worst : x > worst)", _TRAINING),
    Mutant("a new best must not be better", "gs_es.c", "training->minimise ? a < b : a > b",
           "training->minimise ? a <= b : a >= b", ("tests/differential/test_flat.py",)),
    Mutant("luck begins again with each stage", "gs_es.c", "training->evaluator.draw_epoch = run->epoch;",
           "training->evaluator.draw_epoch = run->progress.epochs;", _LUCK),
    Mutant("mean over NaN members too", "gs_metrics.c", "sum / (double)valid", "sum / (double)count", _BAD),
    Mutant("std over NaN members too", "gs_metrics.c", "__builtin_sqrt(squares / (double)valid)",
           "__builtin_sqrt(squares / (double)count)", _BAD),
)  # fmt: skip

WEIGHTS = (
    Mutant("UTILITY without N", "gs_shaping.c", "(double)n * utility[i] / sum - 1.0",
           "utility[i] / sum - 1.0 / (double)n", _SHAPING),
    Mutant("UTILITY from ln(N/2)", "gs_shaping.c", "gs_ln(0.5 * (double)n + 1.0)", "gs_ln(0.5 * (double)n)", _SHAPING),
    Mutant("ties take the first rank", "gs_shaping.c", "0.5 * (double)(first + last) / (double)(n - 1)",
           "(double)first / (double)(n - 1)", _SHAPING),
    Mutant("tied utilities add up", "gs_shaping.c", "return sum / (double)(last - first + 1);", "return sum;", _SHAPING),
    Mutant("ranks divided by N", "gs_shaping.c", "(double)(first + last) / (double)(n - 1)",
           "(double)(first + last) / (double)n", _SHAPING),
    Mutant("NaN ranks above all", "gs_shaping.c", "return is_nan(a) ? !is_nan(b) : a < b;",
           "return is_nan(b) ? !is_nan(a) : a < b;", _SHAPING),
    Mutant("a NaN's partner pulls alone", "gs_shaping.c", "shaper->antithetic && is_nan(fitness[i ^ 1])",
           "shaper->antithetic && is_nan(fitness[i])", _SHAPING),
    Mutant("ZSCORE with the sample's variance", "gs_shaping.c", "__builtin_sqrt(squares / valid)",
           "__builtin_sqrt(squares / (valid - 1.0))", _SHAPING),
    Mutant("flat scores are not noticed", "gs_shaping.c", "if (least != most) return false;",
           "if (least <= most) return false;", _SHAPING),
    Mutant("SIGN of 1", "gs_shaping.c", "first_wins ? 0.5 : -0.5", "first_wins ? 1.0 : -1.0", _SHAPING),
)  # fmt: skip

ESTIMATES = (
    Mutant("no 1/sigma", "gs_estimate.c", "job->members * job->draw.sigma *", "job->members *", _ESTIMATES),
    Mutant("1/r for 1/sqrt(r)", "gs_estimate.c", "job->draw.sigma * __builtin_sqrt(rank)", "job->draw.sigma * rank",
           _ESTIMATES),
    Mutant("N counts pairs", "gs_estimate.c", "(estimator->antithetic ? 2.0 : 1.0)", "(estimator->antithetic ? 1.0 : 1.0)",
           _ESTIMATES),
    Mutant("a pair's weights added", "gs_estimate.c", "weights[2 * k] - weights[2 * k + 1]",
           "weights[2 * k] + weights[2 * k + 1]", _ESTIMATES),
    Mutant("chains of 2048 pairs", "gs_outer.h", "#define GS_CHUNK_PAIRS 1024", "#define GS_CHUNK_PAIRS 2048",
           _ESTIMATES),
    Mutant("a link without fma", "gs_estimate.c", "float s = __builtin_fmaf(d0, e0[i], sum[i]);",
           "float s = d0 * e0[i] + sum[i];", _ESTIMATES),
    Mutant("noise drawn again from the patch's start", "gs_estimate.c",
           "job->draw.epoch, pair), patch->column, patch->columns, piece);",
           "job->draw.epoch, pair), 0, patch->columns, piece);", _ESTIMATES),
    Mutant("wide matrices: the last chunk alone", "gs_outer.c", "if (!batch->first_chunk) total = out[j] + total;", "",
           _OUTER),
    Mutant("wide matrices: the weight added", "gs_outer.c", "d * a[k][i * rank + q]", "d + a[k][i * rank + q]", _OUTER),
)  # fmt: skip

UPDATES = (
    Mutant("decay's sign", "gs_update.c", "w[i] = w[i] - f->decay * w[i];", "w[i] = w[i] + f->decay * w[i];", _UPDATES),
    Mutant("decay without alpha", "gs_update.c", "(float)(alpha * s->weight_decay)", "(float)s->weight_decay", _UPDATES),
    Mutant("SGD descends", "gs_update.c", "w[i] = __builtin_fmaf(f->alpha, g[i], w[i]);",
           "w[i] = __builtin_fmaf(-f->alpha, g[i], w[i]);", _UPDATES),
    Mutant("SGD without fma", "gs_update.c", "w[i] = __builtin_fmaf(f->alpha, g[i], w[i]);",
           "w[i] = w[i] + f->alpha * g[i];", _UPDATES),
    Mutant("SGDM forgets its momentum", "gs_update.c", "w[i] = __builtin_fmaf(f->alpha, v[i], w[i]);",
           "w[i] = __builtin_fmaf(f->alpha, g[i], w[i]);", _UPDATES),
    Mutant("RMSPROP's epsilon inside the root", "gs_update.c", "(__builtin_sqrtf(q[i]) + f->epsilon)",
           "__builtin_sqrtf(q[i] + f->epsilon)", _UPDATES),
    Mutant("RMSPROP squares first", "gs_update.c", "f->beta * q[i] + f->kept * g[i] * g[i];",
           "f->beta * q[i] + f->kept * (g[i] * g[i]);", _UPDATES),
    Mutant("ADAM's epsilon inside the root", "gs_update.c", "(__builtin_sqrtf(v[i] / f->correction2) + f->epsilon)",
           "__builtin_sqrtf(v[i] / f->correction2 + f->epsilon)", _UPDATES),
    Mutant("ADAM counts k from 0", "gs_update.c", "gs_power(s->adam_beta1, state->steps)",
           "gs_power(s->adam_beta1, state->steps - 1)", _UPDATES),
    Mutant("ADAM's squares keep their bias", "gs_update.c", "__builtin_sqrtf(v[i] / f->correction2)",
           "__builtin_sqrtf(v[i])", _UPDATES),
    Mutant("clipping to c, not to c over the norm", "gs_update.c", "(float)(settings->update_clip / norm)",
           "(float)settings->update_clip", _UPDATES),
    Mutant("ADAM's squares forget as its mean does", "gs_update.c", "f.kept2 = (float)(1.0 - s->adam_beta2);",
           "f.kept2 = (float)(1.0 - s->adam_beta1);", _UPDATES),
    Mutant("ADAM's squares are corrected as its mean is", "gs_update.c", "gs_power(s->adam_beta2, state->steps)",
           "gs_power(s->adam_beta1, state->steps)", _UPDATES),
    Mutant("RMSPROP with ADAM's epsilon", "gs_update.c", "GS_OPTIMIZER_RMSPROP ? s->rmsprop_epsilon",
           "GS_OPTIMIZER_RMSPROP ? s->adam_epsilon", _UPDATES),
    Mutant("RMSPROP divides before it multiplies", "gs_update.c",
           "w[i] + f->alpha * g[i] / (__builtin_sqrtf(q[i]) + f->epsilon)",
           "w[i] + f->alpha * (g[i] / (__builtin_sqrtf(q[i]) + f->epsilon))", _UPDATES),
    Mutant("MUON with SGDM's momentum", "gs_update.c", "f.beta = (float)s->muon_beta", "f.beta = (float)s->sgdm_beta", _UPDATES),
    Mutant("a norm of float32 squares", "gs_update.c", "sum += (double)x[i] * (double)x[i];", "sum += (double)(x[i] * x[i]);",
           _UPDATES),
    Mutant("MUON's step by the shorter side", "gs_update.c", "longer = parameter->m > parameter->n ?",
           "longer = parameter->m < parameter->n ?", _UPDATES),
    Mutant("no transposition in MUON", "gs_muon.c", "transpose(out, muon->x, m, n);",
           "memcpy(muon->x, out, entries * sizeof *out);", _MUON),
    Mutant("MUON's b is -4.75", "gs_muon.c", "muon_b = -4.7750f", "muon_b = -4.7500f", _MUON),
    Mutant("MUON's Y without fma", "gs_muon.c", "__builtin_fmaf(muon_c, entry, muon_b * job->muon->a[start + j])",
           "muon_c * entry + muon_b * job->muon->a[start + j]", _MUON),
    Mutant("MUON divides by a norm of 0", "gs_muon.c", "if (norm == 0.0) {", "if (norm < 0.0) {", _c("muon and zero")),
)  # fmt: skip

SCHEDULES = (
    Mutant("a cosine upside down", "gs_schedule.c", "0.5 * (1.0 + gs_cos_turn(", "0.5 * (1.0 - gs_cos_turn(", _PROGRAM),
    Mutant("sigma falls to a ninth", "gs_schedule.c", "s->sigma / 10.0", "s->sigma / 9.0", _PROGRAM),
    Mutant("the warm-up begins at 0", "gs_schedule.c", "(double)(t + 1) / (double)s->muon_warmup",
           "(double)t / (double)s->muon_warmup", _PROGRAM),
    Mutant("alpha's decay is an epoch ahead", "gs_schedule.c", "gs_power(s->alpha_factor, t)", "gs_power(s->alpha_factor, t + 1)",
           _PROGRAM),
    Mutant("sigma's decay is an epoch ahead", "gs_schedule.c", "gs_power(s->sigma_factor, t)", "gs_power(s->sigma_factor, t + 1)",
           _PROGRAM),
    Mutant("every optimizer has MUON's warm-up", "gs_schedule.c", "s->optimizer == GS_OPTIMIZER_MUON && t < s->muon_warmup",
           "s->optimizer <= GS_OPTIMIZER_MUON && t < s->muon_warmup", _PROGRAM),
    Mutant("the center an epoch late", "gs_es.c", "t % settings->evaluate_every == 0;",
           "(t + 1) % settings->evaluate_every == 0;", _SETTINGS),
    Mutant("a cosine of the wrong quarter", "gs_series.c", "if (2 * t > n) return 0.0 - gs_cos_turn(n - t, n);",
           "if (2 * t > n) return gs_cos_turn(n - t, n);", _COSINES),
    Mutant("STOP-BELOW stops at the score itself", "gs_es.c", "progress->score < settings->stop_below",
           "progress->score <= settings->stop_below", _PROGRAM),
    Mutant("STOP-ABOVE stops at the score itself", "gs_es.c", "progress->score > settings->stop_above",
           "progress->score >= settings->stop_above", _PROGRAM),
    Mutant("PATIENCE counts from 1", "gs_es.c", "news ? 0 : progress->waited + 1", "news ? 1 : progress->waited + 1",
           _PROGRAM),
)  # fmt: skip

FILES = (
    Mutant("an estimate may be infinite", "gs_finite.c", "if (gs_finite_norm(norm)) return;", "if (norm == norm) return;",
           _BAD),
    Mutant("moments may be infinite", "gs_finite.c", "#define GS_LARGE 1e15", "#define GS_LARGE 1e36", _BAD),
    Mutant("a pass ends before its last batch", "gs_shuffle.c", "shuffle->all.rows - shuffle->cursor < shuffle->batch.rows",
           "shuffle->all.rows - shuffle->cursor <= shuffle->batch.rows", _STAGES),
    Mutant("NaN members are not added up", "gs_es.c", "run->nan_members += record->nan;", "run->nan_members = record->nan;",
           ("tests/differential/test_resume.py", "-k", "nan_members")),
    Mutant("a resumed batch begins the next pass", "gs_shuffle.c", "shuffle->cursor = cursor - rows;",
           "shuffle->cursor = cursor;", _RESUME),
    Mutant("the best member's pair is the member", "gs_es.c", "antithetic ? member / 2 : member, minus",
           "member, minus", _BEST),
    Mutant("the best member's sign is +", "gs_member.c", "minus ? -draw.sigma : draw.sigma",
           "minus ? draw.sigma : draw.sigma", _BEST),
    Mutant("a new best leaves the waiting as it was", "gs_es.c", "news ? 0 : progress->waited + 1",
           "news && progress->waited == 0 ? 0 : progress->waited + 1",
           ("tests/runtime/test_program.py", "-k", "patience")),
)  # fmt: skip

MUTANTS = (*STREAMS, *MEMBERS, *SCORES, *WEIGHTS, *ESTIMATES, *UPDATES, *SCHEDULES, *FILES)
