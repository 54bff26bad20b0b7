/* gs_predict.c -- tiles in turns of a few for each worker; a tile's text has a place of its own, so the order is the rows'. */
#include "gs_predict.h"

#include "gs_metrics.h"

#define TILES_A_WORKER 8 /* at a time, so that none waits long for the slowest */
#define MOST_TEXT ((size_t)16 << 20) /* bytes of one turn, if that is not less than a tile for each worker */

struct turn {
    struct gs_evaluator *evaluator;
    size_t first, outputs, room; /* of the first tile of the turn; a tile's bytes */
    char *texts;
    size_t *lengths;
};

static void write_tile(void *context, size_t worker, size_t item) {
    const struct turn *turn = context;
    const struct gs_dataset *data = &turn->evaluator->data;
    const size_t tile = turn->first + item;
    const float *out = gs_evaluate_tile(turn->evaluator, worker, tile);
    char *text = turn->texts + item * turn->room, *end = text;
    for (size_t l = 0; l < data->lanes && (uint64_t)tile * data->lanes + l < data->rows; l++) {
        for (size_t k = 0; k < turn->outputs; k++) {
            if (k > 0) *end++ = ',';
            end += gs_metrics_put(end, (double)out[k * data->lanes + l]);
        }
        *end++ = '\n';
    }
    turn->lengths[item] = (size_t)(end - text);
}

bool gs_predict_write(struct gs_evaluator *evaluator, struct gs_arena *arena, size_t outputs, FILE *file) {
    const size_t workers = gs_pool_size(evaluator->pool), tiles = evaluator->data.tile_count;
    const size_t room = evaluator->data.lanes * (outputs * GS_METRICS_NUMBER + 1);
    size_t most = TILES_A_WORKER * workers;
    if (most > MOST_TEXT / room) most = MOST_TEXT / room > workers ? MOST_TEXT / room : workers;
    if (most > tiles) most = tiles;
    struct turn turn = {evaluator, 0, outputs, room, gs_arena_take(arena, most, room, "the text of predictions"),
                        gs_arena_take(arena, most, sizeof(size_t), "the text of predictions")};
    for (; turn.first < tiles; turn.first += most) {
        const size_t count = tiles - turn.first < most ? tiles - turn.first : most;
        gs_pool_run(evaluator->pool, write_tile, &turn, count);
        for (size_t i = 0; i < count; i++) {
            const size_t length = turn.lengths[i];
            if (fwrite(turn.texts + i * room, 1, length, file) != length) return false;
        }
    }
    return true;
}
