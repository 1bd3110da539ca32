internal import AppSiteAssociation
internal import AssociationFiles
internal import AssociationLint
internal import Diagnostics
internal import HTTPClient

/// A body of status 200, as the linter sees it.
struct LiveFile {
    let response: Response
    let result: LintResult
    /// Without the signature, if it has one; nil if it is not JSON.
    let document: AssociationDocument?
    let isSigned: Bool

    /// The findings that say that there is no association file at all.
    private static let otherContent: Set<String> = [
        "empty-file", "html-instead-of-json", "not-json", "android-asset-links",
    ]

    /// - Parameter url: What messages call it.
    init(_ response: Response, _ linter: Linter, url: String) {
        self.response = response
        result = linter.check(response.body, path: url, as: .association)
        isSigned = SignedAssociationFile.unwrap(response.body) != nil
        document = Self.document(result.source.bytes, url)
    }

    private static func document(_ bytes: [UInt8], _ url: String) -> AssociationDocument? {
        do throws(AssociationError) {
            return try AssociationDocument(bytes, path: url)
        } catch {
            return nil
        }
    }

    /// Whether it is meant to be an association file, whatever is wrong with it.
    var isJSON: Bool { !result.everything.contains { Self.otherContent.contains($0.code.rawValue) } }

    /// What a browser shows where a file should be.
    var isWebPage: Bool { result.everything.contains { $0.code.rawValue == "html-instead-of-json" } }

    /// How one file differs from another in what it means; nil if it does not.
    func difference(from old: LiveFile, host: String) -> LinkComparison? {
        if response.body == old.response.body { return nil }
        guard let document, let oldDocument = old.document else { return nil }
        let comparison = LinkComparison(old: oldDocument, new: document, host: host)
        return comparison.isWithoutChange && comparison.services.isEmpty ? nil : comparison
    }

    /// Whether it means the same as another one; files that cannot be read are compared byte for byte.
    func means(sameAs other: LiveFile, host: String) -> Bool {
        if response.body == other.response.body { return true }
        guard document != nil, other.document != nil else { return false }
        return difference(from: other, host: host) == nil
    }
}

/// What an exchange came to.
enum Answer {
    /// 200, and something that is meant to be an association file.
    case file(LiveFile)
    /// 200, and something else.
    case otherContent(LiveFile)
    /// Another status.
    case status(Response)
    case failure(Failure)

    init(_ exchange: Observation.Exchange, _ linter: Linter, url: String) {
        switch exchange {
        case .failure(let failure): self = .failure(failure)
        case .success(let response):
            guard response.status == 200 else {
                self = .status(response)
                return
            }
            let file = LiveFile(response, linter, url: url)
            self = file.isJSON ? .file(file) : .otherContent(file)
        }
    }

    var file: LiveFile? { if case .file(let file) = self { file } else { nil } }

    var status: Int? {
        switch self {
        case .file(let file), .otherContent(let file): file.response.status
        case .status(let response): response.status
        case .failure: nil
        }
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

    /// In a few words.
    var shown: String {
        switch self {
        case .file(let file): "\(file.response.status), \(file.response.body.count) bytes"
        case .otherContent(let file): file.isWebPage ? "200 with an HTML page" : "200 with something else than JSON"
        case .status(let response): "\(response.status)"
        case .failure(let failure): "\(failure)"
        }
    }
}
