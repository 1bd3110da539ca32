internal import OpenSSL

/// The protected content of a PKCS #12 (`AuthenticatedSafe`, RFC 7292, section 4.1), taken apart in one walk that
/// computes nothing.
///
/// What a file asks for can be read without a password, so its limits are checked on the way. All other damage is kept where
/// it was found and reported only once the MAC is verified: an error before that is rather the password.
struct AuthenticatedSafe {
    enum Part {
        case plain([SafeBag])
        case encrypted(Result<EncryptionScheme, ReadingError>, text: OctetString)
        /// A type that is not known, by its object identifier.
        case unknown(String)
        case damaged(CertificateFileError)
    }

    private(set) var parts: [Part] = []
    private let decryption: PasswordDecryption
    /// The cost of getting at the certificates, with every form of the password.
    private var work: UInt64 = 0

    /// - Parameters:
    ///   - content: Must outlive the parts, which lend from it.
    ///   - mac: How the MAC is made; nil if there is none.
    /// - Throws: `CertificateFileError.Code.tooLarge`.
    init(
        _ content: ArraySlice<UInt8>, mac: Result<MACScheme, ReadingError>?, decryption: PasswordDecryption
    ) throws(CertificateFileError) {
        self.decryption = decryption
        if let mac {
            try limit("the MAC") { safe throws(ReadingError) in
                let scheme = try mac.get()
                try safe.add(scheme.work(count: content.count, in: decryption.context), scheme.derivation.form)
            }
        }
        do throws(ReadingError) {
            var reader = try BERReader(onlySequenceIn: content)
            while let element = try reader.next() { parts.append(Self.part(try ContentInfo(element))) }
        } catch {
            parts.append(.damaged(PKCS12Failure.damaged(error)))
        }
        for part in parts { try checkLimits(of: part) }
    }

    private static func part(_ contentInfo: ContentInfo) -> Part {
        do throws(ReadingError) {
            switch contentInfo.type {
            case ContentInfo.data:
                return .plain(try contentInfo.octets().withBytes { SafeBag.all(in: $0) })
            case ContentInfo.encryptedData:
                let (algorithm, text) = try contentInfo.encrypted()
                return .encrypted(Result { () throws(ReadingError) in try EncryptionScheme(algorithm) }, text: text)
            default:
                return .unknown(contentInfo.type)
            }
        } catch {
            return .damaged(PKCS12Failure.damaged(error))
        }
    }

    private mutating func checkLimits(of part: Part) throws(CertificateFileError) {
        switch part {
        case .encrypted(let scheme, let text):
            try limit("the certificates' encryption") { safe throws(ReadingError) in
                try safe.add(WorkCost.overhead)
                let context = safe.decryption.context
                let (scheme, count) = (try scheme.get(), text.withBytes { $0.count })
                let cipher = try scheme.resolve(in: context)
                try safe.add(scheme.work(cipher, count: count, in: context), scheme.derivation.form)
            }
        case .plain(let bags):
            for case .encryptedKey(let key) in bags.lazy.map(\.content) {
                // Not counted: what is too much for all the keys leaves some of them unread.
                try limit("a private key's encryption") { _ throws(ReadingError) in _ = try key.scheme.get() }
            }
        case .unknown, .damaged: break
        }
    }

    /// Counts what is done once for each form of the password.
    private mutating func add(_ work: UInt64, _ form: PasswordForm) throws(ReadingError) {
        try add(WorkCost.product(work, UInt64(decryption.candidates.distinct(form).count)))
    }

    private mutating func add(_ work: UInt64) throws(ReadingError) {
        self.work = WorkCost.sum(self.work, work)
        try decryption.budget.require(self.work)
    }

    private mutating func limit(
        _ subject: String, _ body: (inout Self) throws(ReadingError) -> Void
    ) throws(CertificateFileError) {
        do throws(ReadingError) {
            try body(&self)
        } catch {
            let failure = error.fileError(in: subject)
            if failure.code == .tooLarge { throw failure }
        }
    }
}

/// Something in a PKCS #12, decrypted if it was in an encrypted part (`SafeBag`, RFC 7292, section 4.2).
///
/// It owns its bytes: a decrypted part is wiped once its bags are known.
struct SafeBag {
    enum Content {
        /// The encoding of a `PrivateKeyInfo`.
        case key(SecretBytes)
        case encryptedKey(EncryptedPrivateKeyInfo)
        /// The DER of an X.509 certificate.
        case certificate([UInt8])
        case skipped(SkippedBags.Kind)
        case damaged(CertificateFileError)
    }

