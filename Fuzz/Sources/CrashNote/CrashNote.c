#include "CrashNote.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char note[512];

void crash_note_set(const char *line) { strncpy(note, line, sizeof note - 1); }

static void print_note(int signal_number) {
    // This function calls only async-signal-safe functions.
    static const char start[] = "totality: crashed for the input: ";
    ssize_t ignored = write(STDERR_FILENO, start, sizeof start - 1);
    ignored = write(STDERR_FILENO, note, strlen(note));
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void crash_note_install(void) {
    // Line buffering keeps earlier output after a crash.
    setvbuf(stdout, NULL, _IOLBF, 0);
    static char stack[65536];
    // The handler has a separate stack, so that it also runs after a stack overflow.
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = print_note, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
}
