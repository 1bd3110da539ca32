internal import Diagnostics

/// When a CA would like a certificate to be renewed (RFC 9773, section 4.2).
package struct RenewalInfo: Equatable, Sendable {
    /// Seconds since 1970; the end is after the start.
    package let window: Range<Int64>
    /// Why, if the CA says; escaped, and cut to 300 bytes.
    package let explanation: String?

    /// - Throws: `protocol`.
    package init(_ bytes: [UInt8]) throws(IssuanceError) {
        let object = try ReceivedObject(bytes, subject: "the renewal information")
        let suggested = try object.object("suggestedWindow")
        let start = try suggested.time("start")
        let end = try suggested.time("end")
        guard start < end else {
            throw IssuanceError(.protocol, "the suggested window of the renewal information ends before it begins")
        }
        window = start..<end
        explanation = try object.optionalString("explanationURL").map { AuthorityText.shown($0) }
    }

    /// Where to ask about a certificate; nil if the URL would be too long.
    package static func url(_ base: SecureURL, _ certificate: CertificateID) -> SecureURL? {
        let text = base.description
        return SecureURL(text + (text.hasSuffix("/") ? "" : "/") + certificate.description)
    }

}

/// What has come of a question about a renewal.
package struct RenewalAnswer: Equatable, Sendable {
    /// Nil if there is no usable answer.
    package let info: RenewalInfo?
    /// Why there is none.
    package let error: IssuanceError?
    /// Seconds until the next question: as the CA says, from a minute to a day; without that, or after an error, six hours.
    package let pause: Int64

    private static let standardPause: Int64 = 6 * 3_600

    /// - Parameter now: seconds since 1970.
    package init(_ response: ACMEResponse, now: Int64) {
        do throws(IssuanceError) {
            guard response.status == 200 else {
                throw IssuanceError(.protocol, "'renewalInfo' was answered with status \(response.status)")
            }
            info = try RenewalInfo(response.body)
            error = nil
            pause = response.retryAfterSeconds(now: now).map { min(max($0, 60), 86_400) } ?? Self.standardPause
        } catch {
            info = nil
            self.error = error
            pause = Self.standardPause
        }
    }

    package init(_ failure: TransportFailure) {
        info = nil
        pause = Self.standardPause
        error =
            switch failure {
            case .unreachable(let reason): IssuanceError(.unavailable, AuthorityText.shown(reason))
            case .tooLarge(let limit):
                IssuanceError(.protocol, "the renewal information is larger than \(grouped(limit)) bytes")
            }
    }
}
