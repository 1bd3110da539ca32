internal import AssociationLint
internal import BoundedText
internal import Diagnostics
internal import JSONSyntax
internal import SystemSupport

/// A JSON object in the body of a request. Whatever is wrong with it is reported with line and column.
struct RequestObject {
    private let source: SourceText
    private let object: JSONObject
    /// The range of the object itself, for what is missing in it.
    private let range: SourceRange
    /// The name in messages: empty for the body, else the key.
    private let name: String

    /// - Parameter known: The keys that it may have.
    init(_ body: [UInt8], known: [String]) throws(APIError) {
        guard !body.isEmpty else { throw .badRequest("the body is empty; expected a JSON object") }
        let json = JSONReader.read(body, path: "", limits: .configuration)
        if let finding = json.findings.first(where: { $0.severity >= .error }) {
            throw Self.error(finding.message, at: finding.range, in: json.source)
        }
        guard let root = json.root else { throw .badRequest("the body has no JSON value; expected an object") }
        try self.init(root, in: json.source, name: "", known: known)
    }

    private init(_ node: JSONNode, in source: SourceText, name: String, known: [String]) throws(APIError) {
        guard let object = node.object else {
            let subject = name.isEmpty ? "the body" : "'\(name)'"
            throw Self.error("\(subject) is \(node.kind); expected an object", at: node.range, in: source)
        }
        self.source = source
        self.object = object
        self.name = name
        range = node.range
        if let unknown = object.unknownKeys(besides: known).first {
            throw Self.error(unknown.message(), at: unknown.range, in: source)
        }
    }

    private static func error(_ message: String, at range: SourceRange, in source: SourceText) -> APIError {
        let position = source.position(at: range.start)
        return .badRequest("line \(position.line), column \(position.column): \(message)")
    }

    private func error(_ message: String, at range: SourceRange) -> APIError {
        Self.error(message, at: range, in: source)
    }

    private func wrong(_ key: String, _ node: JSONNode, expected: String) -> APIError {
        error("'\(key)' is \(node.kind); expected \(expected)", at: node.range)
    }

    func missing(_ key: String) -> APIError {
        error("'\(key)' is missing" + (name.isEmpty ? "" : " in '\(name)'"), at: range)
    }

    /// The object says something that it must not, where a key is.
    func refusal(of key: String, _ message: String) -> APIError {
        error(message, at: object[key]?.range ?? range)
    }

    func string(_ key: String) throws(APIError) -> String? {
        guard let node = object[key] else { return nil }
        guard let string = node.string else { throw wrong(key, node, expected: "a string") }
        return string.text
    }

    func boolean(_ key: String) throws(APIError) -> Bool? {
        guard let node = object[key] else { return nil }
        guard let boolean = node.boolean else { throw wrong(key, node, expected: "a boolean") }
        return boolean
    }

    func object(_ key: String, known: [String]) throws(APIError) -> RequestObject? {
        guard let node = object[key] else { return nil }
        return try RequestObject(node, in: source, name: key, known: known)
    }

    /// The strings in a list, each with the error that it would be.
    func strings(_ key: String, most: Int) throws(APIError) -> [(text: String, error: (String) -> APIError)]? {
        try list(key, most: most)?.map { node throws(APIError) in
            guard let string = node.string else {
                throw error("'\(key)' has \(node.kind) in it; expected strings", at: node.range)
            }
            return (string.text, { self.error($0, at: node.range) })
        }
    }

    /// The strings by key in an object whose keys are not known before.
    func strings(in key: String) throws(APIError) -> [(key: String, value: String, error: (String) -> APIError)]? {
        guard let node = object[key] else { return nil }
        guard let members = node.object?.members else { throw wrong(key, node, expected: "an object") }
        return try members.map { member throws(APIError) in
            guard let string = member.value.string else {
                throw wrong(member.key.text, member.value, expected: "a string")
            }
            return (member.key.text, string.text, { self.error($0, at: member.keyRange) })
        }
    }

    func objects(_ key: String, most: Int, known: [String]) throws(APIError) -> [RequestObject]? {
        try list(key, most: most)?.map { node throws(APIError) in
            try RequestObject(node, in: source, name: key, known: known)
        }
    }

    private func list(_ key: String, most: Int) throws(APIError) -> [JSONNode]? {
        guard let node = object[key] else { return nil }
        guard let list = node.array else { throw wrong(key, node, expected: "a list") }
        guard list.count <= most else {
            throw error("'\(key)' has \(grouped(list.count)) elements, of at most \(grouped(most))", at: node.range)
        }
        return list
    }

    /// A number that counts something.
    func count(_ key: String) throws(APIError) -> Int? {
        guard let node = object[key] else { return nil }
        guard case .number(let text) = node.value, let number = Int(text), number >= 0 else {
            throw wrong(key, node, expected: "a whole number of at least 0")
        }
        return number
    }
}

/// A file in a request: its bytes, and its name, which decides the kind.
struct RequestFile {
    static let keys = ["text", "base64", "name"]

    let bytes: [UInt8]
    let name: String

    var kind: FileKind { FileKind(path: name, bytes) }

    /// - Parameter name: Where the request gives none; nil for the name under which such a file is published.
    init(_ object: RequestObject, name: String? = nil) throws(APIError) {
        let given = try object.string("name")
        if let given, given.isEmpty || given.contains("/") || given == "." || given == ".." {
            throw object.refusal(of: "name", "'name' is \(quoted(given)); expected a file name without a path")
        }
        switch (try object.string("text"), try object.string("base64")) {
        case (let text?, nil): bytes = Array(text.utf8)
        case (nil, let text?):
            guard let decoded = Base64.standard.bytes(text) else {
                throw object.refusal(of: "base64", "'base64' is not base64 (RFC 4648, section 4)")
            }
            bytes = decoded
        case (nil, nil): throw object.missing("text")
        case (_?, _?): throw object.refusal(of: "base64", "there are both 'text' and 'base64'; give one of them")
        }
        self.name = given ?? name ?? FileKind(path: "", bytes).words.name
    }
}

extension FileKind {
    /// The kind as `--kind` of `aasa validate` has it, and the name under which such a file is published.
    var words: (kind: String, name: String) {
        switch self {
        case .assetLinks: ("assetlinks", "assetlinks.json")
        case .manifest: ("manifest", "AndroidManifest.xml")
        case .links: ("links", "links.json")
        case .association, .json, .other: ("aasa", "apple-app-site-association")
        }
    }
}
