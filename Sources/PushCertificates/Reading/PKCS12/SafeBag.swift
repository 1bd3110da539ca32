/// Something in a PKCS #12 that is not encrypted as it stands there (RFC 7292, section 4.2).
struct SafeBag {
    enum Content {
        /// A `PrivateKeyInfo`.
        case key(BERElement)
        case encryptedKey(EncryptedKey)
        /// The DER of an X.509 certificate.
        case certificate(OctetString)
        /// Bags within the bag.
        case nested(BERElement)
        case skipped(SkippedBags.Kind)
    }

    let content: Content
    let localKeyID: [UInt8]?

    private static let x509Certificate = "1.2.840.113549.1.9.22.1"
    private static let localKeyIDAttribute = "1.2.840.113549.1.9.21"

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let type = try reader.next(.objectIdentifier).objectIdentifier, let tagged = try reader.next(),
            tagged.isContext(0)
        else { throw .malformed }
        var inside = try BERReader(inside: tagged)
        guard let value = try inside.next() else { throw .truncated }
        try inside.finish()
        content =
            switch type {
            case "1.2.840.113549.1.12.10.1.1": .key(value)
            case "1.2.840.113549.1.12.10.1.2": .encryptedKey(try EncryptedKey(value))
            case "1.2.840.113549.1.12.10.1.3": try Self.certificate(value)
            case "1.2.840.113549.1.12.10.1.4": .skipped(.revocationList)
            case "1.2.840.113549.1.12.10.1.5": .skipped(.secret)
            case "1.2.840.113549.1.12.10.1.6": .nested(value)
            default: .skipped(.unknown(type))
            }
        localKeyID = try reader.next { $0.isUniversal(.set) }.flatMap { attributes throws(BERError) in
            try Self.localKeyID(in: attributes)
        }
        try reader.finish()
    }

    private static func certificate(_ value: BERElement) throws(BERError) -> Content {
        var reader = try BERReader(inside: value)
        guard let type = try reader.next(.objectIdentifier).objectIdentifier, let tagged = try reader.next(),
            tagged.isContext(0)
        else { throw .malformed }
        try reader.finish()
        guard type == x509Certificate else { return .skipped(.otherCertificate) }
        var inside = try BERReader(inside: tagged)
        let octets = try inside.next(.octetString).octetString()
        try inside.finish()
        return .certificate(octets)
    }

    /// The first one that is an octet string.
    private static func localKeyID(in attributes: BERElement) throws(BERError) -> [UInt8]? {
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
