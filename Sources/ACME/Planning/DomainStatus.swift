package import Diagnostics
package import DomainNames
internal import SystemSupport

/// The state of a domain: the certificate that it has, or waits for.
package enum DomainState: String, Sendable, CaseIterable {
    /// Named in `acme.exclude`.
    case excluded
    /// Has a certificate of another source.
    case covered
    /// Due, but others come first, or another process orders.
    case waiting
    /// Orders a certificate for a domain that has none.
    case ordering
    case valid
    /// Has a certificate, and the next one is being ordered.
    case renewing
    /// An attempt has failed, and the next one is at a known time.
    case backoff
    /// No attempt can succeed before something is changed.
    case blocked
}

/// A failure that is remembered.
package struct RecordedError: Equatable, Sendable {
    /// Seconds since 1970.
    package let at: Int64
    package let type: IssuanceErrorType
    package let message: String

    private static let messageLimit = 2_000

    package init(at: Int64, type: IssuanceErrorType, message: String) {
        (self.at, self.type) = (at, type)
        self.message = String(message.prefix(Self.messageLimit))
    }

    package init(_ error: IssuanceError, at now: Int64) {
        self.init(at: now, type: error.type, message: error.message)
    }

    package var json: JSONOutput {
        .object([
            "at": .string(InternetDate.string(at)), "type": .string(type.rawValue), "message": .string(message),
        ])
    }
}

/// The status of one domain, as it is shown; times in seconds since 1970.
package struct DomainStatus: Equatable, Sendable {
    package var state: DomainState
    package var nextRenewal: Int64?
    package var nextAttempt: Int64?
    package var lastAttempt: Int64?
    package var failures = 0
    package var lastError: RecordedError?
    /// Whether the last error is one of the CA's for all domains.
    package var concernsAuthority = false
    /// Whether no process is running that orders certificates, so that nothing happens by itself.
    package var isUnattended = false
    /// The time of the renewal if only the number of certificates in 24 hours sets it.
    package var limitedUntil: Int64?
    /// The end of the certificate in use, if there is a valid one.
    package var validUntil: Int64?

    package init(_ state: DomainState) {
        self.state = state
    }

    /// Whether a valid certificate is presented for it, from any source.
    package var hasCertificate: Bool { validUntil != nil }

    /// Whether the settings alone rule an order out: nothing was tried, and no time will help.
    package var isRuledOut: Bool { state == .blocked && nextAttempt == nil }

    /// Its members as `/sites` and `aasa certificates` show them.
    package var members: [String: JSONOutput] {
        func time(_ seconds: Int64?) -> JSONOutput { .optional(seconds.map(InternetDate.string)) }
        return [
            "state": .string(state.rawValue), "nextRenewal": time(nextRenewal), "nextAttempt": time(nextAttempt),
            "lastAttempt": time(lastAttempt), "failures": .number(failures), "lastError": lastError?.json ?? .null,
        ]
    }
}

/// A line of the log about a domain.
package struct StatusLine: Equatable, Sendable {
    /// By the names that logs have for them.
    package enum Level: String, Sendable {
        case debug, info, warning, error
    }

    package let level: Level
    package let text: String

    /// The line after a certificate was installed.
    ///
    /// - Parameter issuer: escaped already.
    package static func issued(
        _ domain: Domain, issuer: String, notAfter: Int64, nextRenewal: Int64?
    ) -> StatusLine {
        let renewal = nextRenewal.map { ", next renewal \(InternetDate.day($0))" } ?? ""
        return StatusLine(
            level: .info,
            text: "acme: \(domain): issued by '\(issuer)', valid until \(InternetDate.day(notAfter))\(renewal)")
    }

    /// The line after the state of a domain has changed; nil if other lines say all of it, as they do for a failure
    /// that all domains have in common.
    package static func changed(
        _ domain: Domain, from old: DomainStatus?, to new: DomainStatus, now: Int64
    ) -> StatusLine? {
        if let time = new.limitedUntil, old?.limitedUntil == nil {
            return StatusLine(
                level: .warning,
                text: "acme: \(domain): \(DomainRecord.limitMessage(domain)); next renewal \(InternetDate.string(time))"
            )
        }
        guard old?.state != new.state || old?.lastError != new.lastError else { return nil }
        let failure = new.lastError.map { "\($0.type.rawValue): \($0.message)" } ?? ""
        let certificate =
            new.validUntil.map { "certificate valid until \(InternetDate.day($0)), not renewed" } ?? "no certificate"
        switch new.state {
        case .backoff:
            guard !new.concernsAuthority else { return nil }
            let next = new.nextAttempt.map { "; next attempt in \(duration($0 - now))" } ?? ""
            return StatusLine(level: .warning, text: "acme: \(domain): \(certificate): \(failure)\(next)")
        case .blocked: return StatusLine(level: .error, text: "acme: \(domain): \(certificate): \(failure)")
        // A renewal that was not due, but asked for; it has no next attempt.
        case .valid where old != nil && old?.lastError != new.lastError && new.lastError != nil:
            return StatusLine(level: .warning, text: "acme: \(domain): \(certificate): \(failure)")
        default:
            guard old?.state != new.state else { return nil }
            return StatusLine(level: .debug, text: "acme: \(domain): \(new.state.rawValue)")
        }
    }

    /// The line after the CA has failed for all domains.
    package static func failed(_ failure: AuthorityFailure, now: Int64) -> StatusLine {
        let error = failure.error
        return StatusLine(
            level: .warning,
            text: "acme: \(error.type.rawValue): \(error.message); next attempt in \(duration(failure.pause.end - now))"
        )
    }

    /// A duration as `45 s`, `2 min` or `24 h`, rounded to the nearest.
    private static func duration(_ seconds: Int64) -> String {
        switch max(seconds, 0) {
        case let seconds where seconds < 90: "\(seconds) s"
        case let seconds where seconds < 5_400: "\((seconds + 30) / 60) min"
        case let seconds: "\((seconds + 1_800) / 3_600) h"
        }
    }
}
