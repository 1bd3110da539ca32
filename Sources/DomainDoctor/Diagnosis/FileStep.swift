internal import AppSiteAssociation
internal import Diagnostics
internal import HTTPClient
internal import JSONSyntax

// The content of the association file.
extension DomainDiagnoser {
    mutating func examineFile() {
        if let unreachable { return steps.append(Step(.file, skipped: unreachable)) }
        guard let exchange = seen.wellKnown else { return steps.append(Step(.file, skipped: reasonForNoFile)) }
        let file: LiveFile
        switch reader.answer(exchange) {
        case .file(let found): file = found
        // Unless it is what a firewall sends to robots.
        case .otherContent(let found) where steps.contains { $0.id == .http && $0.status != .skipped }: file = found
        default: return steps.append(Step(.file, skipped: reasonForNoFile))
        }
        let content = file.content
        for var diagnostic in content.diagnostics {
            if diagnostic.is(.htmlInsteadOfJSON) {
                let challenge = BotChallenge.notes(file.response)
                diagnostic.notes =
                    challenge.isEmpty
                    ? ["single-page hosts answer every path that they do not know with their start page"] : challenge
                diagnostic.advice =
                    challenge.isEmpty
                    ? "put the file there, and exempt '/.well-known/' from the rule that answers with a page"
                    : "exempt this path from the bot protection, for every client"
            }
            if diagnostic.is(.emptyFile) {
                diagnostic.advice = "deploy the file again: the host answers with an empty one"
            }
            findings.append(StepFinding(.file, diagnostic, in: content.source))
        }
        guard let document = content.document else {
            let summary =
                content.isJSON
                ? (file.response.isTruncated ? file.response.size : "not valid JSON")
                : content.isWebPage ? "an HTML page" : "not an association file"
            return steps.append(Step(.file, summary: summary))
        }
        let contents = FileContents(document)
        steps.append(Step(.file, summary: contents.summary, evidence: contents.evidence))
    }
}

/// The counts of what is in a file.
private struct FileContents {
    let appIDs: [String]
    let services: [String]
    let rules: Int

    init(_ document: AssociationDocument) {
        let lists = AppleService.modelled.map { ($0.rawValue, document.appIDs(of: $0)) }
        services = lists.filter { $0.1 != nil }.map(\.0)
        var known = Set<String>()
        appIDs = lists.flatMap { $0.1 ?? [] }.filter { known.insert($0).inserted }
        rules =
            document.appLinks.map { $0.details.reduce(0) { $0 + ($1.components?.count ?? $1.paths?.count ?? 0) } } ?? 0
    }

    var evidence: [String: JSONOutput] {
        [
            "appIDs": .array(appIDs.map(JSONOutput.string)), "services": .array(services.map(JSONOutput.string)),
            "rules": .number(rules),
        ]
    }

    var summary: String {
        let list =
            switch services.count {
            case 0: "no service"
            case 1: "service \(services[0])"
            default: "services \(DomainDiagnoser.list(services))"
            }
        return "\(counted(appIDs.count, "app")), \(counted(rules, "rule")), \(list)"
    }
}
