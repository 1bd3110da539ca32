// Linux calls that Swift's Glibc module does not show.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

// glibc declares these two under _GNU_SOURCE only, which would change types that the Glibc module has too.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern long syscall(long, ...);

static inline int c_epoll_control(int set, int operation, int descriptor, uint32_t events, void *data) {
    struct epoll_event event;
    event.events = events;
    event.data.ptr = data;
    return epoll_ctl(set, operation, descriptor, &event);
}
static inline void *c_epoll_event_data(const struct epoll_event *events, int index) { return events[index].data.ptr; }
static inline uint32_t c_epoll_event_flags(const struct epoll_event *events, int index) { return events[index].events; }

static inline int c_accept_nonblocking(int listener, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return accept4(listener, (struct sockaddr *)address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int c_usable_cores(void) {
    uint64_t mask[128];
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
    int cores = 0;
    for (long i = 0; i < bytes / 8; i++) cores += __builtin_popcountll(mask[i]);
    return cores;
}

// Names are what comes and goes in a folder; contents are written files, too. A folder that two paths lead to has one
// watch, so what is wanted for one is added to what was wanted for the other.
static inline uint32_t c_watch_names(void) {
    return IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        | IN_EXCL_UNLINK | IN_MASK_ADD;
}
static inline uint32_t c_watch_contents(void) { return c_watch_names() | IN_MODIFY | IN_CLOSE_WRITE; }

static inline void c_share_memory_pools(int count) { mallopt(M_ARENA_MAX, count); }
static inline void c_give_back_memory(void) { malloc_trim(0); }

// openat2(2) with RESOLVE_NO_MAGICLINKS. Where there is no such call, or a filter of calls does not know it, open(2).
static inline int c_open_without_magic_links(const char *path, int flags) {
    struct { uint64_t flags, mode, resolve; } how = { (uint64_t)(unsigned)flags, 0, 0x02 };
    long result = syscall(437, AT_FDCWD, path, &how, sizeof how);
    if (result < 0 && (errno == ENOSYS || errno == EPERM)) return open(path, flags);
    return (int)result;
}

// renameat2(2). Without `replaces` a file that has the new name is an error (EEXIST); where a file system cannot do
// that, it is rename(2).
static inline int c_rename(const char *from, const char *to, int replaces) {
    const unsigned no_replace = 1;
    long result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, replaces ? 0 : no_replace);
    if (result < 0 && (errno == EINVAL || errno == ENOSYS)) return rename(from, to);
    return (int)result;
}

static inline uint32_t c_file_system_type(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}
