internal import OpenSSL

/// The library context of all keys and certificates of orders.
///
/// A thread that has drawn random numbers in a context looks for it once more when it ends, and those of queues end when
/// they like: a context that goes with the last driver would be gone by then. This one never goes.
enum SharedLibrary {
    static let context = Result { () throws(OpenSSLError) in try LibraryContext() }
}
