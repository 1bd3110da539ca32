internal import Diagnostics
internal import DomainNames
internal import URLPatterns

/// A pattern for domains: `*` is any characters, dots included, and `?` is one.
package struct DomainGlob: Sendable {
    private let pattern: [UInt8]

    /// - Parameter text: in any case, in Unicode or Punycode, where a label with a `*` or `?` has only ASCII.
    package init(_ text: String) throws(StoreNameError) {
        var labels: [String] = []
        for label in text.split(separator: ".", omittingEmptySubsequences: false) {
            let isASCII = label.utf8.allSatisfy { $0 < 0x80 }
            let isPlain = !label.contains("*") && !label.contains("?")
            guard isASCII || isPlain, let ascii = isASCII ? label.lowercased() : Punycode.ascii(String(label)) else {
                throw Self.error(text)
            }
            labels.append(ascii)
        }
        let pattern = labels.joined(separator: ".")
        guard (1...253).contains(pattern.utf8.count), pattern.utf8.allSatisfy(Self.isAllowed) else {
            throw Self.error(text)
        }
        self.pattern = Array(pattern.utf8)
    }

    /// Whether the pattern covers a domain as stores have it.
    ///
    /// The time is at most pattern times domain.
    package func matches(_ domain: String) -> Bool { Wildcards.matches(pattern, Array(domain.utf8)) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "?"):
            true
        default: false
        }
    }

    private static func error(_ text: String) -> StoreNameError {
        StoreNameError(
            "\(quoted(text)) is not a pattern for domains; expected one like '*.example.com' or 'shop-*'")
    }
}
