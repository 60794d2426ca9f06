#ifndef CRASH_NOTE_H
#define CRASH_NOTE_H

/// Sets the line that is printed when a trap or a signal terminates this process, to identify the input.
void crash_note_set(const char *line);

/// Installs the signal handlers that print the line. Call this function once.
void crash_note_install(void);

#endif
