/* gs_tile_size.h -- lanes for the runtime's own products, where the build says nothing (tests of single files). */
#ifndef GS_TILE_SIZE_H
#define GS_TILE_SIZE_H

#ifndef GS_LANES
#if defined(__AVX512F__)
#define GS_LANES 48
#define GS_VEC 16
#elif defined(__AVX2__)
#define GS_LANES 24
#define GS_VEC 8
#else
#define GS_LANES 8
#define GS_VEC 4
#endif
#endif

#endif
