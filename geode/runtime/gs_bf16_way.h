/* gs_bf16_way.h -- which of the processor's instructions sum products of bfloat16 numbers: known to the units' layers and
 * to gs_bf16.c, which makes them ready, and to no other file, for it depends on the width of vectors. */
#ifndef GS_BF16_WAY_H
#define GS_BF16_WAY_H

/* How products of bfloat16 numbers are summed in this build. */
#define GS_BF16_PLAIN 0  /* one chain of fma an output, as in float32 */
#define GS_BF16_AVX512 1 /* two products at a time, by vdpbf16ps */
#define GS_BF16_AMX 2    /* 32 products at a time, by tdpbf16ps */

#ifdef GS_BF16_WAY /* given: the tests compile each */
#elif defined(GS_VEC) && GS_VEC != 16 /* the instructions want wide vectors */
#define GS_BF16_WAY GS_BF16_PLAIN
#elif (defined(__AMX_BF16__) || defined(__AMXBF16__)) && defined(__AVX512BF16__) && defined(__linux__)
#define GS_BF16_WAY GS_BF16_AMX
#elif defined(__AVX512BF16__)
#define GS_BF16_WAY GS_BF16_AVX512
#else
#define GS_BF16_WAY GS_BF16_PLAIN
#endif

#endif
