internal import SystemSupport

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

/// The runs of Base64 or of hexadecimal digits in a text, each decoded.
///
/// White space between two words joins them where the first is as long as a line of such a text would be: a multiple of four
/// digits of Base64, or of two hexadecimal ones. So each character is decoded once, and words before a run do not shift
/// it.
enum EncodedRuns {
    /// Shorter runs cannot hold a key.
    private static let shortest = 24

    /// Whether something is true of one of the runs; it is also asked with whether the run is almost all of the text.
    static func contain(_ text: [UInt8], _ isFound: ([UInt8], Bool) -> Bool) -> Bool {
        runs(of: text, bits: 6, digitsPerGroup: 4, digit: sextet, isFound)
            || runs(of: text, bits: 4, digitsPerGroup: 2, digit: Hexadecimal.value, isFound)
    }

    private static func runs(
        of text: [UInt8], bits: Int, digitsPerGroup: Int, digit: (UInt8) -> UInt8?, _ isFound: ([UInt8], Bool) -> Bool
    ) -> Bool {
        var decoded: [UInt8] = []
        var (buffer, held): (UInt32, Int) = (0, 0)
        /// The digits of the word that is being read.
        var digits = 0
        var (start, index) = (0, 0)
        func isEnd() -> Bool {
            defer { (decoded, buffer, held, digits, start) = ([], 0, 0, 0, index) }
            return decoded.count >= shortest && isFound(decoded, index - start >= text.count - text.count / 8)
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "\\"), index < text.count, text[index] == UInt8(ascii: "/") {
                // A slash in a string of JSON.
                continue
            }
            if byte == UInt8(ascii: "x"), bits == 4, held == 4, text[index - 2] == UInt8(ascii: "0") {
                // The zero belongs to the sign of a number, as in 0x30.
                (buffer, held, digits) = (buffer >> 4, 0, digits - 1)
                continue
            }
            if let value = digit(byte) {
                buffer = buffer << UInt32(bits) | UInt32(value)
                held += bits
                digits += 1
                if held >= 8 {
                    held -= 8
                    decoded.append(UInt8(truncatingIfNeeded: buffer >> UInt32(held)))
                }
            } else if let length = separator(text, index - 1, isHex: bits == 4) {
                index += length - 1
                if digits.isMultiple(of: digitsPerGroup) { digits = 0 } else if isEnd() { return true }
            } else if isEnd() {
                return true
            }
        }
        return isEnd()
    }

    /// The number of bytes between two words of a run; nil if something else is there.
    private static func separator(_ text: [UInt8], _ index: Int, isHex: Bool) -> Int? {
        switch text[index] {
        case 0x20, 0x09...0x0D: return 1
        case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: ","): return isHex ? 1 : nil
        case UInt8(ascii: "\\"):
            // A line end in a string of JSON; a byte in one of C.
            guard index + 1 < text.count else { return nil }
            switch text[index + 1] {
            case UInt8(ascii: "n"), UInt8(ascii: "r"): return 2
            case UInt8(ascii: "x"): return isHex ? 2 : nil
            default: return nil
            }
        default: return nil
        }
    }

    /// The value of a digit of Base64 or of its alphabet for URLs.
    static func sextet(_ byte: UInt8) -> UInt8? {
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
