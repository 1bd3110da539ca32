internal import OpenSSL

/// Goes through all parts and bags of a PKCS #12 and gathers what is in them.
struct PKCS12Walk {
    /// Bags in bags in bags are of no use; some are allowed for.
    private static let maximumDepth = 8

    private let decryption: PasswordDecryption
    /// The form of the password with which the MAC verifies; nil if there is no MAC.
    private let verified: PasswordCandidate?
    private var contents: FileContents
    private var skipped = SkippedBags()
    private var hasLockedKey = false
    /// Whether the bags being read are encrypted all together, with a password that is not empty.
    private var isInProtectedPart = false

    init(decryption: PasswordDecryption, verified: PasswordCandidate?, contents: FileContents) {
        self.decryption = decryption
        self.verified = verified
        self.contents = contents
        self.contents.isUnprotected = verified?.isOpen ?? false
    }

    /// - Parameter content: The `AuthenticatedSafe`.
    mutating func readParts(_ content: ArraySlice<UInt8>) throws(CertificateFileError) {
        var parts = try PKCS12Failure.structure { () throws(BERError) in try BERReader(onlySequenceIn: content) }
        while let part = try PKCS12Failure.structure({ () throws(BERError) in try Self.nextPart(&parts) }) {
            switch part.type {
            case ContentInformation.data:
                let bags = try PKCS12Failure.structure { () throws(BERError) in try part.octets() }
                try bags.withBytes { bags throws(CertificateFileError) in try readBags(bags, depth: 0) }
            case ContentInformation.encryptedData:
                let (algorithm, text) = try PKCS12Failure.structure { () throws(BERError) in try part.encrypted() }
                let (bags, candidate) = try decrypt(text, algorithm)
                if candidate.isOpen { contents.isUnprotected = true }
                isInProtectedPart = !candidate.isOpen
                defer { isInProtectedPart = false }
                try bags.withBytes { bags throws(CertificateFileError) in try readBags(bags[...], depth: 0) }
            // OpenSSL passes over such parts too.
            default: skipped.add(.part(part.type))
            }
        }
    }

    private static func nextPart(_ parts: inout BERReader) throws(BERError) -> ContentInformation? {
        try parts.next().map { element throws(BERError) in try ContentInformation(element) }
    }

    /// A part that does not open is not left out: the certificate may be in it.
    private mutating func decrypt(
        _ text: OctetString, _ algorithm: AlgorithmIdentifier
    ) throws(CertificateFileError) -> (plain: SecretBytes, candidate: PasswordCandidate) {
        let opened: (plain: SecretBytes, candidate: PasswordCandidate)?
        do throws(SchemeError) {
            let scheme = try EncryptionScheme(algorithm)
            opened = try text.withBytes { text throws(SchemeError) in
                try decryption.open(text, scheme, first: verified, isRight: Self.areBags)
            }
        } catch {
            throw error.fileError(in: "the encryption of its certificates")
        }
        guard let opened else {
            guard verified == nil else { throw PKCS12Failure.damaged("what the password protects does not decrypt") }
            throw PKCS12Failure.notOpened(isGiven: decryption.candidates.isGiven)
        }
        return opened
    }

    /// Whether bytes look like bags, which they do not after decryption with a wrong key.
    private static func areBags(_ bytes: ArraySlice<UInt8>) -> Bool {
        do throws(BERError) {
            var bags = try BERReader(onlySequenceIn: bytes)
            while let bag = try bags.next() {
                guard bag.isUniversal(.sequence) else { return false }
                var inside = try BERReader(inside: bag)
                _ = try inside.next(.objectIdentifier)
            }
            return true
        } catch {
            return false
        }
    }

    private mutating func readBags(_ bytes: ArraySlice<UInt8>, depth: Int) throws(CertificateFileError) {
        let bags = try PKCS12Failure.structure { () throws(BERError) in try BERReader(onlySequenceIn: bytes) }
        try readBags(bags, depth: depth)
    }

    private mutating func readBags(_ reader: BERReader, depth: Int) throws(CertificateFileError) {
        guard depth <= Self.maximumDepth else {
            throw PKCS12Failure.damaged("its bags are nested more than \(Self.maximumDepth) deep")
        }
        var reader = reader
        while let bag = try PKCS12Failure.structure({ () throws(BERError) in try Self.nextBag(&reader) }) {
            switch bag.content {
            case .certificate(let octets): try addCertificate(octets, bag.localKeyID)
            case .key(let element): try addKey(element, bag.localKeyID)
            case .encryptedKey(let key): try addKey(key, bag.localKeyID)
            case .nested(let element):
                let inside = try PKCS12Failure.structure { () throws(BERError) in
                    guard element.isUniversal(.sequence) else { throw .malformed }
                    return try BERReader(inside: element)
                }
                try readBags(inside, depth: depth + 1)
            case .skipped(let kind): skipped.add(kind)
            }
        }
    }

    private static func nextBag(_ bags: inout BERReader) throws(BERError) -> SafeBag? {
        try bags.next().map { element throws(BERError) in try SafeBag(element) }
    }

    private mutating func addCertificate(
        _ octets: OctetString, _ localKeyID: [UInt8]?
    ) throws(CertificateFileError) {
        do throws(SchemeError) {
            try decryption.budget.addCertificate()
        } catch {
            throw error.fileError(in: "")
        }
        let certificate = octets.withBytes { try? X509Certificate(der: $0, in: decryption.context) }
        guard let certificate else { throw PKCS12Failure.damaged("a certificate in it cannot be read") }
        contents.certificates.append(FileContents.Certificate(certificate: certificate, localKeyID: localKeyID))
    }

    private mutating func addKey(_ element: BERElement, _ localKeyID: [UInt8]?) throws(CertificateFileError) {
        let information = try PKCS12Failure.structure { () throws(BERError) in try PrivateKeyInformation(element) }
        let keys = PrivateKeyReader(decryption: decryption)
        try addKey(localKeyID) { () throws(SchemeError) in ReadKey(key: try keys.read(information)) }
    }

    private mutating func addKey(_ encrypted: EncryptedKey, _ localKeyID: [UInt8]?) throws(CertificateFileError) {
        let (keys, verified) = (PrivateKeyReader(decryption: decryption), verified)
        try addKey(localKeyID) { () throws(SchemeError) in try keys.read(encrypted, first: verified) }
    }

    private mutating func addKey(
        _ localKeyID: [UInt8]?, _ read: () throws(SchemeError) -> ReadKey
    ) throws(CertificateFileError) {
        var found: ReadKey
        do throws(SchemeError) {
            found = try read()
        } catch .tooMuchWork(let work) {
            found = .unreadable(SchemeError.tooMuchWork(work).clause(in: "it"))
        } catch {
            throw error.fileError(in: "the encryption of a private key")
        }
        found.key.localKeyID = localKeyID
        if isInProtectedPart { found.key.isUnprotected = false }
        contents.keys.append(found.key)
        hasLockedKey = hasLockedKey || found.isLocked
    }

    /// All that was found.
    ///
    /// - Throws: `CertificateFileError.Code.notACertificate` if there is no certificate.
    func finish() throws(CertificateFileError) -> FileContents {
        guard !contents.certificates.isEmpty else {
            throw PKCS12Failure.withoutCertificate(hasKey: !contents.keys.isEmpty, skipped: skipped.notes)
        }
        var contents = contents
        contents.notes += skipped.notes
        contents.wantsPassword = hasLockedKey && !decryption.candidates.isGiven
        return contents
    }
}
