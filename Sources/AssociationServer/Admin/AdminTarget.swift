internal import Diagnostics
internal import EventLoops
internal import HTTP1

/// What a request to the admin listener asks for, and of whom.
struct AdminTarget {
    /// With or without a port; empty in HTTP/1.0 without `Host`.
    let authority: String
    let path: String
    /// Without the question mark.
    let query: String?

    /// - Returns: `nil` for a target that is neither a path nor an `http` or `https` URL.
    init?(_ head: RequestHead, in bytes: Span<UInt8>) {
        switch head.target {
        case .origin, .absolute, .absoluteInClear:
            authority = bytes.text(head.host)
            path = bytes.text(head.path)
            query = head.query(in: bytes).map { bytes.text($0) }
        case .unsupported: return nil
        }
    }
}

extension Span where Element == UInt8 {
    /// - Parameter slice: of a head, in which targets and hosts are ASCII.
    fileprivate func text(_ slice: RequestHead.Slice) -> String {
        extracting(slice.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

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
                let help = known.contains("url") ? "; write '&' in the URL as %26" : ""
                throw AdminRefusal(.badRequest, "unknown parameter \(quoted(name)); expected \(expected)\(help)")
            }
            guard parts.count > 1, let value = Self.decoded(parts[1]) else {
                throw AdminRefusal(
                    .badRequest, "parameter '\(name)' has no value, or a '%' in it is not followed by two hex digits")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw AdminRefusal(.badRequest, "parameter '\(name)' is given twice")
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

/// Tells names of this machine from others.
///
/// A page of a foreign site can have its own name resolved to 127.0.0.1 and then read what a service here answers (DNS
/// rebinding); but its requests still name the foreign host.
enum LoopbackHost {
    /// - Parameter authority: a host, with or without a port.
    static func matches(_ authority: String) -> Bool {
        guard let host = host(of: authority) else { return false }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name.lowercased() == "localhost" || SocketAddress("\(host):0")?.isLoopback == true
    }

    /// The host without its port; `nil` if what follows the colon is not a port.
    private static func host(of authority: String) -> String? {
        let start =
            authority.hasPrefix("[") ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
        guard let colon = authority[start...].firstIndex(of: ":") else { return authority }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy({ $0.isASCII && $0.isNumber }) ? String(authority[..<colon]) : nil
    }
}
