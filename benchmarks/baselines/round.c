/* round.c -- one training round of the quick start's shape, written by hand for that shape alone.
 *
 * 1000 rows of 100, a network 100 -> 8 -> 100 with a ReLU, the summed squared error of reproducing the row, 128 antithetic
 * pairs, centred ranks, a plain gradient step. All noise of a round is kept, W x of the first layer is shared by the
 * population and E x by the two members of a pair, the loss is fused into the last layer, sums go lane by lane.
 *
 * usage: round dense|eggroll|inference WORKERS ROUNDS
 * prints {"seconds": best round, "median": ..., "loss": mean over members and rows after the last round}
 *
 * inference is the same number of forward passes, 256 x 1000 rows, with the same unperturbed weights. */
#include "normals.h"

enum { ROWS = 1000, INPUTS = 100, HIDDEN = 8, MEMBERS = 256, PAIRS = MEMBERS / 2 };
enum { VECTORS = WIDTH == 16 ? 3 : 1, LANES = VECTORS * WIDTH, TILES = (ROWS + LANES - 1) / LANES };
/* Where things stand in the weights and in a pair's noise. */
enum { W1 = 0, B1 = 800, W2 = 808, B2 = 1608, DENSE = 1708 };
enum { ROW1 = 0, COLUMN1 = 100, BIAS1 = 108, ROW2 = 116, COLUMN2 = 124, BIAS2 = 224, LOW_RANK = 324 };
enum { ROOM = 1728 };

enum mode { MODE_DENSE, MODE_EGGROLL, MODE_INFERENCE };

static const float sigma = 0.01f, alpha = 0.05f;
static enum mode mode;
static int workers;
static struct barrier gate;
static atomic_int next_pair;
static float *weights, *noise; /* [ROOM], [PAIRS][ROOM] */
static vec *data, *shared;     /* [TILES][INPUTS][VECTORS], [TILES][HIDDEN][VECTORS] */
static ivec live[VECTORS];     /* lanes of the last tile that hold a row */
static double scores[MEMBERS];
static float shaped[MEMBERS];

/* y = W x + b of the first layer. x: [INPUTS][VECTORS], y: [HIDDEN][VECTORS]. */
static __attribute__((noinline)) void first_layer(const float *restrict w, const float *restrict b, const vec *restrict x,
                                                  vec *restrict y) {
    vec sum[HIDDEN][VECTORS];
#pragma GCC unroll 8
    for (int j = 0; j < HIDDEN; j++) {
#pragma GCC unroll 3
        for (int q = 0; q < VECTORS; q++) sum[j][q] = spread(b[j]);
    }
    for (int i = 0; i < INPUTS; i++) {
#pragma GCC unroll 8
        for (int j = 0; j < HIDDEN; j++) {
            const vec one = spread(w[j * INPUTS + i]);
#pragma GCC unroll 3
            for (int q = 0; q < VECTORS; q++) sum[j][q] += one * x[i * VECTORS + q];
        }
    }
#pragma GCC unroll 8
    for (int j = 0; j < HIDDEN; j++) {
#pragma GCC unroll 3
        for (int q = 0; q < VECTORS; q++) y[j * VECTORS + q] = sum[j][q];
    }
}

/* Adds the squared error of the second layer to sum: [VECTORS]. With `column` the layer has the rank-one term
 * scale column (row . h). */
INLINE void second_layer(const float *restrict w, const float *restrict b, const vec *restrict h, const vec *restrict x,
                         const float *column, const float *row, float scale, vec *restrict sum) {
    vec hidden[HIDDEN][VECTORS], total[VECTORS], inner[VECTORS] = {{0}};
#pragma GCC unroll 8
    for (int i = 0; i < HIDDEN; i++) {
#pragma GCC unroll 3
        for (int q = 0; q < VECTORS; q++) {
            hidden[i][q] = h[i * VECTORS + q];
            if (column != NULL) inner[q] += row[i] * hidden[i][q];
        }
    }
#pragma GCC unroll 3
    for (int q = 0; q < VECTORS; q++) {
        total[q] = sum[q];
        inner[q] *= scale;
    }
    for (int j = 0; j < INPUTS; j++) {
        vec y[VECTORS];
#pragma GCC unroll 3
        for (int q = 0; q < VECTORS; q++) {
            y[q] = b[j] - x[j * VECTORS + q];
            if (column != NULL) y[q] += column[j] * inner[q];
        }
#pragma GCC unroll 8
        for (int i = 0; i < HIDDEN; i++) {
#pragma GCC unroll 3
            for (int q = 0; q < VECTORS; q++) y[q] += w[j * HIDDEN + i] * hidden[i][q];
        }
#pragma GCC unroll 3
        for (int q = 0; q < VECTORS; q++) total[q] += y[q] * y[q];
    }
    for (int q = 0; q < VECTORS; q++) sum[q] = total[q];
}

static __attribute__((noinline)) void dense_loss(const float *w, const float *b, const vec *h, const vec *x, vec *sum) {
    second_layer(w, b, h, x, NULL, NULL, 0.0f, sum);
}

