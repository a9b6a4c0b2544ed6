// What glibc 2.34 has beside POSIX for a program's start, and shows only to whoever defines _GNU_SOURCE before anything else.
#pragma once
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
