internal import HTTP1

/// The field that says when to come back (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest that is believed; what is longer is this.
    package static let longest: Int64 = 7 * 86_400

    /// Seconds from now; nil for a time in the past, and for what is neither a number of seconds nor an HTTP date.
    ///
    /// - Parameter now: seconds since 1970.
    package static func seconds(_ field: String, now: Int64) -> Int64? {
        let bytes = Array(field.utf8.prefix(64))
        guard !bytes.isEmpty, bytes.count < 64 else { return nil }
        if bytes.allSatisfy({ 0x30...0x39 ~= $0 }) {
            // More digits than a number can have are a long time.
            return min(Int64(field) ?? longest, longest)
        }
        guard let date = HTTPDate.parse(bytes.span, in: bytes.indices, now: now) else { return nil }
        let (seconds, hasOverflow) = date.subtractingReportingOverflow(now)
        guard !hasOverflow, seconds >= 0 else { return nil }
        return min(seconds, longest)
    }
}
