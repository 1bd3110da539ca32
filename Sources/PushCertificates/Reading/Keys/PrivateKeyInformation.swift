/// The outside of a private key in PKCS #8 (`PrivateKeyInfo`, RFC 5958, section 2).
struct PrivateKeyInformation {
    /// Of the kind of the key.
    let algorithm: AlgorithmIdentifier
    /// All of it.
    let encoded: ArraySlice<UInt8>

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        _ = try reader.next(.integer)
        algorithm = try reader.nextAlgorithm()
        _ = try reader.next(.octetString)
        // Attributes, and the public key.
        while let element = try reader.next() {
            guard element.tagClass == 2 else { throw .malformed }
        }
        encoded = element.encoded
    }

    /// - Parameter bytes: May be followed by others.
    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        var reader = BERReader(bytes)
        try self.init(reader.next(.sequence))
    }
}
