internal import OpenSSL

/// Decrypts with what may be the password, one form after the other.
struct PasswordDecryption {
    let candidates: PasswordCandidates
    let budget: WorkBudget
    let context: LibraryContext

    /// The plain text, and what opened it; nil if nothing does.
    ///
    /// - Parameters:
    ///   - first: Is tried before all the others.
    ///   - isRight: Whether it looks as it has to: padding alone is right once in 256 times with a wrong key.
    func open(
        _ text: ArraySlice<UInt8>, _ scheme: EncryptionScheme, first: PasswordCandidate?,
        isRight: (ArraySlice<UInt8>) -> Bool
    ) throws(SchemeError) -> (plain: SecretBytes, candidate: PasswordCandidate)? {
        try budget.spend(WorkCost.overhead)
        let cipher = try scheme.resolve(in: context)
        let forms = candidates.distinct(scheme.derivation.form, first: first)
        let work = scheme.work(cipher, count: text.count, in: context)
        try budget.require(WorkCost.product(work, UInt64(forms.count)))
        for candidate in forms {
            try budget.spend(work)
            guard let plain = scheme.decrypt(text, with: candidate, cipher: cipher, in: context),
                plain.withBytes({ isRight($0[...]) })
            else { continue }
            return (plain, candidate)
        }
        return nil
    }
}
