/* gs_decimal.h -- decimal texts to float32, correctly rounded. */
#ifndef GS_DECIMAL_H
#define GS_DECIMAL_H

/* Bytes behind the end of a text that gs_decimal_read may look at. */
#define GS_DECIMAL_MARGIN 8

/* Reads the longest decimal number at `text`: a sign, digits with or without a point, an exponent. The text ends in '\0'
 * with GS_DECIMAL_MARGIN readable bytes behind it. Gives the place behind it and its float32, rounded once to nearest even (an infinity for one beyond float32), or NULL
 * where there is none. */
const char *gs_decimal_read(const char *text, float *value);

#endif
