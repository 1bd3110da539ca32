internal import OpenSSL

/// The library context of all samples.
enum SampleContext {
    private static let made = Result { () throws(OpenSSLError) in try LibraryContext() }

    static func shared() throws(SampleError) -> LibraryContext {
        do {
            return try made.get()
        } catch {
            throw SampleError("OpenSSL cannot be used: \(error)")
        }
    }
}
