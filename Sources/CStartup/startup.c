// Holds back the signals that ask a server for something, from before anything else of the program runs: they would end
// it until it watches for them. It takes them later, none is lost. Only `aasa serve` watches, so only there.
#ifdef __ELF__
#include <signal.h>
#include <string.h>

static void hold_signals(int count, char **arguments, char **environment) {
    (void)environment;
    if (count < 2 || strcmp(arguments[1], "serve") != 0) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

// Before the initializers of the shared libraries, which take longer than all the rest.
__attribute__((section(".preinit_array"), used)) static void (*const entry)(int, char **, char **) = hold_signals;
#endif
