/// The outermost structure of a PKCS #12 (`PFX`, RFC 7292, section 4): what is protected, and its MAC.
struct PFX {
    /// The type of the content: data if a password protects it.
    let contentType: String
    /// The encoded `AuthenticatedSafe`; nil if the content is of another type.
    let content: OctetString?
    let mac: MACData?
    /// The number of bytes after the end.
    let trailingBytes: Int

    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var file = BERReader(bytes)
        var reader = try BERReader(inside: file.next(.sequence))
        trailingBytes = file.rest.count
        guard try reader.next(.integer).unsigned == 3 else { throw .malformed }
        let contentInfo = try ContentInfo(reader.next(.sequence))
        contentType = contentInfo.type
        content = contentInfo.type == ContentInfo.data ? try contentInfo.octets() : nil
        mac = try reader.next().map { element throws(BERError) in try MACData(element) }
        try reader.finish()
    }
}

/// Content with its type (`ContentInfo`, RFC 5652, section 3).
struct ContentInfo {
    static let data = "1.2.840.113549.1.7.1"
    static let signedData = "1.2.840.113549.1.7.2"
    static let envelopedData = "1.2.840.113549.1.7.3"
    static let encryptedData = "1.2.840.113549.1.7.6"

    let type: String
    /// What is inside the explicit tag.
    private let content: BERElement?

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        guard let type = try reader.next(.objectIdentifier).objectIdentifier else { throw .malformed }
        self.type = type
        content = try reader.next { $0.isContext(0) }.flatMap { tagged throws(BERError) in
            var inside = try BERReader(inside: tagged)
            let content = try inside.next()
            try inside.finish()
            return content
        }
        try reader.finish()
    }

    /// The content of the type data.
    func octets() throws(BERError) -> OctetString {
        guard type == Self.data, let content, content.isUniversal(.octetString) else { throw .malformed }
        return try content.octetString()
    }

    /// The content of the type encrypted data (RFC 5652, section 8).
    func encrypted() throws(BERError) -> (algorithm: AlgorithmIdentifier, text: OctetString) {
        guard type == Self.encryptedData, let content, content.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: content)
        _ = try reader.next(.integer)
        var inside = try BERReader(inside: reader.next(.sequence))
        guard try inside.next(.objectIdentifier).objectIdentifier == Self.data else { throw .malformed }
        let algorithm = try inside.nextAlgorithm()
        guard let text = try inside.next(), text.isContext(0) else { throw .malformed }
        try inside.finish()
        return (algorithm, try text.octetString())
    }
}
