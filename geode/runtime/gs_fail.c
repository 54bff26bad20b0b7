/* gs_fail.c -- one message on stderr, then the end of the process.
 *
 * Any thread may call it; stdout is flushed first, so that what was printed before the error is seen before it. */
#include "gs_fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *program_name = "geode";

void gs_fail_name(const char *name) { program_name = name; }

static void print_message(const char *kind, const char *format, va_list arguments) {
    fflush(stdout);
    fprintf(stderr, "%s: %s: ", program_name, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void gs_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("warning", format, arguments);
    va_end(arguments);
}

void gs_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("error", format, arguments);
    va_end(arguments);
    _Exit(GS_EXIT_RUN);
}

void gs_fail_status(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("error", format, arguments);
    va_end(arguments);
    _Exit(status);
}

void gs_fail_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_message("error", format, arguments);
    va_end(arguments);
    fputs("  help: --help lists all options with their values\n", stderr);
    _Exit(GS_EXIT_USAGE);
}
