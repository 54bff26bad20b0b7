/* cartpole.c -- policies of 4-16-2 play a game of cart-pole each, by hand for that shape.
 *
 * Physics and rules are those of Gymnasium's CartPole-v1. Three ways: `scalar`, a game after the other in plain C with the
 * C library's functions; `lanes`, WIDTH policies at once until the last of their games is over; `refill`, the same but a
 * lane whose game is over is given the next policy.
 *
 * usage: cartpole WAY POLICIES MEMBERS ROUNDS, POLICIES good (every game lasts) or random (some 18 steps), MEMBERS at most
 * 4096 and a multiple of WIDTH; prints {"seconds": of a step in the best round on one core, "length": mean steps of a game} */
#include "vectors.h"

#include <math.h>

enum { MOST = 4096, HIDDEN = 16, STEPS = 500, LOOK = 4 };

/* Places in a policy's weights: hidden weights [HIDDEN][4], hidden bias, output weights [2][HIDDEN], output bias. */
enum { BIAS = 4 * HIDDEN, OUT = BIAS + HIDDEN, OUT_BIAS = OUT + 2 * HIDDEN, WEIGHTS = OUT_BIAS + 2 };

static const float track = 2.4f, tilt = 0.20943951f, tau = 0.02f;
static float (*weights)[WEIGHTS], (*starts)[4];
static int *lengths, members;

static float draw(void) {
    static uint32_t state = 7;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 5.9604645e-8f - 0.5f;
}

/* Entries of deviation `spread` about 0, or about one unit that pushes the cart under the pole. */
static void make_policies(int good) {
    const float deviation = good ? 0.03f : 1.0f;
    for (int m = 0; m < members; m++) {
        for (int i = 0; i < WEIGHTS; i++) weights[m][i] = 2.0f * deviation * (draw() + draw() + draw());
        if (good) {
            const float unit[4] = {0.1f, 0.3f, 3.0f, 1.0f};
            for (int i = 0; i < 4; i++) weights[m][i] += unit[i];
            weights[m][OUT + HIDDEN] += 1.0f;
        }
        for (int i = 0; i < 4; i++) starts[m][i] = 0.1f * draw();
    }
}

/* --- scalar */

static int play(const float *w, const float *start) {
    float x = start[0], v = start[1], a = start[2], turn = start[3];
    for (int step = 1;; step++) {
        float left = w[OUT_BIAS], right = w[OUT_BIAS + 1];
        for (int j = 0; j < HIDDEN; j++) {
            const float *u = w + 4 * j;
            const float h = tanhf(w[BIAS + j] + u[0] * x + u[1] * v + u[2] * a + u[3] * turn);
            left += w[OUT + j] * h;
            right += w[OUT + HIDDEN + j] * h;
        }
        const float sine = sinf(a), cosine = cosf(a);
        const float pushed = ((right > left ? 10.0f : -10.0f) + 0.05f * turn * turn * sine) / 1.1f;
        const float bent = (9.8f * sine - cosine * pushed) / (0.5f * (4.0f / 3.0f - 0.1f * cosine * cosine / 1.1f));
        const float moved = pushed - 0.05f * bent * cosine / 1.1f;
        x += tau * v;
        v += tau * moved;
        a += tau * turn;
        turn += tau * bent;
        if (x < -track || x > track || a < -tilt || a > tilt || step == STEPS) return step;
    }
}

static void play_scalar(void) {
    for (int m = 0; m < members; m++) lengths[m] = play(weights[m], starts[m]);
}

/* --- lanes */

struct game {
    vec x, v, a, turn;
    ivec alive, steps;
};

/* tanh as x P(x^2) / Q(x^2), to 5 ulp. */
INLINE vec tanh_lanes(vec x) {
    const vec far = spread(7.9053111f);
    x = choose(x > far, far, choose(x < -far, -far, x));
    const vec q = x * x;
    vec p = q * -2.7607684e-16f + 2.0001879e-13f;
    p = p * q - 8.6046715e-11f;
    p = p * q + 5.1222973e-8f;
    p = p * q + 1.4857224e-5f;
    p = p * q + 6.3726193e-4f;
    p = p * q + 4.8935246e-3f;
    vec d = q * 1.1982584e-6f + 1.1853471e-4f;
    d = d * q + 2.2684346e-3f;
    d = d * q + 4.8935252e-3f;
    return p * x / d;
}

/* For the small angles of a pole that stands: no reduction is needed below pi/4, where games are long over. */
INLINE void sin_cos_lanes(vec x, vec *sine, vec *cosine) {
    const vec z = x * x;
    *sine = x + x * z * (z * (z * -1.9515296e-4f + 8.3321609e-3f) - 1.6666655e-1f);
    *cosine = 1.0f - 0.5f * z + z * z * (z * (z * 2.4433157e-5f - 1.3887316e-3f) + 4.1666646e-2f);
}

