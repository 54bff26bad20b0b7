/* gs_text_input.c -- the bytes stay where they are: a window is a row of the file. */
#include "gs_text_input.h"

#include "gs_fail.h"

struct gs_rows gs_text_rows(struct gs_file file, size_t width) {
    if (file.size < width) {
        gs_fail("%s: has %zu %s, too few for one window of %zu", file.path, file.size, file.size == 1 ? "byte" : "bytes",
                width);
    }
    return (struct gs_rows){
        .file = file, .at = file.bytes, .type = GS_NUMBER_U1, .rows = file.size / width, .width = width};
}
