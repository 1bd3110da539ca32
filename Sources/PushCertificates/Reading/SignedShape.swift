/// What looks like a certificate from afar: a SEQUENCE that begins with a SEQUENCE.
enum SignedShape {
    /// RFC 2986.
    case request
    /// RFC 5280, section 5.1.
    case revocationList
    /// RFC 5958, section 3.
    case encryptedKey
    /// RFC 5280, section 4.1.2.7.
    case publicKey

    /// Nil if it is none of them, which a certificate is not either.
    init?(_ element: BERElement) {
        do throws(BERError) {
            var outside = try BERReader(inside: element)
            let first = try outside.next(.sequence)
            let second = try outside.next()
            var inside = try BERReader(inside: first)
            if try inside.next(if: { $0.isUniversal(.objectIdentifier) }) != nil {
                if second?.isUniversal(.octetString) == true {
                    self = .encryptedKey
                } else if second?.isUniversal(.bitString) == true {
                    self = .publicKey
                } else {
                    return nil
                }
                return
            }
            guard let shape = try Self.signed(&inside) else { return nil }
            self = shape
        } catch {
            return nil
        }
    }

    /// By the elements of what is signed.
    private static func signed(_ inside: inout BERReader) throws(BERError) -> SignedShape? {
        let version = try inside.next { $0.isUniversal(.integer) }
        // A revocation list has the algorithm, the issuer and a time; a request has a name, a key and attributes.
        let first = try inside.next(.sequence)
        let second = try inside.next(.sequence)
        guard let third = try inside.next() else { return nil }
        var start = try BERReader(inside: first)
        let isAlgorithm = try start.next { $0.isUniversal(.objectIdentifier) } != nil
        if isAlgorithm, third.tagClass == 0, third.number == 23 || third.number == 24 { return .revocationList }
        var key = try BERReader(inside: second)
        let hasAlgorithm = try key.next { $0.isUniversal(.sequence) } != nil
        return version != nil && !isAlgorithm && hasAlgorithm && third.isContext(0) ? .request : nil
    }
}
