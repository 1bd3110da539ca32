internal import AppSiteAssociation
internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import HTTPClient
internal import JSONSyntax
internal import PatternAnalysis

/// A body of status 200, as the linter sees it.
struct LiveFile {
    let response: Response
    let content: Content

    /// The content of a body, from any sender.
    struct Content {
        /// Equal for bodies that are equal.
        let id: Int
        let source: SourceText
        let diagnostics: [Diagnostic]
        /// The document without its signature, if it has one; nil if it is not JSON, or too large.
        let document: AssociationDocument?
        let isSigned: Bool
        /// Whether it is meant to be an association file, whatever is wrong with it.
        let isJSON: Bool
        /// Whether it is what a browser shows.
        let isWebPage: Bool

        /// Whether something in it is an error, unless the user says otherwise.
        var hasErrors: Bool {
            diagnostics.contains { diagnostic in
                (RuleRegistry.catalogue[diagnostic.code.rawValue]?.severity ?? diagnostic.severity) >= .error
            }
        }
    }
}

extension LiveFile.Content {
    /// The findings that say that there is no association file at all.
    private static let otherContent: [RuleDescription] = [
        .emptyFile, .htmlInsteadOfJSON, .notJSON, .androidAssetLinks,
    ]

    /// - Parameter url: What messages call it.
    fileprivate init(_ response: Response, _ linter: Linter, url: String, id: Int) {
        let result = linter.check(response.body, path: url, as: .association)
        // One that was cut is not known to be empty, however much white space it begins with.
        let other = Self.otherContent.filter { rule in
            !(response.isTruncated && rule === RuleDescription.emptyFile) && result.everything.contains { $0.is(rule) }
        }
        self.id = id
        isSigned = SignedAssociationFile.unwrap(response.body) != nil
        isJSON = other.isEmpty
        isWebPage = other.contains { $0 === RuleDescription.htmlInsteadOfJSON }
        if response.isTruncated, other.isEmpty {
            // Where it was cut, every other rule would find something.
            source = SourceText([], path: url)
            diagnostics = [Self.tooLarge(response)]
            document = nil
        } else {
            source = result.source
            diagnostics = result.diagnostics.filter { other.isEmpty || other.contains(where: $0.is) }
            document = Self.document(result.source.bytes, url)
        }
    }

    private static func tooLarge(_ response: Response) -> Diagnostic {
        Diagnostic(
            .fileTooLarge, "the file has more than \(grouped(response.body.count - 1)) bytes: the system ignores it",
            advice: "make it smaller: patterns with wildcards, and defaults, say the same in fewer rules",
            notes: ["the rest was not read, so nothing else is said about the file"])
    }

    private static func document(_ bytes: [UInt8], _ url: String) -> AssociationDocument? {
        do throws(AssociationError) {
            return try AssociationDocument(bytes, path: url)
        } catch {
            return nil
        }
    }
}

/// The difference in meaning between one file and another.
enum FileDifference {
    case none
    /// The rules are too many to tell.
    case undecided
    /// The files differ in meaning; nil where a file cannot be read, and the bytes differ.
    case different(LinkComparison?)
}

/// Reads answers, and compares the files in them. What is equal is looked at once: mostly all clients get the same file.
struct AnswerReader {
    private let linter: Linter
    private let url: String
    private let authority: String
    private var files: [LiveFile] = []
    private var differences: [[Int]: FileDifference] = [:]

    /// - Parameters:
    ///   - url: What messages call the file.
    ///   - authority: The host, and the port if it is not 443, for URLs that are shown.
    init(_ linter: Linter, url: String, authority: String) {
        (self.linter, self.url, self.authority) = (linter, url, authority)
    }

    mutating func file(_ response: Response) -> LiveFile {
        let known = files.first {
            $0.response.isTruncated == response.isTruncated && $0.response.body == response.body
        }
        if let known { return LiveFile(response: response, content: known.content) }
        let content = LiveFile.Content(response, linter, url: url, id: files.count)
        let file = LiveFile(response: response, content: content)
        files.append(file)
        return file
    }

    mutating func answer(_ exchange: Observation.Exchange) -> Answer {
        switch exchange {
        case .failure(let failure):
            // With a status like 404 the body is not needed.
            guard let head = failure.head, head.status != 200 else { return .failure(failure) }
            return .status(Response(head: head, address: failure.address, times: failure.times))
        case .success(let response):
            guard response.status == 200 else { return .status(response) }
            let file = file(response)
            return file.content.isJSON ? .file(file) : .otherContent(file)
        }
    }

    /// The difference between the meanings of two files; files that cannot be read are compared byte for byte.
    mutating func difference(from old: LiveFile, to new: LiveFile) -> FileDifference {
        guard old.content.id != new.content.id else { return .none }
        let key = [old.content.id, new.content.id]
        if let known = differences[key] { return known }
        let difference = compare(old.content, new.content)
        differences[key] = difference
        return difference
    }

    /// Whether an answer has a file that is known to say something else.
    mutating func isOther(_ answer: Answer, than file: LiveFile) -> Bool {
        guard let other = answer.file, case .different = difference(from: other, to: file) else { return false }
        return true
    }

    private func compare(_ old: LiveFile.Content, _ new: LiveFile.Content) -> FileDifference {
        guard let before = old.document, let after = new.document else { return .different(nil) }
        let comparison = LinkComparison(old: before, new: after, host: authority)
        if !comparison.changes.isEmpty || !comparison.services.isEmpty { return .different(comparison) }
        return comparison.undecided.isEmpty ? .none : .undecided
    }
}

/// The answer that an exchange came to.
enum Answer {
    /// 200, and something that is meant to be an association file.
    case file(LiveFile)
    /// 200, and something else.
    case otherContent(LiveFile)
    /// Another status.
    case status(Response)
    case failure(Failure)

    var file: LiveFile? { if case .file(let file) = self { file } else { nil } }

    var response: Response? {
        switch self {
        case .file(let file), .otherContent(let file): file.response
        case .status(let response): response
        case .failure: nil
        }
    }

    private var status: Int? { response?.status }

    /// The digest of the decoded body of status 200; nil if that was not read to its end.
    private var bodySHA256: String? {
        guard let response, response.status == 200, !response.isTruncated else { return nil }
        return response.body.sha256
    }

    /// The answer as evidence, with whom or what it is from.
    func evidence(_ key: String, _ sender: String) -> JSONOutput {
        var error: String?
        if case .failure(let failure) = self { error = failure.description }
        return .object([
            key: .string(sender), "status": status.map { .number($0) } ?? .null, "sha256": .optional(bodySHA256),
            "error": .optional(error),
        ])
    }

    /// Whether two answers say the same about the way to the file.
    func isLike(_ other: Answer) -> Bool {
        switch (self, other) {
        case (.file, .file), (.otherContent, .otherContent): true
        case (.status(let left), .status(let right)): left.status == right.status
        case (.failure(let left), .failure(let right)): left.reason == right.reason
        default: false
        }
    }

    /// The answer in a few words, without received bytes.
    var shown: String {
        switch self {
        case .file(let file): "200, \(file.response.size)"
        case .otherContent(let file): file.content.isWebPage ? "200 with an HTML page" : "200, but not JSON"
        case .status(let response): "\(response.status)"
        case .failure(let failure): "\(failure)"
        }
    }
}
