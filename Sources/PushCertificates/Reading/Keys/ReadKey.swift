/// What came of a private key.
struct ReadKey {
    var key: FileContents.Key
    /// It is encrypted, and nothing that was tried opens it.
    var isLocked = false
}
