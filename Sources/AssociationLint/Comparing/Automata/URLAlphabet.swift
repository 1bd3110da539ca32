internal import AppSiteAssociation

/// The symbols that suffice to write a URL's part of every kind that the patterns of an automaton tell apart: of those that
/// no pattern tells apart the nicest one.
struct URLAlphabet {
    /// What is special in a part of a URL.
    enum Part {
        /// A path without the slashes at its ends.
        case path
        case query(hasItems: Bool)
        case fragment
    }

    /// The nicest first.
    private(set) var symbols: [URLSymbol] = []
    /// Whether texts are made of which a pattern sees the bytes and another one the characters.
    private(set) var isMixed = false

    private let part: Part
    private var hits: SymbolHits
    private var seen = Set<[Int32]>()
    private let hasEncoded: Bool
    private let hasDecoded: Bool

    init(_ joint: JointAutomaton, _ part: Part) {
        self.part = part
        hits = SymbolHits(joint)
        hasEncoded = joint.slots.contains { URLSymbol.isEncoded(view: $0.view) }
        hasDecoded = joint.slots.contains { !URLSymbol.isEncoded(view: $0.view) }
        isMixed = hasEncoded && hasDecoded

        for byte in Self.printable where isAllowed(byte) { add(raw: [byte], UInt32(byte), kind(of: byte)) }
        guard hasDecoded else { return }
        for byte in Self.printable + Self.others { addEscapes(of: byte) }
        addCharacters(joint)
    }

    private static let printable = Array(
        (#"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/+,;=:@!$&'()*%?[]|{}^`"<>\"# + "#").utf8)
    private static let others: [UInt8] = Array(0...0x20) + Array(0x7F...0xFF)

    /// Whether a character can stand in the part as it is.
    private func isAllowed(_ byte: UInt8) -> Bool {
        switch (byte, part) {
        // Where no pattern sees bytes, %25 says it better.
        case (UInt8(ascii: "%"), _): hasEncoded || !hasDecoded
        case (UInt8(ascii: "?"), .path), (UInt8(ascii: "#"), .path), (UInt8(ascii: "#"), .query): false
        default: true
        }
    }

    private func kind(of byte: UInt8) -> URLSymbol.Kind {
        switch (byte, part) {
        case (UInt8(ascii: "/"), .path): .slash
        case (UInt8(ascii: "&"), .query(hasItems: true)): .itemEnd
        case (UInt8(ascii: "="), .query(hasItems: true)): .nameEnd
        case (UInt8(ascii: "%"), _) where isMixed: .percent
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _) where isMixed: .hexDigit
        case (UInt8(ascii: "A")...UInt8(ascii: "F"), _) where isMixed: .hexDigit
        case (UInt8(ascii: "a")...UInt8(ascii: "f"), _) where isMixed: .hexDigit
        default: []
        }
    }

    private mutating func add(raw: [UInt8], _ decoded: UInt32, _ kind: URLSymbol.Kind) {
        var key: [Int32] = [Int32(kind.rawValue)]
        if hasEncoded { for byte in raw { hits.append(UInt32(byte), views: [0, 1], to: &key) } }
        if hasDecoded { hits.append(decoded, views: [2, 3], to: &key) }
        if seen.insert(key).inserted { symbols.append(URLSymbol(raw: raw, decoded: decoded, kind: kind)) }
    }

    private mutating func addEscapes(of byte: UInt8) {
        // A slash at the end of a path does not count however it is written; only patterns of both kinds tell them apart.
        var isSlash = false
        if case .path = part, byte == UInt8(ascii: "/") { isSlash = true }
        if isSlash, !hasEncoded { return }
        let kind: URLSymbol.Kind =
            isSlash ? .escapedSlash : byte < 0x80 ? [] : byte < 0xC0 ? [.strayByte, .strayTail] : .strayByte
        let decoded = byte < 0x80 ? UInt32(byte) : PatternSymbol.strayByte + UInt32(byte)
        for high in Self.digits(byte >> 4) {
            for low in Self.digits(byte & 15) {
                add(raw: [UInt8(ascii: "%"), high, low], decoded, kind)
            }
        }
    }

    /// A hexadecimal digit in capitals and in small letters.
    private static func digits(_ value: UInt8) -> [UInt8] {
        value < 10 ? [0x30 + value] : [0x41 + value - 10, 0x61 + value - 10]
    }

    // MARK: Characters beyond ASCII

    private mutating func addCharacters(_ joint: JointAutomaton) {
        for scalar in hits.characters { addCharacter(scalar) }
        guard hasEncoded else { return }
        // What is none of them may have two, three or four bytes.
        for scalar: UInt32 in [0xE9, 0x20AC, 0x1F600] { addCharacter(scalar) }
        for slot in joint.slots where URLSymbol.isEncoded(view: slot.view) {
            for text in EscapedText.runs(in: slot.elements) { addEscapedText(text) }
        }
    }

    private mutating func addCharacter(_ scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        let bytes = Array(String(Character(scalar)).utf8)
        addCharacter(scalar.value, bytes.map { (Self.digits($0 >> 4)[0], Self.digits($0 & 15)[0]) })
        addCharacter(
            scalar.value, bytes.map { (Self.digits($0 >> 4).last ?? 0x30, Self.digits($0 & 15).last ?? 0x30) })
    }

    private mutating func addCharacter(_ scalar: UInt32, _ digits: [(UInt8, UInt8)]) {
        add(raw: digits.flatMap { [UInt8(ascii: "%"), $0.0, $0.1] }, scalar, [])
    }

    /// Adds the characters of escapes as a pattern writes them.
    private mutating func addEscapedText(_ text: EscapedText) {
        // What breaks off within a character is completed.
        let bytes = text.bytes + [0x80, 0x80, 0x80]
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < text.bytes.count {
                let length = UTF8Scalars.length(buffer, at: offset)
                if length > 1 {
                    let value = UTF8Scalars.value(buffer, at: offset, length: length)
                    let digits = (offset..<offset + length).map {
                        $0 < text.digits.count ? text.digits[$0] : (UInt8(ascii: "8"), UInt8(ascii: "0"))
                    }
                    addCharacter(value, digits)
                    addCharacter(value)
                }
                offset += length
            }
        }
    }
}
