internal import OpenSSL

/// A message authentication code of a PKCS #12, and how to make it again.
struct MACScheme {
    let derivation: PasswordDerivation
    let keyLength: Int
    /// A name or an object identifier, as the library takes both.
    let digest: String
    let oid: String
    let code: [UInt8]

    /// What it costs to verify so many bytes with one form of the password.
    func work(count: Int, in context: LibraryContext) -> UInt64 {
        WorkCost.sum(derivation.work(count: keyLength, in: context), WorkCost.hashing(count, digest))
    }

    /// The first form of the password with which it verifies; nil if there is none.
    func verify(_ content: ArraySlice<UInt8>, with decryption: PasswordDecryption) throws(SchemeError)
        -> PasswordCandidate?
    {
        let context = decryption.context
        let work = work(count: content.count, in: context)
        for candidate in decryption.candidates.distinct(derivation.form) {
            try decryption.budget.spend(work)
            guard let key = derivation.key(candidate, purpose: .integrity, count: keyLength, in: context),
                let found = MessageAuthentication.hmac(content, key: key, digest: digest, in: context)
            else { throw .unsupported(oid) }
            if MessageAuthentication.isEqual(found, code) { return candidate }
        }
        return nil
    }
}
