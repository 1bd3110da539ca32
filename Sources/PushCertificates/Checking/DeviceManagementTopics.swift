internal import Diagnostics

/// The certificates for MDM of a run: one that was made anew, instead of renewed, has another topic than the one that it is meant
/// to replace (push-certificates.md, section 10).
struct DeviceManagementTopics {
    /// When the first certificate with a topic begins.
    private var beginnings: [[UInt8]: Int64] = [:]
    /// Those that end soon and that nothing replaces, by their beginnings.
    private var endangered: [(begin: Int64, topic: String, path: String)] = []

    /// - Parameter endangered: Whether a certificate has to be replaced, and is not.
    mutating func add(_ certificate: PushCertificate, path: String, isEndangered: Bool) {
        guard certificate.kind == .mdm, let begin = certificate.notBefore, let topic = certificate.topics.first?.name
        else { return }
        for topic in certificate.topics.map({ Array($0.name.utf8) }) {
            beginnings[topic] = min(beginnings[topic] ?? begin, begin)
        }
        if isEndangered { endangered.append((begin, topic, path)) }
    }

    /// All are known.
    mutating func sort() { endangered.sort { $0.begin < $1.begin } }

    /// The finding about one whose topic no older one of the run has, while an older one has to be replaced.
    func finding(_ certificate: PushCertificate) -> Diagnostic? {
        guard certificate.kind == .mdm, let begin = certificate.notBefore, !certificate.topics.isEmpty,
            certificate.topics.allSatisfy({ beginnings[Array($0.name.utf8)] ?? begin >= begin }),
            let old = endangered.last(where: { $0.begin < begin })
        else { return nil }
        return RuleDescription.mdmTopicChanged.finding(
            "\(certificate.title) is another topic than that of the older certificate in "
                + "'\(VisibleText.escaped(old.path))', \(ShownText.line(old.topic)): devices that are enrolled with that one "
                + "get nothing that is sent with this one",
            advice:
                "if it is meant to replace the older one, renew that one at identity.apple.com with the same Apple ID "
                + "instead; --topic says which topic is expected")
    }
}
