/// An encrypted private key (`EncryptedPrivateKeyInfo`, RFC 5958, section 3).
struct EncryptedKey {
    let algorithm: AlgorithmIdentifier
    let text: OctetString

    init(_ element: BERElement) throws(BERError) {
        guard element.isUniversal(.sequence) else { throw .malformed }
        var reader = try BERReader(inside: element)
        algorithm = try reader.nextAlgorithm()
        text = try reader.next(.octetString).octetString()
        try reader.finish()
    }
}