    let content: Content
    var localKeyID: [UInt8]?

    /// Bags in bags in bags are of no use; some are allowed for.
    private static let maximumDepth = 8
    private static let x509Certificate = "1.2.840.113549.1.9.22.1"
    private static let localKeyIDAttribute = "1.2.840.113549.1.9.21"

    /// All bags in an encoded `SafeContents`, with those inside of bags. Damage is a bag of its own; it ends the bags in which
    /// it is.
    static func all(in bytes: ArraySlice<UInt8>) -> [SafeBag] {
        var bags: [SafeBag] = []
        do throws(ReadingError) {
            append(try BERReader(onlySequenceIn: bytes), depth: 0, to: &bags)
        } catch {
            bags.append(SafeBag(content: .damaged(PKCS12Failure.damaged(error))))
        }
        return bags
    }

    private static func append(_ reader: BERReader, depth: Int, to bags: inout [SafeBag]) {
        guard depth <= maximumDepth else {
            let error = PKCS12Failure.damaged("its bags are nested more than \(maximumDepth) levels deep")
            return bags.append(SafeBag(content: .damaged(error)))
        }
        var reader = reader
        do throws(ReadingError) {
            while let element = try reader.next() { try append(element, depth: depth, to: &bags) }
        } catch {
            bags.append(SafeBag(content: .damaged(PKCS12Failure.damaged(error))))
        }
    }

    private static func append(_ element: BERElement, depth: Int, to bags: inout [SafeBag]) throws(ReadingError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        let (type, tagged) = try typeAndContent(&reader)
        var inside = try BERReader(inside: tagged)
        guard let value = try inside.next() else { throw .truncated }
        try inside.finish()
        let content = try content(type, value)
        let localKeyID = try reader.next { $0.isUniversal(.set) }.flatMap { attributes throws(ReadingError) in
            try Self.localKeyID(in: attributes)
        }
        try reader.finish()
        if let content { return bags.append(SafeBag(content: content, localKeyID: localKeyID)) }
        guard value.isUniversal(.sequence) else { throw .malformed }
        append(try BERReader(inside: value), depth: depth + 1, to: &bags)
    }

    /// Nil for bags within the bag.
    private static func content(_ type: String, _ value: BERElement) throws(ReadingError) -> Content? {
        switch type {
        case "1.2.840.113549.1.12.10.1.1": .key(SecretBytes(value.encoded))
        case "1.2.840.113549.1.12.10.1.2": .encryptedKey(try EncryptedPrivateKeyInfo(value))
        case "1.2.840.113549.1.12.10.1.3": try certificate(value)
        case "1.2.840.113549.1.12.10.1.4": .skipped(.revocationList)
        case "1.2.840.113549.1.12.10.1.5": .skipped(.secret)
        case "1.2.840.113549.1.12.10.1.6": nil
        default: .skipped(.unknown(type))
        }
    }

    private static func certificate(_ value: BERElement) throws(ReadingError) -> Content {
        var reader = try BERReader(inside: value)
        let (type, tagged) = try typeAndContent(&reader)
        try reader.finish()
        guard type == x509Certificate else { return .skipped(.otherCertificate) }
        var inside = try BERReader(inside: tagged)
        let octets = try inside.next(.octetString).octets()
        try inside.finish()
        return .certificate(octets)
    }

    /// An object identifier, and what is tagged with 0 after it.
    private static func typeAndContent(_ reader: inout BERReader) throws(ReadingError) -> (String, BERElement) {
        guard let type = try reader.next(.objectIdentifier).objectIdentifier, let tagged = try reader.next(),
            tagged.isContext(0)
        else { throw .malformed }
        return (type, tagged)
    }

    /// The first one that is an octet string.
    private static func localKeyID(in attributes: BERElement) throws(ReadingError) -> [UInt8]? {
        var reader = try BERReader(inside: attributes)
        while let attribute = try reader.next() {
            guard attribute.isUniversal(.sequence) else { throw .malformed }
            var inside = try BERReader(inside: attribute)
            guard try inside.next(.objectIdentifier).objectIdentifier == localKeyIDAttribute else { continue }
            var values = try BERReader(inside: inside.next(.set))
            if let value = try values.next(), value.isUniversal(.octetString) { return try value.octets() }
        }
        return nil
    }
}
