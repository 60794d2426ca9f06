#ifndef CRASH_NOTE_H
#define CRASH_NOTE_H

/// Keeps a line that is printed when this process is taken down by a trap or a signal, so that the input can be found again.
void crash_note_set(const char *line);

/// From now on the line is printed; call it once.
void crash_note_install(void);

#endif
