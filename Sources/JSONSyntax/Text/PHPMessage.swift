/// A message of PHP before what a script prints: with `display_errors`, the interpreter writes it into the answer.
enum PHPMessage {
    private static let kinds: [StaticString] = ["Warning", "Notice", "Deprecated", "Fatal error", "Parse error"]

    /// The line with the message, from its kind on; nil if there is none at the offset.
    ///
    /// The message begins with `<br />`, a line break and `<b>Warning</b>:` if PHP's setting `html_errors` is on, else it is
    /// `Warning: … on line 7`.
    static func line(_ bytes: ByteView, at start: Int) -> Range<Int>? {
        var index = start
        if bytes.starts(with: "<br />", at: index) {
            index += 6
            while isWhiteSpace(bytes[index]) { index += 1 }
        }
        let isHTML = bytes.starts(with: "<b>", at: index)
        if isHTML { index += 3 } else if bytes.starts(with: "PHP ", at: index) { index += 4 }
        guard let kind = kinds.first(where: { bytes.starts(with: $0, at: index) }),
            bytes.starts(with: isHTML ? "</b>:" : ":", at: index + kind.utf8CodeUnitCount)
        else { return nil }
        let line = index..<bytes.endOfLine(from: index)
        guard isHTML || line.prefix(2_000).contains(where: { bytes.starts(with: " on line ", at: $0) }) else {
            return nil
        }
        return line
    }
}
