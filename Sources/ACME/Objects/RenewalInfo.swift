internal import Diagnostics
package import OpenSSL

/// The window in which a CA would like a certificate to be renewed (RFC 9773, section 4.2).
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

/// The result of a question about a renewal.
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

/// The identifier of a certificate in questions about its renewal (RFC 9773, section 4.1).
package struct CertificateID: Hashable, Sendable, CustomStringConvertible {
    /// The key identifier of the issuer and the serial number, each as base64url, with a full stop between them.
    package let description: String

    package init(keyIdentifier: [UInt8], serialNumber: [UInt8]) {
        description = "\(Base64URL.text(keyIdentifier)).\(Base64URL.text(serialNumber))"
    }

    /// Nil for a certificate that does not name its issuer's key.
    package init?(_ certificate: X509Certificate) {
        guard let identifier = certificate.authorityKeyIdentifier, !identifier.isEmpty,
            case let serial = certificate.serialNumberContent, !serial.isEmpty
        else { return nil }
        self.init(keyIdentifier: identifier, serialNumber: serial)
    }

}

/// The times at which one certificate is renewed, and the CA asked about it; in seconds since 1970.
package struct RenewalSchedule: Equatable, Sendable {
    /// Which certificate it is.
    package let fingerprint: String
    /// A random time, drawn once: between two thirds of the lifetime and a little before, or in the CA's window.
    package private(set) var time: Int64
    /// The window of the CA, if it has ever answered.
    package private(set) var window: Range<Int64>?
    /// The time of the next question to the CA.
    package private(set) var nextQuestion: Int64
    /// Whether the CA has sent a window that is no instruction for the certificate.
    package private(set) var hasRefusedWindow: Bool

    /// The consequence of an answer of the CA.
    package enum Change: Equatable, Sendable {
        case none
        /// The renewal has another time.
        case moved
        /// The window is no instruction for the certificate, and none was refused before.
        case refused
    }

    /// No answer of a CA lets longer pass before the next question.
    private static let longestPause: Int64 = 86_400

    /// - Parameter delay: seconds until the CA is asked first.
    init(
        for certificate: InstalledCertificate, now: Int64, firstQuestionIn delay: Int64,
        random: inout some RandomNumberGenerator
    ) {
        fingerprint = certificate.fingerprint
        let lifetime = certificate.lifetime
        // In thousandths of the lifetime; a short one leaves less time for attempts that fail.
        let part = lifetime < 10 * 86_400 ? 450.0...500.0 : 600.0...667.0
        time = certificate.notBefore + Int64(Double(lifetime) * Double.random(in: part, using: &random) / 1_000)
        nextQuestion = now + delay
        hasRefusedWindow = false
    }

    init(fingerprint: String, time: Int64, window: Range<Int64>?, nextQuestion: Int64, hasRefusedWindow: Bool) {
        (self.fingerprint, self.time, self.window) = (fingerprint, time, window)
        (self.nextQuestion, self.hasRefusedWindow) = (nextQuestion, hasRefusedWindow)
    }

    /// Whether the time was drawn in a window that the certificate cannot have.
    func isPremature(for certificate: InstalledCertificate) -> Bool {
        window.map { $0.lowerBound <= certificate.earliestWindow } ?? false
    }

    /// The time of the renewal: late enough for the CA's window, but never so late that there is no time left.
    package func renewal(of certificate: InstalledCertificate) -> Int64 {
        guard window != nil else { return time }
        return min(time, certificate.notAfter - min(certificate.lifetime / 10, 2 * 86_400))
    }

    /// - Parameter earliest: a window that begins no later is no instruction, and changes nothing.
    mutating func take(
        _ answer: RenewalAnswer, earliestWindow earliest: Int64, now: Int64, random: inout some RandomNumberGenerator
    ) -> Change {
        nextQuestion = now + answer.pause
        guard let info = answer.info, info.window != window else { return .none }
        guard info.window.lowerBound > earliest else {
            defer { hasRefusedWindow = true }
            return hasRefusedWindow ? .none : .refused
        }
        window = info.window
        // One in the past is due; it is kept as it is, because the clock may be wrong.
        time = Int64.random(in: info.window, using: &random)
        return .moved
    }

    mutating func ask(at time: Int64) { nextQuestion = time }

    /// A question may not lie further ahead than any can: the clock was wrong then, or is now.
    mutating func cut(at now: Int64) { nextQuestion = min(nextQuestion, now + Self.longestPause) }
}
