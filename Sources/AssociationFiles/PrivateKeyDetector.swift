package import Diagnostics
internal import JSONSyntax

/// Finds private keys in the encodings that key files have: PEM (RFC 7468) and the like, DER of any kind, the same in
/// Base64 without a frame, and JWK (RFC 7517).
///
/// Whoever may write into the folder of a site need not be allowed to read keys; the server is. A link to one must not
/// have it served.
package enum PrivateKeyDetector {
    private static let marks = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PuTTY-User-Key-File-"].map {
        Array($0.utf8)
    }

    /// The finding about a file that holds one; nil if it holds none.
    package static func finding(in bytes: [UInt8]) -> Diagnostic? {
        guard isKey(bytes) else { return nil }
        return Diagnostic(
            code: DiagnosticCode(rawValue: "private-key"), severity: .error,
            message: "the file holds a private key, which nobody but the server may read",
            range: SourceRange(start: 0, end: 0),
            notes: ["if it is a link, somebody wants the server to give away what it leads to"])
    }

    private static func isKey(_ bytes: [UInt8]) -> Bool {
        // UTF-16 is the same text with zeros in it.
        let text = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
        return marks.contains(where: text.contains(mark:)) || PrivateKeyDER.isKey(bytes[...])
            || PrivateKeyDER.isKeyInBase64(text) || PrivateKeyJWK.isIn(text)
    }
}

extension [UInt8] {
    fileprivate func contains(mark: [UInt8]) -> Bool {
        guard let first = mark.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: mark) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

/// Private keys in JSON (RFC 7517): a JWK that has its private part, alone, in a set, or anywhere else.
private enum PrivateKeyJWK {
    private static let mark = Array("\"kty\"".utf8)

    static func isIn(_ bytes: [UInt8]) -> Bool {
        guard bytes.contains(mark: mark), let root = JSONReader.read(bytes, path: "", limits: .configuration).root
        else { return false }
        return isIn(root)
    }

    /// The reader bounds how deep values are nested.
    private static func isIn(_ node: JSONNode) -> Bool {
        if let elements = node.array { return elements.contains(where: isIn) }
        guard let object = node.object else { return false }
        if object["kty"] != nil, object["d"] != nil || object["k"] != nil { return true }
        return object.members.contains { isIn($0.value) }
    }
}

/// Keys in DER, by their structure, which other files do not have by chance.
private enum PrivateKeyDER {
    private enum Tag {
        static let integer: UInt8 = 0x02
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
    }

    private struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
    }

    /// Whether the bytes begin with a PrivateKeyInfo or EncryptedPrivateKeyInfo (RFC 5958), an RSAPrivateKey (RFC 8017), a
    /// DSA key as OpenSSL writes it, an ECPrivateKey (RFC 5915) or a PFX (RFC 7292).
    static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let outer = elements(of: bytes, most: 1).first, outer.tag == Tag.sequence else { return false }
        let parts = elements(of: outer.content, most: 6)
        switch parts.prefix(3).map(\.tag) {
        case [Tag.integer, Tag.integer, Tag.integer]:
            return isSmall(parts[0], 0...1) && parts.prefix { $0.tag == Tag.integer }.count >= 4
        case [Tag.integer, Tag.sequence, Tag.octetString]: return isSmall(parts[0], 0...1) && isAlgorithm(parts[1])
        case let tags where tags.starts(with: [Tag.integer, Tag.sequence]):
            return isSmall(parts[0], 3...3) && isAlgorithm(parts[1])
        case let tags where tags.starts(with: [Tag.integer, Tag.octetString]): return isSmall(parts[0], 1...1)
        case [Tag.sequence, Tag.octetString]: return isAlgorithm(parts[0])
        default: return false
        }
    }

    /// Whether text is the Base64 of a key, and nothing else but white space.
    static func isKeyInBase64(_ text: [UInt8]) -> Bool {
        // A sequence begins with 'M'.
        guard text.first(where: { !isSpace($0) }) == UInt8(ascii: "M") else { return false }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in text where !isSpace(byte) && byte != UInt8(ascii: "=") {
            guard let value = value(byte) else { return false }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return isKey(bytes[...])
    }

    private static func isSmall(_ element: Element, _ range: ClosedRange<UInt8>) -> Bool {
        element.content.count == 1 && range.contains(element.content.first ?? .max)
    }

    /// Whether it begins with an object identifier.
    private static func isAlgorithm(_ element: Element) -> Bool {
        elements(of: element.content, most: 1).first?.tag == Tag.objectIdentifier
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
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Element(tag: tag, content: rest.prefix(length))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
