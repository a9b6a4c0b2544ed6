// Two folders changing places in one step: glibc shows renameat2 to programs that ask for its extensions, which Swift's import does not.
#pragma once
#include <sys/syscall.h>

long syscall(long number, ...);

/// Has the two paths change places; 0, or -1 with errno.
static inline int cardea_exchange(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, -100L /* AT_FDCWD */, one, -100L, other, 2L /* RENAME_EXCHANGE */);
}
