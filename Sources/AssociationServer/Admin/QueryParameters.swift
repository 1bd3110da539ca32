internal import Diagnostics
internal import HTTP1

/// The parameters of a question to the admin listener.
struct QueryParameters {
    private var values: [String: [UInt8]] = [:]

    /// - Parameter known: the parameters that there are.
    init(_ query: String?, known: [String]) throws(AdminRefusal) {
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard known.contains(name) else {
                let expected = known.map { "'\($0)'" }.joined(separator: " or ")
                let help = known.contains("url") ? "; inside of the URL write '&' as %26" : ""
                throw AdminRefusal(.badRequest, "unknown parameter \(quoted(name)); expected \(expected)\(help)")
            }
            guard parts.count > 1, let value = Self.decoded(parts[1]) else {
                throw AdminRefusal(
                    .badRequest, "parameter '\(name)' has no value, or a '%' in it is not followed by two hex digits")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw AdminRefusal(.badRequest, "parameter '\(name)' is there twice")
            }
        }
    }

    /// The value, decoded; it need not be text.
    subscript(name: String) -> [UInt8]? { values[name] }

    func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }

    /// Percent-decoded once; a `+` is one.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
