/* gs_json.h -- reading JSON piece by piece, as much of it as the header of a safetensors file has. */
#ifndef GS_JSON_H
#define GS_JSON_H

#include <stdbool.h>
#include <stdint.h>

/* What is left of a text. Every function skips white space first and, where what it wants is not there, gives false and
 * leaves the place somewhere inside. */
struct gs_json {
    const char *at, *end;
};

/* One character, `{ } [ ] : ,`. */
bool gs_json_take(struct gs_json *json, char c);

/* A string, decoded to UTF-8 at *room and ended with '\0'; *room moves behind it. The decoded text is never longer than
 * its source, so room for as many bytes as the whole source has is enough. A string that holds U+0000 is refused. */
bool gs_json_string(struct gs_json *json, char **room);

/* An unsigned integer below 2^64. */
bool gs_json_integer(struct gs_json *json, uint64_t *value);

/* True at the end, white space aside. */
bool gs_json_ends(struct gs_json *json);

#endif
