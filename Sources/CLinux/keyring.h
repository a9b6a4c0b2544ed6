// The kernel's keyring by its system calls: glibc has no functions for them, and Swift cannot call syscall(), whose arguments vary.
#pragma once
#include <linux/keyctl.h>
#include <stddef.h>
#include <sys/syscall.h>

long syscall(long number, ...);

/// Reads the `user` key of that description from the person's keyring; gives its length, which may exceed `size`, or -1.
static inline long cardea_keyring_read(const char *description, void *buffer, size_t size) {
    // Its keys may be read only by a thread that holds the person's keyring, which a service does not by itself.
    if (syscall(SYS_keyctl, (long)KEYCTL_LINK, (long)KEY_SPEC_USER_KEYRING, (long)KEY_SPEC_THREAD_KEYRING) < 0) return -1;
    long key = syscall(SYS_keyctl, (long)KEYCTL_SEARCH, (long)KEY_SPEC_THREAD_KEYRING, "user", description, 0L);
    if (key < 0) return -1;
    return syscall(SYS_keyctl, (long)KEYCTL_READ, key, buffer, size);
}
