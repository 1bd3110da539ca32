/// What came of a private key.
struct ReadKey {
    var key: FileContents.Key
    /// It is encrypted, and nothing that was tried opens it.
    var isLocked = false

    /// One that no password can open; the certificates are read all the same.
    static func unreadable(_ obstacle: String) -> ReadKey {
        ReadKey(key: FileContents.Key(key: nil, obstacle: obstacle))
    }
}
