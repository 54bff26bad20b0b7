/* gs_fail.h -- warnings, and the ends of a run that goes wrong: one message on stderr and an exit status.
 *
 * Statuses: 1 an error of the run (files, memory, scores), 2 a wrong command line, 3 no device that can run the program, 5 a
 * device that failed. */
#ifndef GS_FAIL_H
#define GS_FAIL_H

#define GS_EXIT_RUN 1
#define GS_EXIT_USAGE 2
#define GS_EXIT_NO_DEVICE 3
#define GS_EXIT_DEVICE 5

#if defined(__GNUC__)
#define GS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define GS_PRINTF(text, first)
#endif

/* Prints "NAME: warning: MESSAGE" and returns. */
void gs_warn(const char *format, ...) GS_PRINTF(1, 2);

/* The name that messages begin with; kept by pointer. Before the first call it is "geode". */
void gs_fail_name(const char *name);

/* Prints "NAME: error: MESSAGE" and ends the process with status 1, from any thread. */
_Noreturn void gs_fail(const char *format, ...) GS_PRINTF(1, 2);

/* The same with the status given. */
_Noreturn void gs_fail_status(int status, const char *format, ...) GS_PRINTF(2, 3);

/* The same with status 2 and a pointer to --help. */
_Noreturn void gs_fail_usage(const char *format, ...) GS_PRINTF(1, 2);

#endif
