/// What came of a private key.
struct ReadKey {
    var key: FileContents.Key
    /// It is encrypted, and nothing that was tried opens it.
    var isLocked = false

    /// One for which nothing is computed any more; the certificates are read all the same.
    static var tooMuchWork: ReadKey {
        ReadKey(key: FileContents.Key(key: nil, obstacle: SchemeError.tooMuchWork.clause(in: "it")))
    }
}