static __attribute__((noinline)) void low_rank_loss(const float *w, const float *b, const vec *h, const vec *x,
                                                    const float *column, const float *row, float scale, vec *sum) {
    second_layer(w, b, h, x, column, row, scale, sum);
}

/* relu(base + scale change) of both signs. */
INLINE void both_signs(const vec *base, const vec *change, vec *plus, vec *minus) {
    for (int k = 0; k < HIDDEN * VECTORS; k++) {
        plus[k] = relu(base[k] + sigma * change[k]);
        minus[k] = relu(base[k] - sigma * change[k]);
    }
}

static double lane_sum(const vec *all, const vec *last) {
    double sum = 0.0;
    for (int q = 0; q < VECTORS; q++) {
        const vec tail = choose(live[q], last[q], (vec){0});
        for (int i = 0; i < WIDTH; i++) sum += (double)all[q][i] + (double)tail[i];
    }
    return sum;
}

static void dense_pair(const float *e, vec sums[2][2][VECTORS]) {
    float plus[ROOM], minus[ROOM];
    vec change[HIDDEN * VECTORS], up[HIDDEN * VECTORS], down[HIDDEN * VECTORS];
    for (int i = W2; i < DENSE; i++) {
        plus[i] = weights[i] + sigma * e[i];
        minus[i] = weights[i] - sigma * e[i];
    }
    for (int t = 0; t < TILES; t++) {
        const vec *x = data + t * INPUTS * VECTORS;
        first_layer(e + W1, e + B1, x, change);
        both_signs(shared + t * HIDDEN * VECTORS, change, up, down);
        dense_loss(plus + W2, plus + B2, up, x, sums[0][t == TILES - 1]);
        dense_loss(minus + W2, minus + B2, down, x, sums[1][t == TILES - 1]);
    }
}

static void low_rank_pair(const float *e, vec sums[2][2][VECTORS]) {
    float plus[INPUTS], minus[INPUTS];
    vec change[HIDDEN * VECTORS], up[HIDDEN * VECTORS], down[HIDDEN * VECTORS];
    for (int i = 0; i < INPUTS; i++) {
        plus[i] = weights[B2 + i] + sigma * e[BIAS2 + i];
        minus[i] = weights[B2 + i] - sigma * e[BIAS2 + i];
    }
    for (int t = 0; t < TILES; t++) {
        const vec *x = data + t * INPUTS * VECTORS;
        for (int q = 0; q < VECTORS; q++) {
            vec part[4] = {{0}, {0}, {0}, {0}};
            for (int i = 0; i < INPUTS; i += 4) {
                for (int k = 0; k < 4; k++) part[k] += e[ROW1 + i + k] * x[(i + k) * VECTORS + q];
            }
            const vec inner = (part[0] + part[1]) + (part[2] + part[3]);
            for (int j = 0; j < HIDDEN; j++) change[j * VECTORS + q] = e[COLUMN1 + j] * inner + e[BIAS1 + j];
        }
        both_signs(shared + t * HIDDEN * VECTORS, change, up, down);
        low_rank_loss(weights + W2, plus, up, x, e + COLUMN2, e + ROW2, sigma, sums[0][t == TILES - 1]);
        low_rank_loss(weights + W2, minus, down, x, e + COLUMN2, e + ROW2, -sigma, sums[1][t == TILES - 1]);
    }
}

static void unperturbed_pair(vec sums[2][2][VECTORS]) {
    vec h[HIDDEN * VECTORS];
    for (int t = 0; t < TILES; t++) {
        const vec *x = data + t * INPUTS * VECTORS;
        for (int member = 0; member < 2; member++) {
            first_layer(weights + W1, weights + B1, x, h);
            for (int k = 0; k < HIDDEN * VECTORS; k++) h[k] = relu(h[k]);
            dense_loss(weights + W2, weights + B2, h, x, sums[member][t == TILES - 1]);
        }
    }
}

static int by_score(const void *a, const void *b) {
    const double x = scores[*(const int *)a], y = scores[*(const int *)b];
    return (x > y) - (x < y);
}

/* A low loss gets a high rank, in [-1/2, 1/2]. */
static void centred_ranks(void) {
    int order[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) order[i] = i;
    qsort(order, MEMBERS, sizeof order[0], by_score);
    for (int i = 0; i < MEMBERS; i++) shaped[order[i]] = 0.5f - (float)i / (MEMBERS - 1);
}

static void dense_step(int from, int to) {
    const float step = alpha / (MEMBERS * sigma);
    float gradient[ROOM] = {0};
    for (int p = 0; p < PAIRS; p++) {
        const float weight = shaped[2 * p] - shaped[2 * p + 1];
        for (int i = from; i < to; i++) gradient[i] += weight * noise[p * ROOM + i];
    }
    for (int i = from; i < to; i++) weights[i] += step * gradient[i];
}

