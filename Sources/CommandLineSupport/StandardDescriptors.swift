internal import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
    /// Puts something in the place of those that the caller has closed, that gives nothing and takes nothing.
    ///
    /// Otherwise the next file that is opened would be taken for one of them.
    static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The wrong way round, so that reading and writing fail as they do with a closed one. Gets the lowest number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
