public import Diagnostics
internal import OpenSSL

/// A certificate of a file, or the one key of a `.p8`, and what is known about it whatever the time.
public struct PushCertificate: Sendable {
    public let kind: CertificateKind
    /// The topics that it may send to; empty for a CA, a token key and what is not for push.
    public let topics: [Topic]
    /// The environments in the order sandbox, production.
    public let environments: [APNsEnvironment]
    public let subjectCommonName: String?
    /// The attribute 0.9.2342.19200300.100.1.1 of the subject.
    public let userID: String?
    /// The first organizational unit of the subject.
    public let team: String?
    /// Upper-case hexadecimal; nil for a token key.
    public let serial: String?
    /// The digest of the DER, lower-case hexadecimal; nil for a token key.
    public let sha256: String?
    /// Seconds since 1970; nil for a token key.
    public let notBefore: Int64?
    /// Seconds since 1970, the last second in which it is valid; nil for a token key.
    public let notAfter: Int64?
    public internal(set) var key: KeyPresence
    /// Nil for a token key.
    public let issuer: CertificateIssuer?
    /// The path of the other file that the key is in; nil if that is the certificate's own.
    public internal(set) var keyPath: String?
    /// The algorithm of its key as OpenSSL names it, like `RSA` or `EC`; nil if it is unknown.
    var keyAlgorithm: String?
    /// The bytes that it shares with the private key that belongs to it, and with nothing else; nil if that is not
    /// known.
    package var publicKeyIdentity: [UInt8]?

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

    /// The name that people use for it: its first topic, else the name of its subject.
    var title: String {
        if let topic = topics.first { return ShownText.line(topic.name) }
        if let name = subjectCommonName, !name.isEmpty { return ShownText.line(name) }
        return kind == .tokenKey ? "token key" : "certificate without a name"
    }
}

/// The address that notifications are sent to: a bundle ID, perhaps with a suffix, or the like.
public struct Topic: Hashable, Sendable {
    public let name: String
    /// The purposes that the certificate names, such as `topic` or `voip`; empty if it has none.
    public let purposes: [String]

    public init(name: String, purposes: [String] = []) {
        self.name = name
        self.purposes = purposes
    }
}

/// One of Apple's two push servers.
public enum APNsEnvironment: String, Sendable, CaseIterable {
    case sandbox
    case production
}

/// Whether a certificate's private key is in the file with it, or in another file of the run.
public enum KeyPresence: Sendable, Equatable {
    case none
    case matching
    /// The key next to it is another one's.
    case mismatched
    /// There is one next to it, but it cannot be read.
    case unreadable
    /// The key is there and there is no certificate for it to match: a token key.
    case alone

    /// Whether there is a key at all.
    public var isPresent: Bool { self != .none }

    /// Whether it is the right one; nil if that is not known.
    public var matches: Bool? {
        switch self {
        case .matching: true
        case .mismatched: false
        case .none, .unreadable, .alone: nil
        }
    }
}

extension KeyPresence {
    /// The explanation in a sentence.
    ///
    /// - Parameter path: The other file that it is in.
    func explanation(in path: String?) -> String {
        let file = path.map { "in '\(VisibleText.escaped($0))'" } ?? "in this file"
        return switch self {
        case .none: "not in this file"
        case .matching: "\(file), matches the certificate"
        case .mismatched: "\(file), belongs to another certificate"
        case .unreadable: "\(file), cannot be read"
        case .alone: file
        }
    }

    /// The word for it in a table.
    var word: String {
        switch self {
        case .none: "no"
        case .matching, .alone: "yes"
        case .mismatched: "wrong"
        case .unreadable: "locked"
        }
    }
}

/// Who issued a certificate.
public struct CertificateIssuer: Sendable, Equatable {
    /// The common name that the certificate states, without a proof.
    public let commonName: String?
    /// Which of Apple's intermediates signed it, like `G4`; nil if none of them did.
    public let generation: String?
    /// Whether signatures lead from it to one of Apple's roots. Says nothing about time or revocation.
    public let chainsToApple: Bool
    /// When the certificate of the one that signed it ends, in seconds since 1970; nil if that one is neither built in nor
    /// in the file, and for what signed itself.
    package let notAfter: Int64?

