internal import BoundedText
package import Diagnostics
internal import JSONSyntax

/// Finds private keys in the encodings that key files have, and in those that such files are pasted in.
///
/// Found are PEM (RFC 7468) and the like, DER of any kind anywhere in the file, OpenSSH's own format, JWK (RFC 7517), keys of
/// age and WireGuard, `RSAKeyValue`, and each of them once more in Base64 or hexadecimal digits, up to three times.
/// An author of a site's folder need not be allowed to read keys, but the server is: a link to a key must not make the
/// server publish it.
package enum PrivateKeyDetector {
    /// Texts that only private keys have.
    private static let marks = [
        "PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "PuTTY-User-Key-File-", "openssh-key-v1\0",
        "privateExponent:",
    ].map { Array($0.utf8) }
    /// At most this many encodings around a key are removed.
    private static let maxLayers = 3

    /// The finding about a file that holds one; nil if it holds none.
    package static func finding(in bytes: [UInt8]) -> Diagnostic? {
        guard isKey(bytes, layers: maxLayers, isStart: true) else { return nil }
        return Diagnostic(
            .privateKey, "the file contains a private key, which only the server may read",
            notes: ["if it is a link, somebody may be trying to publish a key of this machine"])
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
        if marked || TextualKey.isIn(text) || PrivateKeyJWK.isIn(text) { return true }
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
private enum TextualKey {
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

    static func isIn(_ bytes: [UInt8]) -> Bool { isInDocument(bytes) || LooseJWK.isIn(bytes) }

    private static func isInDocument(_ bytes: [UInt8]) -> Bool {
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

/// Private keys as JWK where a file as a whole is not JSON, or has them in a string or in other spellings: only braces, names
/// of members and their values are looked at, so that a sentence with quotation marks around one does not hide it.
private enum LooseJWK {
    /// The members of a key that an object has.
    private struct Parts {
        var hasType = false
        var hasSecret = false
    }

    /// The least number of digits of Base64 in a private part.
    private static let leastDigits = 20

    static func isIn(_ bytes: [UInt8]) -> Bool {
        var objects: [Parts] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "{"): objects.append(Parts())
            case UInt8(ascii: "}"): _ = objects.popLast()
            case UInt8(ascii: "\""):
                guard let last = objects.indices.last else { continue }
                let rest = bytes[(index + 1)...]
                if value(of: "kty", in: rest) != nil { objects[last].hasType = true }
                if let value = value(of: "d", in: rest) ?? value(of: "k", in: rest), isSecret(value) {
                    objects[last].hasSecret = true
                }
                if objects[last].hasType, objects[last].hasSecret { return true }
            default: continue
            }
        }
        return false
    }

    /// The bytes after the name of a member and its colon; nil if it is another name, or none.
    ///
    /// - Parameter text: From after the quotation mark on, which has a backslash before it in a string.
    private static func value(of name: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text
        for index in 0..<name.utf8CodeUnitCount where !skip(name.utf8Start[index], in: &rest) { return nil }
        guard skipMark(&rest) else { return nil }
        rest = rest.dropPrefix(while: isBlank)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        return rest.dropFirst().dropPrefix(while: isBlank)
    }

    private static func isSecret(_ value: ArraySlice<UInt8>) -> Bool {
        var rest = value
        guard skipMark(&rest) else { return false }
        return rest.prefix(leastDigits).count { EncodedRuns.sextet($0) != nil } == leastDigits
    }

    /// Skips a letter, or its number: `k`, `\u006b`.
    private static func skip(_ letter: UInt8, in rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == letter {
            rest = rest.dropFirst()
            return true
        }
        let number = rest.dropPrefix { $0 == UInt8(ascii: "\\") }
        guard number.startIndex > rest.startIndex, number.first == UInt8(ascii: "u"), number.count >= 5 else {
            return false
        }
        let digits = number.dropFirst().prefix(4)
        guard Int(String(text: digits), radix: 16) == Int(letter) else { return false }
        rest = number.dropFirst(5)
        return true
    }

    /// Skips a quotation mark and the backslashes before it.
    private static func skipMark(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let mark = rest.dropPrefix { $0 == UInt8(ascii: "\\") }
        guard mark.first == UInt8(ascii: "\"") else { return false }
        rest = mark.dropFirst()
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension ArraySlice<UInt8> {
    /// The most bytes that are skipped at a time: what comes after more of them is another thing, and is looked at only once.
    private static let maxSkipped = 64

    /// The rest after bytes of a kind, of which at most 64 are skipped.
    fileprivate func dropPrefix(while isSkipped: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        dropFirst(prefix(Self.maxSkipped).prefix(while: isSkipped).count)
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
