#include "CrashNote.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char note[512];

void crash_note_set(const char *line) { strncpy(note, line, sizeof note - 1); }

static void print_note(int signal_number) {
    // Only functions that a signal handler may call.
    static const char start[] = "totality: it was taken down by ";
    ssize_t ignored = write(STDERR_FILENO, start, sizeof start - 1);
    ignored = write(STDERR_FILENO, note, strlen(note));
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void crash_note_install(void) {
    // What was printed before is to be seen too.
    setvbuf(stdout, NULL, _IOLBF, 0);
    static char stack[65536];
    // A stack of its own: what overflows the stack is to be named too.
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = print_note, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    const int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaction(signals[index], &action, NULL);
}