static void low_rank_step(void) {
    for (int p = 0; p < PAIRS; p++) {
        const float *e = noise + p * ROOM, step = alpha / (MEMBERS * sigma) * (shaped[2 * p] - shaped[2 * p + 1]);
        for (int j = 0; j < HIDDEN; j++) {
            for (int i = 0; i < INPUTS; i++) weights[W1 + j * INPUTS + i] += step * e[COLUMN1 + j] * e[ROW1 + i];
            weights[B1 + j] += step * e[BIAS1 + j];
        }
        for (int j = 0; j < INPUTS; j++) {
            for (int i = 0; i < HIDDEN; i++) weights[W2 + j * HIDDEN + i] += step * e[COLUMN2 + j] * e[ROW2 + i];
            weights[B2 + j] += step * e[BIAS2 + j];
        }
    }
}

static void one_round(int id, uint32_t round) {
    const int numbers = mode == MODE_DENSE ? DENSE : LOW_RANK;
    if (mode != MODE_INFERENCE) {
        for (int p = PAIRS * id / workers; p < PAIRS * (id + 1) / workers; p++) {
            for (int i = 0; i < numbers; i += 2 * WIDTH) {
                vec *out = (vec *)(noise + p * ROOM + i);
                normals((uint32_t)i, (uint32_t)p, round, out, out + 1);
            }
        }
        for (int t = TILES * id / workers; t < TILES * (id + 1) / workers; t++) {
            first_layer(weights + W1, weights + B1, data + t * INPUTS * VECTORS, shared + t * HIDDEN * VECTORS);
        }
    }
    meet(&gate);
    for (int p; (p = atomic_fetch_add(&next_pair, 1)) < PAIRS;) {
        vec sums[2][2][VECTORS] = {{{{0}}}};
        switch (mode) {
            case MODE_DENSE: dense_pair(noise + p * ROOM, sums); break;
            case MODE_EGGROLL: low_rank_pair(noise + p * ROOM, sums); break;
            case MODE_INFERENCE: unperturbed_pair(sums); break;
        }
        for (int m = 0; m < 2; m++) scores[2 * p + m] = lane_sum(sums[m][0], sums[m][1]);
    }
    meet(&gate);
    if (mode != MODE_INFERENCE) {
        if (id == 0) centred_ranks();
        meet(&gate);
        if (mode == MODE_DENSE) dense_step(DENSE * id / workers, DENSE * (id + 1) / workers);
        if (mode == MODE_EGGROLL && id == 0) low_rank_step();
    }
    if (id == 0) atomic_store(&next_pair, 0);
    meet(&gate);
}

static int rounds;
static double *times;

static void *work(void *argument) {
    const int id = (int)(intptr_t)argument;
    for (int r = 0; r < rounds; r++) {
        const double start = seconds();
        one_round(id, (uint32_t)r);
        if (id == 0) times[r] = seconds() - start;
    }
    return NULL;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void make_data(void) {
    uint32_t state = 1;
    for (int i = 0; i < DENSE; i++) {
        state = state * 1664525u + 1013904223u;
        weights[i] = ((float)(state >> 8) * 5.9604645e-8f - 0.5f) * 0.3f;
    }
    float *rows = (float *)data;
    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < INPUTS; i++) {
            const double turn = (0.5 + 0.0045 * r) * 0.01 * i + 0.618 * r;
            const double x = turn - (double)(long)turn; /* a parabola of each half turn: sine enough for a timing */
            const double wave = x < 0.5 ? 16.0 * x * (0.5 - x) : -16.0 * (x - 0.5) * (1.0 - x);
            rows[((r / LANES) * INPUTS + i) * LANES + r % LANES] = (float)wave;
        }
    }
    int32_t *lanes = (int32_t *)live;
    for (int i = 0; i < LANES; i++) lanes[i] = (TILES - 1) * LANES + i < ROWS ? -1 : 0;
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    mode = arguments[1][0] == 'd' ? MODE_DENSE : arguments[1][0] == 'e' ? MODE_EGGROLL : MODE_INFERENCE;
    workers = atoi(arguments[2]) > 1 ? 2 : 1;
    rounds = atoi(arguments[3]);
    gate.threads = workers;
    weights = pages(sizeof(float) * ROOM);
    noise = pages(sizeof(float) * PAIRS * ROOM);
    data = pages(sizeof(vec) * TILES * INPUTS * VECTORS);
    shared = pages(sizeof(vec) * TILES * HIDDEN * VECTORS);
    times = pages(sizeof(double) * (size_t)rounds);
    make_data();
    pthread_t other;
    if (workers == 2 && pthread_create(&other, NULL, work, (void *)1) != 0) return 1;
    work(NULL);
    if (workers == 2) pthread_join(other, NULL);
    double loss = 0.0;
    for (int i = 0; i < MEMBERS; i++) loss += scores[i];
    qsort(times, (size_t)rounds, sizeof times[0], ascending);
    printf("{\"seconds\": %.9f, \"median\": %.9f, \"loss\": %.6f}\n", times[0], times[rounds / 2], loss / MEMBERS / ROWS);
    return 0;
}
