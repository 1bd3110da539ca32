/// Whether a file that clients take for text is some: whatever else a link may lead to is mostly none.
enum PlainText {
    /// What there is to say about a file that is not text; nil if it is.
    static func problem(in bytes: [UInt8], as contentType: String) -> String? {
        isText(bytes)
            ? nil
            : """
            the file is to be served as '\(contentType)', and is not text; expected UTF-8 without control characters other \
            than tab, line feed and carriage return
            """
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || scalar == "\t" || scalar == "\n" || scalar == "\r"
        }
    }
}
