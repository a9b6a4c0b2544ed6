/* A disk that fails when it is told to. Whatever is started with this file preloaded and with BAD_DISK in its environment has its calls fail
   that the file BAD_DISK names: "r" reads at a place of a house's database, "s" the writing out of what was written.

   A tracer that is attached to threads in the middle of their calls can take an end for a beginning, and then does harm of its own. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const volatile char *failing = "";

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("BAD_DISK"), O_RDONLY | O_CLOEXEC);
    void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        perror("BAD_DISK");
        abort();
    }
    failing = page;
}

static int is_database(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    const char *name = strrchr(path, '/');
    return name && (!strcmp(name, "/house.sqlite") || !strcmp(name, "/house.sqlite-wal"));
}

static int fails(void) {
    errno = EIO;
    return -1;
}

#define AT_A_PLACE(name)                                                      \
    ssize_t name(int file, void *bytes, size_t count, off64_t place) {        \
        static ssize_t (*real)(int, void *, size_t, off64_t);                 \
        if (*failing == 'r' && is_database(file)) return fails();             \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                 \
        return real(file, bytes, count, place);                               \
    }

#define WRITES_OUT(name)                                                      \
    int name(int file) {                                                      \
        static int (*real)(int);                                              \
        if (*failing == 's') return fails();                                  \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                 \
        return real(file);                                                    \
    }

AT_A_PLACE(pread)
AT_A_PLACE(pread64)
WRITES_OUT(fsync)
WRITES_OUT(fdatasync)
