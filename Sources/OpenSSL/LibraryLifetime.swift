internal import COpenSSL

/// When the library takes itself down.
enum LibraryLifetime {
    /// Has the library stay usable to the very end of the process; of use only before it is used for the first time.
    ///
    /// By itself it takes its tables down when `exit` is called, while other threads may still read a certificate or free a
    /// session: they would crash.
    static let lastsToTheEnd = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
