internal import BoundedText
internal import Diagnostics
internal import OpenSSL

/// The topics that a certificate may send to, with the findings about that (push-certificates.md, section 2).
struct CertificateTopics {
    private(set) var topics: [Topic] = []
    private(set) var findings: [Diagnostic] = []

    init(_ parsed: ParsedCertificate, kind: CertificateKind) {
        switch kind {
        case .ca, .notPush, .tokenKey: return
        default: break
        }
        if let list = Self.list(parsed.x509) {
            topics = list.topics
            if list.isMalformed { findings.append(Self.malformed(canBeRead: !list.topics.isEmpty)) }
        }
        let userID = parsed.userID.flatMap { $0.isEmpty ? nil : $0 }
        if topics.isEmpty {
            let name = userID ?? parsed.commonName.flatMap(CommonName.identifier)
            topics = name.map { [Topic(name: $0)] } ?? []
        } else if let userID, kind != .mdm, !topics.contains(where: { $0.name.utf8.elementsEqual(userID.utf8) }) {
            findings.append(Self.missing(userID))
        }
    }

    private static func list(_ certificate: X509Certificate) -> TopicList? {
        if let value = certificate.extension(ObjectIdentifier.topics) { return .alternating(value) }
        return certificate.extension(ObjectIdentifier.voipTopics).map(TopicList.voip)
    }

    private static func malformed(canBeRead: Bool) -> Diagnostic {
        let rest =
            canBeRead
            ? "the readable part is shown"
            : "the user ID or the common name of the subject is shown as the topic instead"
        return RuleDescription.topicsMalformed.finding(
            "the list of topics in the certificate is damaged or has an unknown format: \(rest)",
            advice: "if notifications do not arrive, create a new certificate in Apple's developer portal")
    }

    private static func missing(_ userID: String) -> Diagnostic {
        RuleDescription.userIDNotInTopics.finding(
            "the subject is for \(quotedIdentifier(userID)), which is not among the topics",
            advice: "make sure that this certificate is for the app that should get the notifications")
    }
}

/// The topics in an extension (push-certificates.md, section 2).
package struct TopicList {
    /// The topics that can be read.
    package private(set) var topics: [Topic] = []
    /// Whether there is anything in it that does not belong there, or something is missing.
    package private(set) var isMalformed = false

    /// Reads the extension 6.3.6: `SEQUENCE { topic UTF8String, purposes SEQUENCE OF UTF8String, topic, purposes … }`, flat.
    ///
    /// - Parameter value: The DER inside the octet string.
    package static func alternating(_ value: [UInt8]) -> TopicList {
        read(value) { list, whole throws(ReadingError) in
            guard whole.isUniversal(.sequence) else { throw .malformed }
            try list.readList(whole)
        }
    }

    /// Reads the extension 6.3.4: one UTF8String of topics with commas between them, or the same as in 6.3.6.
    package static func voip(_ value: [UInt8]) -> TopicList {
        read(value) { list, whole throws(ReadingError) in
            guard whole.isUniversal(.utf8String) else {
                guard whole.isUniversal(.sequence) else { throw .malformed }
                return try list.readList(whole)
            }
            guard let text = text(whole) else { throw .malformed }
            for name in text.utf8.split(separator: UInt8(ascii: ",")) {
                let name = trimmed(name)
                if !name.isEmpty { list.topics.append(Topic(name: String(name))) }
            }
        }
    }

    private static func read(
        _ value: [UInt8], _ body: (inout TopicList, BERElement) throws(ReadingError) -> Void
    ) -> TopicList {
        var list = TopicList()
        var reader = BERReader(value[...])
        do throws(ReadingError) {
            guard let whole = try reader.next() else { throw .truncated }
            try body(&list, whole)
            if list.topics.isEmpty || !reader.isAtEnd { list.isMalformed = true }
        } catch {
            // Broken off: the rest is unknown.
            list.topics = []
            list.isMalformed = true
        }
        return list
    }

    private mutating func readList(_ whole: BERElement) throws(ReadingError) {
        var reader = try BERReader(inside: whole)
        var name: String?
        while let element = try reader.next() {
            if element.isUniversal(.sequence) {
                let purposes = try purposes(element)
                if let topic = name {
                    topics.append(Topic(name: topic, purposes: purposes))
                    if purposes.isEmpty { isMalformed = true }
                    name = nil
                } else {
                    isMalformed = true
                }
            } else {
                addWithoutPurposes(name)
                name = Self.text(element)
                if name == nil { isMalformed = true }
            }
        }
        addWithoutPurposes(name)
    }

    private mutating func addWithoutPurposes(_ name: String?) {
        guard let name else { return }
        topics.append(Topic(name: name))
        isMalformed = true
    }

    private mutating func purposes(_ element: BERElement) throws(ReadingError) -> [String] {
        var reader = try BERReader(inside: element)
        var purposes: [String] = []
        while let next = try reader.next() {
            if let purpose = Self.text(next) {
                purposes.append(purpose)
            } else {
                isMalformed = true
            }
        }
        return purposes
    }

    /// The text of a UTF8String; nil if it is none, or empty.
    private static func text(_ element: BERElement) -> String? {
        guard element.isUniversal(.utf8String), !element.isConstructed, !element.content.isEmpty else { return nil }
        return String(validText: element.content)
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring {
        let space = UInt8(ascii: " ")
        var text = text.drop { $0 == space }
        while text.last == space { text.removeLast() }
        return Substring(text)
    }
}
