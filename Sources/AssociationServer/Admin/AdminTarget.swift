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
        case .origin, .absolute:
            authority = bytes.text(head.host)
            path = bytes.text(head.path)
            query = head.query(in: bytes).map { bytes.text($0) }
        case .unsupported:
            // The parser knows `https` only, and this port speaks HTTP in clear.
            let target = bytes.text(RequestHead.requestLine(in: bytes).target)
            let scheme = "http://"
            guard target.prefix(scheme.utf8.count).lowercased() == scheme else { return nil }
            let rest = target.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            let parts = rest[end...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            authority = String(rest[..<end])
            path = parts.first.map(String.init) ?? ""
            query = parts.count > 1 ? String(parts[1]) : nil
        }
    }
}

extension Span where Element == UInt8 {
    /// - Parameter slice: of a head, in which targets and hosts are ASCII.
    fileprivate func text(_ slice: RequestHead.Slice) -> String {
        extracting(slice.range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
