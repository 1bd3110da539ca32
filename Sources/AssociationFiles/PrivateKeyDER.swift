/// Keys in DER, by their structure, which other files do not have by chance.
enum PrivateKeyDER {
    private enum Tag {
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
    }

    /// An element, which may be cut off: then its content is what there is of it.
    private struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        let isWhole: Bool
    }

    /// Whether there is a key anywhere among the bytes: at their start any PrivateKeyInfo or EncryptedPrivateKeyInfo (RFC
    /// 5958), RSAPrivateKey (RFC 8017), DSA key as OpenSSL writes it, ECPrivateKey (RFC 5915) or PFX (RFC 7292), after other
    /// bytes those that nothing else looks like.
    static func isKey(_ bytes: [UInt8], isStart: Bool) -> Bool {
        if isStart, isKeyAtStart(bytes[...]) { return true }
        return bytes.indices.contains { bytes[$0] == Tag.sequence && isKeyInside(bytes[$0...]) }
    }

    private static func isKeyAtStart(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let outer = elements(of: bytes, most: 1).first, outer.isWhole, outer.tag == Tag.sequence else {
            return false
        }
        let parts = elements(of: outer.content, most: 6)
        guard parts.allSatisfy(\.isWhole) else { return false }
        switch parts.prefix(3).map(\.tag) {
        case [Tag.integer, Tag.integer, Tag.integer]:
            return isSmall(parts[0], 0...1) && parts.prefix { $0.tag == Tag.integer }.count >= 4
        case [Tag.integer, Tag.sequence, Tag.octetString]:
            return isSmall(parts[0], 0...1) && algorithm(of: parts[1]) != nil
        case let tags where tags.starts(with: [Tag.integer, Tag.sequence]):
            return isSmall(parts[0], 3...3) && algorithm(of: parts[1]) != nil
        case let tags where tags.starts(with: [Tag.integer, Tag.octetString]): return isSmall(parts[0], 1...1)
        case [Tag.sequence, Tag.octetString]: return algorithm(of: parts[0]) != nil
        default: return false
        }
    }

    /// Looks at a few elements only, each in a step of its own.
    private static func isKeyInside(_ bytes: ArraySlice<UInt8>) -> Bool {
        // SEQUENCE, its length, and INTEGER or SEQUENCE: most other bytes end here.
        guard bytes.count > 24, let first = firstTag(in: bytes), first == Tag.integer || first == Tag.sequence,
            let outer = elements(of: bytes, most: 1).first
        else { return false }
        let parts = elements(of: outer.content, most: 4)
        guard parts.count >= 2 else { return false }
        switch (parts[0].tag, parts[1].tag) {
        case (Tag.integer, Tag.sequence):
            guard let algorithm = algorithm(of: parts[1]) else { return false }
            if isSmall(parts[0], 0...1), parts.count > 2, parts[2].tag == Tag.octetString {
                return keyAlgorithms.contains { algorithm.starts(with: $0) }
            }
            return isSmall(parts[0], 3...3) && algorithm.starts(with: dataContent)
        case (Tag.integer, Tag.integer):
            // The modulus and the exponents are larger than what other lists of numbers begin with.
            return isSmall(parts[0], 0...0) && parts.count == 4 && parts[1].content.count >= 64
                && parts[2].tag == Tag.integer && parts[3].tag == Tag.integer
        case (Tag.integer, Tag.octetString):
            let isFollowed = parts.count == 2 || [0xA0, 0xA1].contains(parts[2].tag)
            return isSmall(parts[0], 1...1) && (20...66).contains(parts[1].content.count) && parts[1].isWhole
                && isFollowed && outer.isWhole
        case (Tag.sequence, Tag.octetString):
            guard let algorithm = algorithm(of: parts[0]) else { return false }
            return outer.isWhole && encryptions.contains { algorithm.starts(with: $0) }
        default: return false
        }
    }

    /// RSA and Diffie-Hellman (PKCS #1 and #3), DSA, elliptic curves, and X25519, X448, Ed25519, Ed448.
    private static let keyAlgorithms: [[UInt8]] = [
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03],
        [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], [0x2B, 0x65, 0x6E],
        [0x2B, 0x65, 0x6F], [0x2B, 0x65, 0x70], [0x2B, 0x65, 0x71],
    ]
    /// PKCS #5 and PKCS #12.
    private static let encryptions: [[UInt8]] = [
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05], [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01],
    ]
    /// The content type of a PFX.
    private static let dataContent: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]

    /// The tag of the first element of a sequence, whatever its length.
    private static func firstTag(in bytes: ArraySlice<UInt8>) -> UInt8? {
        guard let length = bytes.dropFirst().first else { return nil }
        let digits = length > 0x80 ? Int(length & 0x7F) : 0
        return digits <= 4 ? bytes.dropFirst(2 + digits).first : nil
    }

    private static func isSmall(_ element: Element, _ range: ClosedRange<UInt8>) -> Bool {
        element.content.count == 1 && range.contains(element.content.first ?? .max)
    }

    /// The object identifier that a sequence begins with.
    private static func algorithm(of element: Element) -> ArraySlice<UInt8>? {
        guard let first = elements(of: element.content, most: 1).first, first.tag == Tag.objectIdentifier else {
            return nil
        }
        return first.content
    }

    private static func elements(of bytes: ArraySlice<UInt8>, most: Int) -> [Element] {
        var rest = bytes
        var elements: [Element] = []
        while elements.count < most, let element = next(&rest) { elements.append(element) }
        return elements
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> Element? {
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first == 0x80 {
            // Of indefinite length, as some PFX are: its end does not matter.
            length = rest.count
        } else if first > 0x80 {
            let digits = Int(first & 0x7F)
            guard digits <= 4, rest.count >= digits else { return nil }
            length = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
        }
        defer { rest = rest.dropFirst(length) }
        return Element(tag: tag, content: rest.prefix(length), isWhole: length <= rest.count)
    }
}
