/// Writes PEM (RFC 7468).
public enum SamplePEM {
    /// - Parameters:
    ///   - label: Like `CERTIFICATE`.
    ///   - headers: Lines such as `Proc-Type: 4,ENCRYPTED`.
    public static func block(
        _ label: String, _ content: [UInt8], headers: [String] = [], newline: String = "\n"
    ) -> String {
        let above = headers.isEmpty ? [] : headers + [""]
        let lines = ["-----BEGIN \(label)-----"] + above + lines(content) + ["-----END \(label)-----", ""]
        return lines.joined(separator: newline)
    }

    /// The line before the content.
    public static func begin(_ label: String) -> String { "-----BEGIN \(label)-----\n" }

    /// The line behind the content.
    public static func end(_ label: String) -> String { "-----END \(label)-----\n" }

    /// Base64 in lines of 64 characters.
    public static func lines(_ content: [UInt8]) -> [String] {
        let text = Array(base64(content).utf8)
        return stride(from: 0, to: text.count, by: 64).map {
            String(decoding: text[$0..<min(text.count, $0 + 64)], as: UTF8.self)
        }
    }

    public static func base64(_ content: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(content.count / 3 * 4 + 4)
        for start in stride(from: 0, to: content.count, by: 3) {
            let group = content[start..<min(content.count, start + 3)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? UInt8(ascii: "=") : alphabet[number >> (18 - 6 * place) & 0x3F])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
