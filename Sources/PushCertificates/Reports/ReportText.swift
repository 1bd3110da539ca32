internal import Diagnostics

extension CertificateCheck {
    /// Whether it is a CA beside other certificates, which is not worth a line of its own.
    var isBesideOthers: Bool { certificate.kind == .ca && !counts }

    /// The status in a word; one that is replaced is no more than that, and one that cannot send is broken whatever the time.
    var stateWord: String { isSuperseded ? "replaced" : isUnusable ? "broken" : status.rawValue }

    /// What it is called, with the number of its other topics.
    var title: String {
        let others = certificate.topics.count - 1
        return certificate.title + (others > 0 ? " +\(others)" : "")
    }

    /// Why no notification can be sent with what is in the file; nil if nothing is known to prevent it.
    var obstacle: String? {
        guard isUnusable else { return nil }
        return certificate.key == .mismatched
            ? "cannot be used: the private key in the file does not match it"
            : "cannot be used: its private key is not in the file"
    }

    /// When it expires or begins, like `expires in 21 days`.
    var relativeTime: String {
        guard let validity else { return "never expires" }
        if validity.isReversed { return "expires before it becomes valid" }
        if validity.isNotYetValid { return "begins \(TimeSpan(seconds: validity.untilBegin).fromNow)" }
        return "\(validity.isExpired ? "expired" : "expires") \(TimeSpan(seconds: validity.left).fromNow)"
    }

    /// The same with the minute, like `expires in 21 days (2026-12-12 00:00 UTC)`.
    var time: String {
        guard let validity else { return relativeTime }
        let isAhead = validity.isNotYetValid && !validity.isReversed
        return "\(relativeTime) (\(Timestamp(seconds: isAhead ? validity.notBefore : validity.notAfter).minute))"
    }
}

/// Text of a file on one line, and not longer than anybody reads.
enum ShownText {
    /// Escapes what cannot be shown, and cuts what is too long: a name may have megabytes.
    static func line(_ text: String, limit: Int = 200) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return VisibleText.escaped(text) }
        return VisibleText.escaped(String(scalars[..<end])) + "…"
    }
}

/// A topic or a name as messages show it: room for the longest bundle ID that Apple allows, with a kind or a suffix, because
/// such names differ at their end.
func quotedIdentifier(_ value: String) -> String { quoted(value, limit: 200) }

extension TextStyle {
    /// A text in the color of a status.
    func colored(_ text: String, _ status: CheckStatus) -> String {
        switch status {
        case .critical, .unknown: red(text)
        case .warning: yellow(text)
        case .ok: green(text)
        }
    }
}
