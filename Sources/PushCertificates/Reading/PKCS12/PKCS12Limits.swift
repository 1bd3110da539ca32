internal import OpenSSL

/// Looks at what a file asks for before anything is computed: it stands there for all to read.
struct PKCS12Limits {
    let decryption: PasswordDecryption
    /// What it may take to get at the certificates, with every form of the password.
    private var work: UInt64 = 0

    private var context: LibraryContext { decryption.context }

    init(decryption: PasswordDecryption) { self.decryption = decryption }

    /// - Throws: `CertificateFileError.Code.tooLarge`. All that is damaged is left to the reader, which looks at it only
    ///   once the MAC is verified.
    mutating func check(_ content: ArraySlice<UInt8>, _ mac: MACData?) throws(CertificateFileError) {
        if let mac {
            try limit("the MAC") { limits throws(SchemeError) in
                let scheme = try mac.scheme(in: limits.context)
                try limits.add(scheme.work(count: content.count, in: limits.context), scheme.derivation.form)
            }
        }
        guard var parts = try? BERReader(onlySequenceIn: content) else { return }
        while let part = try? parts.next() {
            guard let part = try? ContentInformation(part) else { return }
            if let (algorithm, text) = try? part.encrypted() {
                try limit("the certificates' encryption") { limits throws(SchemeError) in
                    try limits.add(WorkCost.overhead)
                    let scheme = try EncryptionScheme(algorithm)
                    let cipher = try scheme.resolve(in: limits.context)
                    let count = text.withBytes { $0.count }
                    try limits.add(scheme.work(cipher, count: count, in: limits.context), scheme.derivation.form)
                }
            } else if let bags = try? part.octets() {
                try bags.withBytes { bags throws(CertificateFileError) in try check(bags: bags) }
            }
        }
    }

    /// Those that stand there without encryption, but not those in bags within bags.
    private mutating func check(bags: ArraySlice<UInt8>) throws(CertificateFileError) {
        guard var reader = try? BERReader(onlySequenceIn: bags) else { return }
        while let element = try? reader.next() {
            guard let bag = try? SafeBag(element) else { return }
            guard case .encryptedKey(let key) = bag.content else { continue }
            // Not counted: what is too much for all the keys leaves some of them unread.
            try limit("a private key's encryption") { _ throws(SchemeError) in
                _ = try EncryptionScheme(key.algorithm)
            }
        }
    }

    /// Counts what is done once for each form of the password.
    private mutating func add(_ work: UInt64, _ form: PasswordForm) throws(SchemeError) {
        try add(WorkCost.product(work, UInt64(decryption.candidates.distinct(form).count)))
    }

    private mutating func add(_ work: UInt64) throws(SchemeError) {
        self.work = WorkCost.sum(self.work, work)
        try decryption.budget.require(self.work)
    }

    private mutating func limit(
        _ place: String, _ body: (inout Self) throws(SchemeError) -> Void
    ) throws(CertificateFileError) {
        do throws(SchemeError) {
            try body(&self)
        } catch {
            let failure = error.fileError(in: place)
            if failure.code == .tooLarge { throw failure }
        }
    }
}
