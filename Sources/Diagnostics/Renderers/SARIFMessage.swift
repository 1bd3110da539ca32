/// Plain text as SARIF has it in messages.
enum SARIFMessage {
    /// Escapes what a reader would take for a placeholder, `{0}`, or for a link, `[text](target)` (SARIF 2.1.0, 3.11.5 and
    /// 3.11.6): values from files are shown as they are and never as a link. Other braces and brackets stay, as viewers show
    /// escapes they need not look for.
    static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else { return text }
        let bytes = Array(text.utf8)
        let isLink = hasLink(bytes)
        var result: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "{"):
                let digits = bytes[offset...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "}") {
                    result += [byte, byte] + digits + [UInt8(ascii: "}"), UInt8(ascii: "}")]
                    offset = digits.endIndex + 1
                } else {
                    result += [byte] + digits
                    offset = digits.endIndex
                }
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                if isLink { result.append(UInt8(ascii: "\\")) }
                result.append(byte)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Markdown that shows a text as it is: patterns are full of stars.
    static func markdown(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if #"\`*_[]<>~&#|"#.unicodeScalars.contains(scalar) { result += #"\"# }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func hasLink(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: "(") }
    }
}
