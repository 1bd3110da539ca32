internal import OpenSSL

/// Looks at what a file asks for before anything is computed: it stands there for all to read.
struct PKCS12Limits {
    let context: LibraryContext
    /// What it takes at least to get at the certificates: each password is tried once, and opens.
    private let work = WorkBudget()

    init(context: LibraryContext) { self.context = context }

    /// - Throws: `CertificateFileError.Code.tooLarge`. All that is damaged is left to the reader, which looks at it only
    ///   once the MAC is verified.
    func check(_ content: ArraySlice<UInt8>, _ mac: MACData?) throws(CertificateFileError) {
        if let mac {
            try limit("the MAC") { () throws(SchemeError) in try work.spend(mac.scheme(in: context).derivation.work) }
        }
        guard var parts = try? BERReader(onlySequenceIn: content) else { return }
        while let part = try? parts.next() {
            guard let part = try? ContentInformation(part) else { return }
            if let algorithm = try? part.encrypted().algorithm {
                try limit("the certificates' encryption") { () throws(SchemeError) in
                    try work.spend(EncryptionScheme(algorithm).derivation.work)
                }
            } else if let bags = try? part.octets() {
                try bags.withBytes { bags throws(CertificateFileError) in try check(bags: bags) }
            }
        }
    }

    /// Those that stand there without encryption, but not those in bags within bags.
    private func check(bags: ArraySlice<UInt8>) throws(CertificateFileError) {
        guard var reader = try? BERReader(onlySequenceIn: bags) else { return }
        while let element = try? reader.next() {
            guard let bag = try? SafeBag(element) else { return }
            guard case .encryptedKey(let key) = bag.content else { continue }
            // Not counted: what is too much for all the keys leaves some of them unread.
            try limit("a private key's encryption") { () throws(SchemeError) in _ = try EncryptionScheme(key.algorithm)
            }
        }
    }

    private func limit(_ place: String, _ body: () throws(SchemeError) -> Void) throws(CertificateFileError) {
        do throws(SchemeError) {
            try body()
        } catch {
            let failure = error.fileError(in: place)
            if failure.code == .tooLarge { throw failure }
        }
    }
}
