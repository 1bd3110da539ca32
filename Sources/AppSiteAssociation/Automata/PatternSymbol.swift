/// What an automaton reads at a time: one byte; in a text that was decoded one character.
///
/// A character is a well-formed scalar or a byte that belongs to none (`OpenDecisions.characterLength`). Such a byte is
/// `strayByte` and more, so that it is no scalar's number.
package enum PatternSymbol {
    package static let strayByte: UInt32 = 0x110000
    package static let slash = UInt32(UInt8(ascii: "/"))

    package static func symbols(of text: [UInt8], percentEncoded: Bool) -> [UInt32] {
        guard !percentEncoded else { return text.map(UInt32.init) }
        var symbols: [UInt32] = []
        symbols.reserveCapacity(text.count)
        text.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let length = OpenDecisions.characterLength(bytes, at: offset, percentEncoded: false)
                let value = UTF8Scalars.value(bytes, at: offset, length: length)
                symbols.append(length == 1 && value >= 0x80 ? strayByte + value : value)
                offset += length
            }
        }
        return symbols
    }

    /// The bytes of symbols.
    package static func text(of symbols: [UInt32], percentEncoded: Bool) -> [UInt8] {
        var text: [UInt8] = []
        for symbol in symbols {
            if percentEncoded || symbol < 0x80 || symbol >= strayByte {
                text.append(UInt8(truncatingIfNeeded: symbol))
            } else if let scalar = Unicode.Scalar(symbol) {
                text += Array(String(Character(scalar)).utf8)
            }
        }
        return text
    }
}