/* One step of all lanes; w [WEIGHTS] vectors. Lanes that are not alive stay as they are. */
INLINE void step_lanes(const vec *w, struct game *g) {
    vec left = w[OUT_BIAS], right = w[OUT_BIAS + 1];
    for (int j = 0; j < HIDDEN; j += 2) {
        const vec *u = w + 4 * j;
        const vec first = w[BIAS + j] + u[0] * g->x + u[1] * g->v + u[2] * g->a + u[3] * g->turn;
        const vec second = w[BIAS + j + 1] + u[4] * g->x + u[5] * g->v + u[6] * g->a + u[7] * g->turn;
        const vec h = tanh_lanes(first), k = tanh_lanes(second);
        left += w[OUT + j] * h;
        right += w[OUT + HIDDEN + j] * h;
        left += w[OUT + j + 1] * k;
        right += w[OUT + HIDDEN + j + 1] * k;
    }
    vec sine, cosine;
    sin_cos_lanes(g->a, &sine, &cosine);
    const vec push = choose(right > left, spread(10.0f), spread(-10.0f));
    const vec pushed = (push + 0.05f * g->turn * g->turn * sine) * (1.0f / 1.1f);
    const vec bent = (9.8f * sine - cosine * pushed) / (0.5f * (4.0f / 3.0f - (0.1f / 1.1f) * cosine * cosine));
    const vec moved = pushed - (0.05f / 1.1f) * bent * cosine;
    const vec x = g->x + tau * g->v, v = g->v + tau * moved, a = g->a + tau * g->turn, turn = g->turn + tau * bent;
    g->x = choose(g->alive, x, g->x);
    g->v = choose(g->alive, v, g->v);
    g->a = choose(g->alive, a, g->a);
    g->turn = choose(g->alive, turn, g->turn);
    g->steps -= g->alive;
    g->alive &= ~((x < -track) | (x > track) | (a < -tilt) | (a > tilt)) & (g->steps < STEPS);
}

static int some(ivec flags) {
    int32_t any = 0;
    for (int l = 0; l < WIDTH; l++) any |= flags[l];
    return any != 0;
}

static void seat(vec *w, struct game *g, int lane, int member) {
    for (int i = 0; i < WEIGHTS; i++) ((float *)w)[i * WIDTH + lane] = weights[member][i];
    g->x[lane] = starts[member][0];
    g->v[lane] = starts[member][1];
    g->a[lane] = starts[member][2];
    g->turn[lane] = starts[member][3];
    g->alive[lane] = -1;
    g->steps[lane] = 0;
}

static __attribute__((noinline)) void play_tile(const vec *w, const struct game *start, int *length) {
    struct game g = *start;
    for (int step = 0; step < STEPS; step++) {
        if (step % LOOK == 0 && !some(g.alive)) break;
        step_lanes(w, &g);
    }
    memcpy(length, &g.steps, sizeof g.steps);
}

static void play_lanes(const vec *tiles, const struct game *games) {
    for (int t = 0; t < members / WIDTH; t++) play_tile(tiles + (size_t)t * WEIGHTS, games + t, lengths + t * WIDTH);
}

static __attribute__((noinline)) void play_refill(vec *w) {
    struct game g = {0};
    int member[WIDTH], next = 0;
    for (int l = 0; l < WIDTH; l++) member[l] = -1;
    for (int step = 0;; step++) {
        if (step % LOOK == 0) {
            int playing = 0;
            for (int l = 0; l < WIDTH; l++) {
                if (!g.alive[l]) {
                    if (member[l] >= 0) lengths[member[l]] = g.steps[l];
                    member[l] = next < members ? next++ : -1;
                    if (member[l] >= 0) seat(w, &g, l, member[l]);
                }
                playing += member[l] >= 0;
            }
            if (playing == 0) return;
        }
        step_lanes(w, &g);
    }
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    members = atoi(arguments[3]);
    if (members < WIDTH || members > MOST || members % WIDTH != 0) return 2;
    const char way = arguments[1][0];
    weights = pages(sizeof *weights * MOST);
    starts = pages(sizeof *starts * MOST);
    lengths = pages(sizeof *lengths * MOST);
    make_policies(arguments[2][0] == 'g');
    vec *tiles = pages(sizeof(vec) * WEIGHTS * (size_t)(members / WIDTH));
    struct game *games = pages(sizeof *games * (size_t)(members / WIDTH));
    for (int m = 0; m < members; m++) seat(tiles + (size_t)(m / WIDTH) * WEIGHTS, games + m / WIDTH, m % WIDTH, m);
    double best = 1e9, steps = 0.0;
    for (int r = 0; r < atoi(arguments[4]); r++) {
        const double from = seconds();
        if (way == 's') play_scalar();
        if (way == 'l') play_lanes(tiles, games);
        if (way == 'r') play_refill(tiles);
        const double time = seconds() - from;
        if (time < best) best = time;
    }
    for (int m = 0; m < members; m++) steps += lengths[m];
    printf("{\"seconds\": %.12f, \"length\": %.3f}\n", best / steps, steps / members);
    return 0;
}
