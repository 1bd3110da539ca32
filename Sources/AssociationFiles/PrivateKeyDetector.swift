package import Diagnostics
internal import JSONSyntax

/// Finds private keys in the encodings that key files have, and in those that such files are pasted in.
///
/// Found are PEM (RFC 7468) and the like, DER of any kind anywhere in the file, OpenSSH's own format, JWK (RFC 7517), keys of
/// age and WireGuard, `RSAKeyValue`, and each of them once more in Base64 or hexadecimal digits, up to three times.
/// Whoever may write into the folder of a site need not be allowed to read keys; the server is. A link to one must not
/// have it served.
package enum PrivateKeyDetector {
    /// Texts that only private keys have.
    private static let marks = [
        "PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "PuTTY-User-Key-File-", "openssh-key-v1\0",
        "privateExponent:",
    ].map { Array($0.utf8) }
    /// So many encodings around a key are removed.
    private static let mostLayers = 3

    /// The finding about a file that holds one; nil if it holds none.
    package static func finding(in bytes: [UInt8]) -> Diagnostic? {
        guard isKey(bytes, layers: mostLayers, isStart: true) else { return nil }
        return Diagnostic(
            .privateKey, "the file holds a private key, which nobody but the server may read",
            notes: ["if it is a link, somebody wants the server to give away what it leads to"])
    }

    /// Each layer is shorter than the text around it, so that the work is linear in the size of the file.
    ///
    /// - Parameter isStart: Whether the bytes are a whole file, or may be.
    private static func isKey(_ bytes: [UInt8], layers: Int, isStart: Bool) -> Bool {
        if PrivateKeyDER.isKey(bytes, isStart: isStart) { return true }
        // UTF-16 is the same text with zeros in it.
        let isWide = bytes.contains(0)
        let text = isWide ? bytes.filter { $0 != 0 } : bytes
        let marked = marks.contains { ($0.last == 0 ? bytes : text).offset(of: $0) != nil }
        if marked || KeyText.isIn(text) || PrivateKeyJWK.isIn(text) { return true }
        guard layers > 0 else { return false }
        return EncodedRuns.contain(text) { isKey($0, layers: layers - 1, isStart: $1) }
    }
}

extension [UInt8] {
    /// Where a mark first is.
    ///
    /// - Parameter start: Where to begin to look.
    fileprivate func offset(of mark: [UInt8], from start: Int = 0) -> Int? {
        guard let first = mark.first, mark.count <= count else { return nil }
        return withUnsafeBufferPointer { bytes in
            var offset = start
            while offset <= bytes.count - mark.count {
                if bytes[offset] == first, (1..<mark.count).allSatisfy({ bytes[offset + $0] == mark[$0] }) {
                    return offset
                }
                offset += 1
            }
            return nil
        }
    }
}

/// Private keys in formats of text that have no armor: age, WireGuard, and XML signatures (as .NET writes keys).
private enum KeyText {
    static func isIn(_ text: [UInt8]) -> Bool {
        isAge(text) || isWireGuard(text) || hasElement("D", of: "RSAKeyValue", text)
            || hasElement("X", of: "DSAKeyValue", text)
    }

    /// `AGE-SECRET-KEY-1`, or with another name of a kind before the `1`, and the key in Bech32.
    private static func isAge(_ text: [UInt8]) -> Bool {
        let mark = Array("AGE-SECRET-KEY-".utf8)
        var start = 0
        while let found = text.offset(of: mark, from: start) {
            start = found + mark.count
            let word = text[start...].prefix(200).prefix { isDigit($0) || isUppercase($0) || $0 == UInt8(ascii: "-") }
            if word.count >= 40, word.contains(UInt8(ascii: "1")) { return true }
        }
        return false
    }

    /// `PrivateKey = ` and 32 bytes in Base64.
    private static func isWireGuard(_ text: [UInt8]) -> Bool {
        let mark = Array("privatekey".utf8)
        guard text.count > mark.count else { return false }
        for start in 0..<text.count - mark.count where text[start] | 0x20 == mark[0] {
            guard mark.indices.allSatisfy({ text[start + $0] | 0x20 == mark[$0] }) else { continue }
            let rest = text[(start + mark.count)...].drop(while: isBlank)
            guard rest.first == UInt8(ascii: "=") else { continue }
            let value = rest.dropFirst().drop(while: isBlank).prefix { EncodedRuns.sextet($0) != nil }
            if value.count == 43, text.count > value.endIndex, text[value.endIndex] == UInt8(ascii: "=") { return true }
        }
        return false
    }

    /// An element with a number in Base64, after the beginning of another one.
    private static func hasElement(_ name: String, of parent: String, _ text: [UInt8]) -> Bool {
        guard var start = text.offset(of: Array("\(parent)>".utf8)) else { return false }
        let mark = Array("<\(name)>".utf8)
        while let found = text.offset(of: mark, from: start) {
            start = found + mark.count
            let value = text[start...].prefix {
                EncodedRuns.sextet($0) != nil || isBlank($0) || (0x0A...0x0D).contains($0)
            }
            if value.count >= 20 { return true }
        }
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isUppercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}

/// Private keys in JSON (RFC 7517): a JWK that has its private part, alone, in a set, or anywhere else.
private enum PrivateKeyJWK {
    private static let mark = Array("\"kty\"".utf8)

    static func isIn(_ bytes: [UInt8]) -> Bool {
        guard bytes.offset(of: mark) != nil,
            let root = JSONReader.read(bytes, path: "", limits: .configuration).root
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

extension RuleDescription {
    /// The label in the example, apart, so that the example is not mistaken for a key.
    private static let label = "PRIVATE KEY"

    package static let privateKey = RuleDescription(
        "private-key", .error, subject: .siteFile, summary: "a file of a site contains a private key",
        reason: """
            The server may read private keys that the author of a site's folder may not: a link to a key must \
            not publish it.
            """, basis: [.lint],
        bad: """
            -----BEGIN \(label)-----
            MC4CAQAwBQYDK2VwBCIEI…
            -----END \(label)-----

            """, good: SyntaxRules.good)
}
