/// When one certificate is to be renewed, and when the CA is asked about it; times in seconds since 1970.
package struct RenewalSchedule: Equatable, Sendable {
    /// Which certificate it is.
    package let fingerprint: String
    /// A random time, drawn once: between two thirds of the lifetime and a little before, or in the CA's window.
    package private(set) var time: Int64
    /// The window of the CA, if it has ever answered.
    package private(set) var window: Range<Int64>?
    /// When the CA is asked next.
    package private(set) var nextQuestion: Int64

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
    }

    init(fingerprint: String, time: Int64, window: Range<Int64>?, nextQuestion: Int64) {
        (self.fingerprint, self.time, self.window) = (fingerprint, time, window)
        self.nextQuestion = nextQuestion
    }

    /// When the certificate is due: late enough for the CA's window, but never so late that there is no time left.
    package func renewal(of certificate: InstalledCertificate) -> Int64 {
        guard window != nil else { return time }
        return min(time, certificate.notAfter - min(certificate.lifetime / 10, 2 * 86_400))
    }

    /// - Returns: whether the window has changed, and there is something new to say.
    mutating func take(_ answer: RenewalAnswer, now: Int64, random: inout some RandomNumberGenerator) -> Bool {
        nextQuestion = now + answer.pause
        guard let info = answer.info, info.window != window else { return false }
        window = info.window
        // One in the past is due; it is kept as it is, because the clock may be wrong.
        time = Int64.random(in: info.window, using: &random)
        return true
    }

    mutating func ask(at time: Int64) { nextQuestion = time }

    /// A question may not lie further ahead than any can: the clock was wrong then, or is now.
    mutating func cut(at now: Int64) { nextQuestion = min(nextQuestion, now + Self.longestPause) }
}
