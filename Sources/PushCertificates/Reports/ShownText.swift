internal import Diagnostics

/// Text of a file on one line, and not longer than anybody reads.
enum ShownText {
    /// Escapes what cannot be shown, and cuts what is too long: a name may have megabytes.
    static func line(_ text: String, limit: Int = 200) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return VisibleText.escaped(text) }
        return VisibleText.escaped(String(scalars[..<end])) + "…"
    }

    /// A number and what it counts.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
