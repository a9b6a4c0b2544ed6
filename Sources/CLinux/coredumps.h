// That a process leaves no core dump and is read by nobody: Swift cannot call prctl(), whose arguments vary.
#pragma once
#include <linux/prctl.h>
#include <sys/syscall.h>

long syscall(long number, ...);

/// Forbids core dumps of this process, and reading its memory, to whoever is not root; 0, or -1 with errno.
static inline int cardea_forbid_core_dumps(void) { return (int)syscall(SYS_prctl, (long)PR_SET_DUMPABLE, 0L, 0L, 0L, 0L); }
