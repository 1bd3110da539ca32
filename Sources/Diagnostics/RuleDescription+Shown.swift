extension RuleDescription {
    /// The bad example without its marks, as far as somebody would want to read it.
    package var badShown: String { Self.shown(MarkedText(bad).bytes) }

    /// The good example, as far as somebody would want to read it.
    package var goodShown: String { Self.shown(Array(good.utf8)) }

    /// No more than 20 lines of 100 columns, without blanks at the end.
    private static func shown(_ bytes: [UInt8]) -> String {
        let source = SourceText(bytes, path: "")
        let most = 20
        var lines = (1...min(source.lineCount, most)).map { number in
            let line = VisibleText.escaped(String(decoding: source.line(number).prefix(400), as: UTF8.self))
            return line.count > 100 ? "\(line.prefix(99))…" : line
        }
        if source.lineCount > most { lines.append("…") }
        while let last = lines.last, last.utf8.allSatisfy({ $0 == 0x20 }), lines.count > 1 { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
