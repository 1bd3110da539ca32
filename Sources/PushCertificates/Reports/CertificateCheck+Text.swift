extension CertificateCheck {
    /// Whether it is a CA beside other certificates, which is not worth a line of its own.
    var isBesideOthers: Bool { certificate.kind == .ca && !counts }

    /// The status in a word; one that is replaced is no more than that.
    var stateWord: String { isSuperseded ? "replaced" : status.rawValue }

    /// What it is called: its first topic, with the number of the others; else its subject's name.
    var title: String {
        if let topic = certificate.topics.first {
            let others = certificate.topics.count - 1
            return ShownText.line(topic.name) + (others > 0 ? " +\(others)" : "")
        }
        if let name = certificate.subjectCommonName, !name.isEmpty { return ShownText.line(name) }
        return certificate.kind == .tokenKey ? "token key" : "certificate without a name"
    }

    /// What is to be said of its time, like `expires in 21 days`.
    var relativeTime: String {
        guard let validity else { return "never expires" }
        if validity.isReversed { return "ends before it begins" }
        if validity.isNotYetValid { return "begins \(TimeSpan(seconds: validity.untilBegin).fromNow)" }
        return "\(validity.isExpired ? "expired" : "expires") \(TimeSpan(seconds: validity.left).fromNow)"
    }

    /// The same with the second, like `expires in 21 days, on 2026-12-12T00:00:00Z`.
    var time: String {
        guard let validity else { return relativeTime }
        let isAhead = validity.isNotYetValid && !validity.isReversed
        return "\(relativeTime), on \(Timestamp(seconds: isAhead ? validity.notBefore : validity.notAfter))"
    }
}
