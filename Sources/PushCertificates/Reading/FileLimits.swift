/// How much is done for a file that somebody else may have made (push-certificates.md, section 5).
enum FileLimits {
    /// Of one derivation of a key.
    static let iterations: UInt64 = 5_000_000
    /// Of scrypt, in bytes.
    static let memory: UInt64 = 1 << 30
    /// Of the key of a PBMAC1, in bytes (RFC 9579, section 5).
    static let macKeyLength: UInt64 = 64
    /// No key is longer, in bytes: what says so is damaged.
    static let keyLength: UInt64 = 1024
    /// What is against a standard and costs more than this, in nanoseconds, is hostile rather than damaged.
    static let oddWork: UInt64 = 1_000_000_000
    /// Of all that is computed for a file, as `WorkCost` estimates it. With what reading itself takes, no file costs ten
    /// seconds.
    static let work: UInt64 = 7_000_000_000
    /// Of private keys in a file.
    static let keys = 1000
    /// Of certificates in a file.
    static let certificates = 2000
}
