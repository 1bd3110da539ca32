internal import Diagnostics
internal import JSONSyntax
internal import SystemSupport

/// A JSON object that a CA has sent, or that was stored: each member is read with its type, and an error names it.
struct ReceivedObject {
    private let members: JSONObject
    /// Like `the order`.
    let subject: String

    /// - Parameters:
    ///   - subject: the name of the object in messages, with its article.
    ///   - limit: more bytes are not read.
    init(_ bytes: [UInt8], subject: String, limit: Int = ACMEResponse.jsonLimit) throws(IssuanceError) {
        guard bytes.count <= limit else {
            throw IssuanceError(.protocol, "\(subject) is larger than \(grouped(limit)) bytes")
        }
        var limits = ReadingLimits.configuration
        limits.hard = limit
        limits.findings = 1
        limits.levels = 32
        let document = JSONReader.read(bytes, path: "", limits: limits)
        guard document.isUsableWithoutRepairs, let object = document.root?.object else {
            throw IssuanceError(.protocol, "\(subject) is not a JSON object")
        }
        self.init(object, subject: subject)
    }

    private init(_ members: JSONObject, subject: String) {
        (self.members, self.subject) = (members, subject)
    }

    /// Nil if there is no such member, or if it is null.
    private func optional<Value>(
        _ name: String, _ expected: String, _ read: (JSONNode) -> Value?
    ) throws(IssuanceError) -> Value? {
        guard let node = members[name] else { return nil }
        if case .null = node.value { return nil }
        guard let value = read(node) else { throw mistyped(name, node, expected) }
        return value
    }

    private func mistyped(_ name: String, _ node: JSONNode, _ expected: String) -> IssuanceError {
        IssuanceError(.protocol, "'\(name)' of \(subject) is \(node.kind), expected \(expected)")
    }

    private func required<Value>(_ name: String, _ value: Value?) throws(IssuanceError) -> Value {
        guard let value else { throw IssuanceError(.protocol, "\(subject) has no '\(name)'") }
        return value
    }

    func optionalString(_ name: String) throws(IssuanceError) -> String? {
        try optional(name, "a string", \.string)?.text
    }

    func string(_ name: String) throws(IssuanceError) -> String { try required(name, optionalString(name)) }

    func optionalURL(_ name: String) throws(IssuanceError) -> SecureURL? {
        guard let text = try optionalString(name) else { return nil }
        return try url(text, name)
    }

    func url(_ name: String) throws(IssuanceError) -> SecureURL { try required(name, optionalURL(name)) }

    private func url(_ text: String, _ name: String) throws(IssuanceError) -> SecureURL {
        guard let url = SecureURL(text) else {
            throw IssuanceError(
                .protocol,
                "'\(name)' of \(subject) is '\(AuthorityText.shown(text, limit: 100))', expected an https:// URL of "
                    + "at most \(grouped(SecureURL.maximumBytes)) bytes")
        }
        return url
    }

    func optionalBoolean(_ name: String) throws(IssuanceError) -> Bool? { try optional(name, "a boolean", \.boolean) }

    /// An integer that 64 bits can hold.
    func optionalInteger(_ name: String) throws(IssuanceError) -> Int64? {
        try optional(name, "an integer") { if case .number(let text) = $0.value { Int64(text) } else { nil } }
    }

    func integer(_ name: String) throws(IssuanceError) -> Int64 { try required(name, optionalInteger(name)) }

    func optionalObject(_ name: String) throws(IssuanceError) -> ReceivedObject? {
        try optional(name, "an object", \.object).map { ReceivedObject($0, subject: "'\(name)' of \(subject)") }
    }

    func object(_ name: String) throws(IssuanceError) -> ReceivedObject { try required(name, optionalObject(name)) }

    private func optionalArray(_ name: String) throws(IssuanceError) -> [JSONNode]? {
        try optional(name, "an array", \.array)
    }

    func optionalStrings(_ name: String) throws(IssuanceError) -> [String]? {
        guard let array = try optionalArray(name) else { return nil }
        var strings: [String] = []
        for node in array {
            guard let string = node.string else { throw mistyped(name, node, "an array of strings") }
            strings.append(string.text)
        }
        return strings
    }

    func urls(_ name: String) throws(IssuanceError) -> [SecureURL] {
        var urls: [SecureURL] = []
        for text in try required(name, optionalStrings(name)) { urls.append(try url(text, name)) }
        return urls
    }

    func optionalObjects(_ name: String, subject: String) throws(IssuanceError) -> [ReceivedObject]? {
        guard let array = try optionalArray(name) else { return nil }
        var objects: [ReceivedObject] = []
        for node in array {
            guard let object = node.object else { throw mistyped(name, node, "an array of objects") }
            objects.append(ReceivedObject(object, subject: subject))
        }
        return objects
    }

    func objects(_ name: String, subject: String) throws(IssuanceError) -> [ReceivedObject] {
        try required(name, optionalObjects(name, subject: subject))
    }

    /// A date and time of RFC 3339, in seconds since 1970; one before that, or that cannot be written, is the nearest.
    func optionalTime(_ name: String) throws(IssuanceError) -> Int64? {
        guard let text = try optionalString(name) else { return nil }
        return try time(text, name)
    }

    func time(_ name: String) throws(IssuanceError) -> Int64 { try required(name, optionalTime(name)) }

    func optionalTimes(_ name: String) throws(IssuanceError) -> [Int64]? {
        guard let texts = try optionalStrings(name) else { return nil }
        var times: [Int64] = []
        times.reserveCapacity(texts.count)
        for text in texts { times.append(try time(text, name)) }
        return times
    }

    private func time(_ text: String, _ name: String) throws(IssuanceError) -> Int64 {
        do throws(InternetDate.ReadingError) {
            return min(max(try InternetDate.seconds(text), 0), InternetDate.latest)
        } catch {
            throw IssuanceError(
                .protocol,
                "'\(name)' of \(subject) is '\(AuthorityText.shown(text, limit: 60))', expected a time with an "
                    + "offset, like 2026-11-21T00:00:00Z")
        }
    }

    /// The names of all members, in the order of the text; each once.
    var names: [String] {
        var seen: Set<String> = []
        return members.members.map(\.key.text).filter { seen.insert($0).inserted }
    }
}
