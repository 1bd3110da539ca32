internal import BoundedText
internal import URLPatterns

/// The symbols of all URLs that Apple's rules may tell apart, the nicest first.
struct AppleSymbols {
    private(set) var symbols: [URLSymbol] = []
    private let part: URLPart
    private let hasEncoded: Bool
    private let hasDecoded: Bool

    init(_ patterns: [PartPattern], _ classes: [InputClasses], _ part: URLPart) {
        self.part = part
        hasEncoded = classes.contains { $0.view.isEncoded }
        hasDecoded = classes.contains { !$0.view.isEncoded }
        for byte in Self.printable where isAllowed(byte) { add([byte], UInt32(byte), kind(of: byte)) }
        guard hasDecoded else { return }
        for byte in Self.printable + Self.others { addEscapes(of: byte) }
        for scalar in Self.characters(classes) { addCharacter(scalar) }
        guard hasEncoded else { return }
        // What is none of them may have two, three or four bytes.
        for scalar: UInt32 in [0xE9, 0x20AC, 0x1F600] { addCharacter(scalar) }
        for text in Set(patterns.flatMap(\.encodedTexts)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            for run in EscapeRun.runs(in: text) { addEscapeRun(run) }
        }
    }

    private static let printable = Array(
        (#"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.~/+,;=:@!$&'()*%?[]|{}^`"<>\"# + "#").utf8)
    private static let others: [UInt8] = Array(0...0x20) + Array(0x7F...0xFF)

    /// The characters beyond ASCII that patterns name, and all that fold to one where case does not matter; ascending.
    private static func characters(_ classes: [InputClasses]) -> [UInt32] {
        var result = Set<UInt32>()
        for one in classes where !one.view.isEncoded {
            result.formUnion(one.named)
            guard case .apple(let comparison) = one.view, !comparison.caseSensitive else { continue }
            for symbol in one.named { result.formUnion(CaseFolding.sources[symbol] ?? []) }
            // `$(alpha)` and the like take what folds to an ASCII letter.
            result.formUnion([0x17F, 0x212A])
        }
        return result.filter { $0 >= 0x80 && $0 < PatternSymbol.strayByte }.sorted()
    }

    private mutating func add(_ raw: [UInt8], _ decoded: UInt32, _ kind: URLSymbol.Kind = []) {
        symbols.append(URLSymbol(raw: raw, decoded, kind))
    }

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
        let isMixed = hasEncoded && hasDecoded
        return switch (byte, part) {
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

    private mutating func addEscapes(of byte: UInt8) {
        // A slash at the end of a path does not count however it is written; only patterns of both kinds tell them apart.
        var isSlash = false
        if case .path = part, byte == UInt8(ascii: "/") { isSlash = true }
        if isSlash, !hasEncoded { return }
        let kind: URLSymbol.Kind =
            isSlash ? .escapedSlash : byte < 0x80 ? [] : byte < 0xC0 ? [.strayByte, .strayTail] : .strayByte
        let decoded = byte < 0x80 ? UInt32(byte) : PatternSymbol.strayByte + UInt32(byte)
        for high in Self.digits(byte >> 4) {
            for low in Self.digits(byte & 15) { add([UInt8(ascii: "%"), high, low], decoded, kind) }
        }
    }

    /// A hexadecimal digit in uppercase and in lowercase.
    private static func digits(_ value: UInt8) -> [UInt8] {
        value < 10 ? [0x30 + value] : [0x41 + value - 10, 0x61 + value - 10]
    }

    private mutating func addCharacter(_ scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        let bytes = Array(String(Character(scalar)).utf8)
        addCharacter(scalar.value, bytes.map { (Self.digits($0 >> 4)[0], Self.digits($0 & 15)[0]) })
        addCharacter(
            scalar.value, bytes.map { (Self.digits($0 >> 4).last ?? 0x30, Self.digits($0 & 15).last ?? 0x30) })
    }

    private mutating func addCharacter(_ scalar: UInt32, _ digits: [(UInt8, UInt8)]) {
        add(digits.flatMap { [UInt8(ascii: "%"), $0.0, $0.1] }, scalar)
    }

    /// Adds the characters of escapes as a pattern writes them.
    private mutating func addEscapeRun(_ text: EscapeRun) {
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

/// Escapes that stand side by side in a pattern.
private struct EscapeRun {
    private(set) var bytes: [UInt8] = []
    /// The two digits of each, as they are written.
    private(set) var digits: [(UInt8, UInt8)] = []

    /// The runs that have a byte beyond ASCII.
    static func runs(in text: [UInt8]) -> [EscapeRun] {
        var runs: [EscapeRun] = []
        var run = EscapeRun()
        var index = 0
        while index < text.count {
            if let byte = URLSymbol.escapedByte(in: text, at: index) {
                run.bytes.append(byte)
                run.digits.append((text[index + 1], text[index + 2]))
                index += 3
            } else {
                runs.append(run)
                run = EscapeRun()
                index += 1
            }
        }
        return (runs + [run]).filter { run in run.bytes.contains { $0 >= 0x80 } }
    }
}
