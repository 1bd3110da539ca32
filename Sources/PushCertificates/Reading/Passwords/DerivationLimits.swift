/// How much is computed for a file that somebody else may have made (push-certificates.md, section 5).
enum DerivationLimits {
    /// For one key.
    static let iterations: UInt64 = 5_000_000
    /// Of scrypt, in bytes.
    static let memory: UInt64 = 1 << 30
    /// Iterations for all keys and all forms of the password together, some ten seconds: room for the MAC, two parts and
    /// a key with as many iterations as are allowed, or for a MAC that none of the forms fits.
    static let work: UInt64 = 32_000_000
    /// Of keys in a file; each takes time, encrypted or not.
    static let keys = 1000
}
