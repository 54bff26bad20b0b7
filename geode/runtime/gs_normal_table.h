/* gs_normal_table.h -- constants of geode-normal-1. Generated from geode/streams/normal-1.json by
 * geode/streams/generate.py; change nothing here. Lists ascend in the power of their variable. */
#ifndef GS_NORMAL_TABLE_H
#define GS_NORMAL_TABLE_H

/* bits of the float at which m begins */
#define GS_NORMAL_SPLIT 0x3f3504f3
/* 2 ln 2 * 2^-23, for an exponent in place */
#define GS_NORMAL_STEP 0x1.62e43p-23f
/* -2 ln m = x log(x), x = m - 1 */
#define GS_NORMAL_LOG {-0x1.000016p+1f, 0x1.0003p+0f, -0x1.551b4ep-1f, 0x1.fd6d58p-2f, -0x1.a42224p-2f, 0x1.83b11ep-2f, -0x1.f08cbp-3f}
/* sin = t sine(q), q = t t, t in quarter turns */
#define GS_NORMAL_SINE {0x1.921fb4p+0f, -0x1.4abb68p-1f, 0x1.46496cp-4f, -0x1.2a7638p-8f}
/* cos = 1 + q cosine(q) */
#define GS_NORMAL_COSINE {-0x1.3bd3a2p+0f, 0x1.03b18ep-2f, -0x1.4eb112p-6f}

#endif
