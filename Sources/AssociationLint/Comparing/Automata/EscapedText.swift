internal import AppSiteAssociation

/// Escapes that stand side by side in a pattern.
struct EscapedText {
    private(set) var bytes: [UInt8] = []
    /// The two digits of each, as they are written.
    private(set) var digits: [(UInt8, UInt8)] = []

    /// The runs that have a byte beyond ASCII.
    static func runs(in elements: [PatternElement]) -> [EscapedText] {
        var runs: [EscapedText] = []
        var pending: [[PatternElement]] = [elements]
        while let elements = pending.popLast() {
            var run = EscapedText()
            var index = 0
            while index < elements.count {
                if index + 2 < elements.count, elements[index] == .byte(UInt8(ascii: "%")),
                    case .byte(let high) = elements[index + 1], case .byte(let low) = elements[index + 2],
                    let byte = OpenDecisions.decodedEscape(high, low)
                {
                    run.bytes.append(byte)
                    run.digits.append((high, low))
                    index += 3
                    continue
                }
                if run.bytes.contains(where: { $0 >= 0x80 }) { runs.append(run) }
                run = EscapedText()
                if case .oneOf(let values) = elements[index] { pending += values }
                index += 1
            }
            if run.bytes.contains(where: { $0 >= 0x80 }) { runs.append(run) }
        }
        return runs
    }
}
