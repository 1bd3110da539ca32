internal import BoundedText
internal import Diagnostics

/// Why a key of `links` cannot be the path of a link.
struct LinkPathFault {
    /// The end of a sentence that begins with the key.
    let message: String
    let advice: String
    var isReserved = false

    /// Nil for a path that a link can have.
    init?(_ path: [UInt8]) {
        if path.count > LinkLimits.maxURLBytes {
            message = "has \(grouped(path.count)) bytes"
            advice = "shorten it to at most \(grouped(LinkLimits.maxURLBytes))"
        } else if path.first != UInt8(ascii: "/") {
            message = "does not begin with '/'"
            advice = "write the path of the link, as in \"/summer\""
        } else if let mark = path.first(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
            message = mark == UInt8(ascii: "?") ? "has a query" : "has a fragment"
            advice =
                mark == UInt8(ascii: "?")
                ? "write the path alone, which is found with any query, or a route with '?' in 'pages'"
                : "remove it: browsers do not send it to the server"
        } else if let index = Self.firstStray(path) {
            let text = BoundedText.scalars(of: path[index...]).first.map { String($0) } ?? ""
            message = "has \(quoted(text)), which is only percent-encoded in a URL"
            let isBrace = text == "{" || text == "}"
            advice =
                isBrace
                ? "put a route with captures into 'pages'"
                : "write \(text.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined())"
        } else {
            let compared = [UInt8(ascii: "/")] + ComparedPath.bytes(of: path)
            switch compared.withUnsafeBufferPointer(LinkPath.kind) {
            case .ordinary: return nil
            case .dotSegment:
                message = "has a segment '.' or '..'"
                advice = "write the path without it: browsers resolve it before they ask"
            case .association, .wellKnown, .image:
                message = "is not a path for links: the server itself answers there"
                advice = "choose another path"
                isReserved = true
            }
        }
    }

    /// The index of the first byte that is neither a character of a path nor the start of an escape.
    private static func firstStray(_ path: [UInt8]) -> Int? {
        path.withUnsafeBufferPointer { path in
            path.indices.first { index in
                !URLBytes.isSegmentCharacter(path[index]) && path[index] != UInt8(ascii: "/")
                    && URLBytes.escape(path, at: index) == nil
            }
        }
    }
}
