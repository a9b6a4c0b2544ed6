/* Another day: a hub or a terminal that is started with this file preloaded has a clock that is ahead of the system's by the seconds in
   CLOCK_AHEAD, which may be negative. The clocks that only measure how long something takes stay as they are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long long ahead;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("CLOCK_AHEAD");
    ahead = text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(clock, now);
    if (answer == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead;
    return answer;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}
