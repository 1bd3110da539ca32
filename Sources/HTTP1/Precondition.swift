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
    ///   - lastModified: in seconds since 1970.
    ///   - now: in seconds since 1970; an `If-Modified-Since` later than this is ignored.
    package static func evaluate(
        _ head: RequestHead, in bytes: Span<UInt8>, entityTag: Span<UInt8>, lastModified: Int64, now: Int64
    ) -> Precondition {
        let conditions = Conditions(bytes, head, entityTag, now: now)
        if let matches = conditions.ifMatch {
            if !matches { return .failed }
        } else if let date = conditions.ifUnmodifiedSince, lastModified > date {
            return .failed
        }
        if let matches = conditions.ifNoneMatch {
            return matches ? .notModified : .passed
        }
        if let date = conditions.ifModifiedSince, date <= now, lastModified <= date { return .notModified }
        return .passed
    }
}

/// What the conditional fields of one request say; `nil` where a field is missing or, for a date, of no use.
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
