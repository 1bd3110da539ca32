internal import BoundedText

/// Asks the admin listener of a running server whether clients can be sent to it.
package enum ReadinessProbe {
    private static let limit = 16_384

    /// The answer of `/readyz`.
    package struct Answer: Equatable, Sendable {
        package let isReady: Bool
        /// The body, which excludes its final line feed.
        package let body: String

        /// - Returns: `nil` for an answer that is not one of `/readyz`.
        package init?(_ answer: AdminQuestion.Answer) {
            switch answer.status {
            case 200: isReady = true
            case 503: isReady = false
            default: return nil
            }
            var body = answer.body[...]
            if body.last == UInt8(ascii: "\n") { body.removeLast() }
            self.body = String(text: body)
        }
    }

    /// - Parameters:
    ///   - text: the address of the admin listener, as `admin` in server.json; `nil` is none.
    ///   - patience: milliseconds for all of it.
    /// - Throws: `ServerError.Code.addressUnavailable` if nobody answers, or not as an admin listener does.
    package static func ask(_ text: String?, patience: Int = AdminQuestion.patience) throws(ServerError) -> Answer {
        try AdminQuestion.ask("/readyz", at: text, patience: patience, limit: limit, read: Answer.init)
    }
}