    public init(commonName: String?, generation: String?, chainsToApple: Bool, notAfter: Int64? = nil) {
        self.commonName = commonName
        self.generation = generation
        self.chainsToApple = chainsToApple
        self.notAfter = notAfter
    }
}

/// The purpose of a certificate.
public enum CertificateKind: String, Sendable, CaseIterable {
    /// The universal one of today: all topics of an app, both environments.
    case applePushServices = "apple-push-services"
    case apnsDevelopment = "apns-development"
    case apnsProduction = "apns-production"
    case voip
    case watchkit
    case websitePush = "website-push"
    case passTypeID = "pass-type-id"
    case mdm
    /// A signing key for tokens (`.p8`): no certificate, and without an end.
    case tokenKey = "token-key"
    /// A certification authority.
    case ca
    /// A certificate for something else.
    case notPush = "not-push"
}

extension CertificateKind {
    /// Whether it is a certificate that notifications are sent with.
    package var isForPush: Bool { self != .notPush && self != .ca && self != .tokenKey }

    /// The purpose in a few words.
    var explanation: String {
        switch self {
        case .applePushServices: "all notifications for an app"
        case .apnsDevelopment: "notifications for an app in development"
        case .apnsProduction: "notifications for an app in production"
        case .voip: "incoming VoIP calls for an app"
        case .watchkit: "complications of a watch app"
        case .websitePush: "notifications from a website in Safari"
        case .passTypeID: "updates of passes in Wallet"
        case .mdm: "device management, MDM"
        case .tokenKey: "a key that signs tokens, not a certificate"
        case .ca: "a certificate authority"
        case .notPush: "not for push notifications"
        }
    }

    /// The word for it in a table.
    var word: String {
        switch self {
        case .applePushServices: "push"
        case .apnsDevelopment: "sandbox"
        case .apnsProduction: "production"
        case .voip: "voip"
        case .watchkit: "watchkit"
        case .websitePush: "website"
        case .passTypeID: "pass"
        case .mdm: "mdm"
        case .tokenKey: "token key"
        case .ca: "ca"
        case .notPush: "not push"
        }
    }
}

/// The content of a file, whatever the time.
public struct CertificateFile: Sendable {
    /// At least one, in the order of the file.
    public internal(set) var certificates: [PushCertificate]
    /// The findings that hold at any time; those that depend on it are not among them. A `Checker` adds the path to
    /// their subjects.
    public internal(set) var findings: [Diagnostic]
    /// Whether a key in it could be read with a password, and none was given.
    public let wantsPassword: Bool
    /// Whether it is a PKCS #12 file, in which the order of the certificates means nothing.
    package var isPKCS12 = false

    public init(certificates: [PushCertificate], findings: [Diagnostic] = [], wantsPassword: Bool = false) {
        self.certificates = certificates
        self.findings = findings
        self.wantsPassword = wantsPassword
    }
}

extension Diagnostic {
    /// The index of the certificate in its file, counted from 0; nil for the whole file.
    package var certificate: Int? {
        if case .item(_, _, let index) = subject { index } else { nil }
    }

    /// Statement and advice on one line, for reports that have no other room.
    package var sentence: String { message + (advice.map { "; \($0)" } ?? "") }

    /// The same about a certificate of the file.
    package func about(_ certificate: PushCertificate, _ index: Int) -> Diagnostic {
        var finding = self
        finding.subject = .item(certificate.title, path: path, index: index)
        return finding
    }

    /// The same in the file at a path.
    func at(_ path: String) -> Diagnostic {
        var finding = self
        switch subject {
        case .item(let name, _, let index): finding.subject = .item(name, path: path, index: index)
        case .text, .file: finding.subject = .file(path)
        }
        return finding
    }

    /// Those of the whole file first, then by certificate, then by severity; else as they come (push-certificates.md,
    /// section 8).
    package static func ordered(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.sorted { left, right in
            let (first, second) = (left.certificate ?? -1, right.certificate ?? -1)
            return first != second ? first < second : left.severity > right.severity
        }
    }
}
