internal import Diagnostics

/// All about the only certificate of a run.
struct CertificateCard {
    let style: TextStyle
    let width: Int?

    /// So many topics are shown.
    private static let topicLimit = 30
    /// So many purposes of a topic are shown.
    private static let purposeLimit = 8
    private static let margin = 3
    private static let labelWidth = 14

    func lines(_ check: CertificateCheck, in file: FileCheck) -> [String] {
        let certificate = check.certificate
        let topics = certificate.topics
        return [head(check, file), ""]
            + field("kind", "\(certificate.kind.rawValue) (\(certificate.kind.explanation))")
            + field(topics.count == 1 ? "topic" : "topics", lines: topicLines(topics))
            + field(
                certificate.environments.count == 1 ? "environment" : "environments",
                certificate.environments.map(\.rawValue).joined(separator: ", "))
            + field("team", certificate.team)
            + field("subject", certificate.subjectCommonName)
            + field("serial", certificate.serial)
            + field("valid from", check.validity.map { Timestamp(seconds: $0.notBefore).description })
            + field("expires", check.validity.map { Timestamp(seconds: $0.notAfter).description } ?? "never")
            + field("issuer", certificate.issuer.map(Self.issuer), isBad: certificate.issuer?.chainsToApple == false)
            + field(
                "private key", certificate.key.explanation, isBad: certificate.key.matches == false || check.isUnusable)
            + field("beside it", Self.company(file))
            + field("revoked", topics.isEmpty ? nil : "not checked (offline); see Apple's developer portal")
    }

    private func head(_ check: CertificateCheck, _ file: FileCheck) -> String {
        let state = style.bold(style.colored(check.stateWord, check.status))
        return
            "\(style.bold("\(VisibleText.escaped(file.path)):")) \(state), \(check.obstacle.map { _ in "cannot send, " } ?? "")\(check.relativeTime)"
    }

    /// A value after its name; nothing if there is none.
    private func field(_ name: String, _ value: String?, isBad: Bool = false) -> [String] {
        guard let value, !value.isEmpty else { return [] }
        let text = ShownText.line(value)
        let lines = width.map { WrappedText.lines(text, columns: max(20, $0 - Self.start)) } ?? [text]
        return field(name, lines: isBad ? lines.map(style.yellow) : lines)
    }

    private func field(_ name: String, lines: [String]) -> [String] {
        lines.enumerated().map { number, line in
            guard number == 0 else { return Self.blanks(Self.start) + line }
            return Self.blanks(Self.margin) + style.cyan(name) + Self.blanks(Self.labelWidth - name.utf8.count) + line
        }
    }

    /// One line per topic, the purposes in a column after the names.
    private func topicLines(_ topics: [Topic]) -> [String] {
        let shown = topics.prefix(Self.topicLimit).map { topic in
            let more = topic.purposes.count > Self.purposeLimit ? ", …" : ""
            let purposes = topic.purposes.prefix(Self.purposeLimit).joined(separator: ", ") + more
            return (name: ShownText.line(topic.name), purposes: ShownText.line(purposes))
        }
        let column = shown.map { TerminalWidth.columns($0.name) }.max() ?? 0
        let lines = shown.map { name, purposes in
            guard !purposes.isEmpty else { return name }
            return name + Self.blanks(column - TerminalWidth.columns(name) + 2) + style.dim(purposes)
        }
        return lines + (topics.count > Self.topicLimit ? ["and \(topics.count - Self.topicLimit) more"] : [])
    }

    private static func issuer(_ issuer: CertificateIssuer) -> String {
        let name = issuer.commonName ?? "nameless"
        guard issuer.chainsToApple else { return "\(name), not confirmed by a signature" }
        return issuer.generation.map { "\(name) (\($0))" } ?? name
    }

    /// What else is in the file.
    private static func company(_ file: FileCheck) -> String? {
        let count = file.certificates.count { $0.isBesideOthers }
        return count > 0 ? counted(count, "CA certificate") : nil
    }

    private static let start = margin + labelWidth

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
