internal import Diagnostics
internal import OpenSSL

/// What a certificate may send to, and what about that is to be said (push-certificates.md, section 2).
struct CertificateTopics {
    private(set) var topics: [Topic] = []
    private(set) var findings: [Finding] = []

    init(_ details: CertificateDetails, kind: CertificateKind) {
        switch kind {
        case .ca, .notPush, .tokenKey: return
        default: break
        }
        if let list = Self.list(details.certificate) {
            topics = list.topics
            if list.isMalformed { findings.append(Self.malformed(canBeRead: !list.topics.isEmpty)) }
        }
        let userID = details.userID.flatMap { $0.isEmpty ? nil : $0 }
        if topics.isEmpty {
            let name = userID ?? details.commonName.flatMap(CommonName.identifier)
            topics = name.map { [Topic(name: $0)] } ?? []
        } else if let userID, kind != .mdm, !topics.contains(where: { $0.name.utf8.elementsEqual(userID.utf8) }) {
            findings.append(Self.missing(userID))
        }
    }

    private static func list(_ certificate: X509Certificate) -> TopicList? {
        if let value = certificate.extension(ObjectIdentifier.topics) { return .alternating(value) }
        return certificate.extension(ObjectIdentifier.voipTopics).map(TopicList.voip)
    }

    private static func malformed(canBeRead: Bool) -> Finding {
        let rest =
            canBeRead
            ? "what can be read of it is shown"
            : "the user ID or the common name of the subject is shown as the topic instead"
        return Finding(
            .topicsMalformed, .warning,
            "the list of topics in it is damaged or of a form that is not known; \(rest); if notifications do not arrive, make "
                + "a new certificate in Apple's developer portal")
    }

    private static func missing(_ userID: String) -> Finding {
        Finding(
            .userIDNotInTopics, .warning,
            "its subject is for \(quotedIdentifier(userID)), which is not among its topics; make sure that it is the certificate of the "
                + "app that is to get the notifications")
    }
}
