/// The conditions of a request against the state of a document (RFC 9110, section 13).
package enum Precondition: Sendable {
    /// Answer as if there were no conditions.
    case passed
    /// Answer 304.
    case notModified
    /// Answer 412.
    case failed

    /// Evaluates the conditional fields of a head that `RequestParser` has accepted, in the order of section 13.2.2.
    ///
    /// - Parameters:
    ///   - head: the request; its bytes are the first `head.count` of `bytes`.
    ///   - entityTag: the document's strong entity tag, with its quotes.
    ///   - lastModified: in seconds since 1970; nil for a document that has only a tag: its dates are ignored.
    ///   - now: in seconds since 1970; an `If-Modified-Since` later than this is ignored.
    package static func evaluate(
        _ head: RequestHead, in bytes: Span<UInt8>, entityTag: Span<UInt8>, lastModified: Int64?, now: Int64
    ) -> Precondition {
        let conditions = Conditions(bytes, head, entityTag, now: now)
        if let matches = conditions.ifMatch {
            if !matches { return .failed }
        } else if let date = conditions.ifUnmodifiedSince, let lastModified, lastModified > date {
            return .failed
        }
        if let matches = conditions.ifNoneMatch {
            return matches ? .notModified : .passed
        }
        if let date = conditions.ifModifiedSince, let lastModified, date <= now, lastModified <= date {
            return .notModified
        }
        return .passed
    }
}

/// The conditional fields of one request, evaluated; `nil` where a field is missing or a date is of no use.
private struct Conditions {
    var ifMatch: Bool?
    var ifNoneMatch: Bool?
    var ifModifiedSince: Int64?
    var ifUnmodifiedSince: Int64?

    init(_ bytes: Span<UInt8>, _ head: RequestHead, _ entityTag: Span<UInt8>, now: Int64) {
        var index = Int(head.fields)
        var dates = (modified: 0, unmodified: 0)
        while case .line(let line) = FieldLine.read(bytes, at: index) {
            index = line.end
            if bytes.matches("if-none-match", in: line.name) {
                let matches = EntityTag.list(bytes, line.value, contains: entityTag, comparison: .weak)
                ifNoneMatch = (ifNoneMatch ?? false) || matches
            } else if bytes.matches("if-match", in: line.name) {
                let matches = EntityTag.list(bytes, line.value, contains: entityTag, comparison: .strong)
                ifMatch = (ifMatch ?? false) || matches
            } else if bytes.matches("if-modified-since", in: line.name) {
                dates.modified += 1
                ifModifiedSince = dates.modified == 1 ? HTTPDate.parse(bytes, in: line.value, now: now) : nil
            } else if bytes.matches("if-unmodified-since", in: line.name) {
                dates.unmodified += 1
                ifUnmodifiedSince = dates.unmodified == 1 ? HTTPDate.parse(bytes, in: line.value, now: now) : nil
            }
        }
    }
}

/// Lists of entity tags (RFC 9110, section 8.8.3).
enum EntityTag {
    enum Comparison {
        /// `W/` makes no difference.
        case weak
        /// A tag with `W/` equals nothing.
        case strong
    }

    /// Whether a field value is `*`, or a list with `tag` in it.
    ///
    /// A malformed list counts up to its first error.
    static func list(
        _ bytes: Span<UInt8>, _ range: Range<Int>, contains tag: Span<UInt8>, comparison: Comparison
    ) -> Bool {
        if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "*") { return true }
        var index = range.lowerBound
        while index < range.upperBound {
            if Characters.isBlank(bytes[index]) || bytes[index] == UInt8(ascii: ",") {
                index += 1
                continue
            }
            let isWeak =
                index + 1 < range.upperBound && bytes[index] == UInt8(ascii: "W")
                && bytes[index + 1] == Characters.slash
            if isWeak { index += 2 }
            guard let end = endOfTag(bytes, index..<range.upperBound) else { return false }
            if !(isWeak && comparison == .strong), equal(bytes, index..<end, tag) { return true }
            index = end
        }
        return false
    }

    private static func endOfTag(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == UInt8(ascii: "\"") else { return nil }
        var index = first + 1
        while index < range.upperBound, bytes[index] != UInt8(ascii: "\"") {
            guard bytes[index] > Characters.space else { return nil }
            index += 1
        }
        return index < range.upperBound ? index + 1 : nil
    }

    private static func equal(_ bytes: Span<UInt8>, _ range: Range<Int>, _ tag: Span<UInt8>) -> Bool {
        guard range.count == tag.count else { return false }
        for offset in 0..<tag.count where bytes[range.lowerBound + offset] != tag[offset] { return false }
        return true
    }
}
