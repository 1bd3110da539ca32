internal import OpenSSL

/// A certificate of a file, or the one key of a `.p8`, and what is known about it whatever the time.
public struct PushCertificate: Sendable {
    public let kind: CertificateKind
    /// What it may send to; empty for a CA, a token key and what is not for push.
    public let topics: [Topic]
    /// In the order sandbox, production.
    public let environments: [APNsEnvironment]
    public let subjectCommonName: String?
    /// The attribute 0.9.2342.19200300.100.1.1 of the subject.
    public let userID: String?
    /// The first organizational unit of the subject.
    public let team: String?
    /// Upper-case hexadecimal; nil for a token key.
    public let serial: String?
    /// Of the DER, lower-case hexadecimal; nil for a token key.
    public let sha256: String?
    /// Seconds since 1970; nil for a token key.
    public let notBefore: Int64?
    /// Seconds since 1970, the last second in which it is valid; nil for a token key.
    public let notAfter: Int64?
    public let key: KeyPresence
    /// Nil for a token key.
    public let issuer: CertificateIssuer?

    public init(
        kind: CertificateKind, topics: [Topic] = [], environments: [APNsEnvironment] = [],
        subjectCommonName: String? = nil, userID: String? = nil, team: String? = nil, serial: String? = nil,
        sha256: String? = nil, notBefore: Int64? = nil, notAfter: Int64? = nil, key: KeyPresence,
        issuer: CertificateIssuer? = nil
    ) {
        self.kind = kind
        self.topics = topics
        self.environments = environments
        self.subjectCommonName = subjectCommonName
        self.userID = userID
        self.team = team
        self.serial = serial
        self.sha256 = sha256
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.key = key
        self.issuer = issuer
    }

    /// What people call it: its first topic, else the name of its subject.
    var title: String {
        if let topic = topics.first { return ShownText.line(topic.name) }
        if let name = subjectCommonName, !name.isEmpty { return ShownText.line(name) }
        return kind == .tokenKey ? "token key" : "certificate without a name"
    }
}
