internal import Android
internal import AppSiteAssociation
internal import AssociationLint
internal import BoundedText
internal import Diagnostics
internal import HTTP1
internal import PatternAnalysis
internal import URLPatterns
internal import UniversalLinks

/// The part of the API that is about a file in the request: its answers are what the commands print
/// (docs/spec/console.md, section 4).
struct FileAPI {
    /// The work of one request, in units of `WorkBudget`: what takes two seconds of CPU time on a machine that is not slow.
    static let work = 43_000_000
    static let maxURLs = 1_000
    private static let maxChoices = 10_000

    let rules: RuleCatalogue
    let unwrap: @Sendable ([UInt8]) -> SignedFile?
    let refusal: ConsoleResponder.Refusal

    private var reader: UsableFileReader { UsableFileReader(unwrap: unwrap) }

    // MARK: validate

    func validate(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: RequestFile.keys + ["minimumIOS", "disable", "severity"])
        let file = try RequestFile(request)
        let linter = Linter(try options(request), unwrap: unwrap)
        let result = try check(file, linter)
        let report = refusal(file.bytes, file.kind, file.name) ?? result.report()
        return .json(JSONOutput.object(Self.report(report, name: file.name).members()).text)
    }

    private func check(_ file: RequestFile, _ linter: Linter) throws(APIError) -> LintResult {
        guard file.kind != .manifest else {
            throw APIError(
                status: .unprocessableContent, code: .unusableFile,
                message: "'\(file.name)' is a manifest, which 'aasa validate' checks")
        }
        return linter.check(file.bytes, path: file.name, as: file.kind)
    }

    private static func report(_ file: FileReport, name: String, notes: [Report.Note] = []) -> Report {
        Report([file], fileCount: 1, notes: [FileKind.note(onName: name)].compactMap { $0 } + notes)
    }

    private func options(_ request: RequestObject) throws(APIError) -> LintOptions {
        var settings: [DiagnosticCode: LintOptions.Setting] = [:]
        for (code, error) in try request.strings("disable", most: 1_000) ?? [] {
            guard rules[code] != nil else { throw error("unknown code \(quoted(code))\(hint(code))") }
            settings[DiagnosticCode(rawValue: code)] = .off
        }
        for (code, value, error) in try request.strings(in: "severity") ?? [] {
            guard rules[code] != nil else { throw error("unknown code \(quoted(code))\(hint(code))") }
            guard let setting = LintOptions.Setting(rawValue: value) else {
                throw error("\(quoted(value)) is not a severity; expected 'error', 'warning' or 'off'")
            }
            settings[DiagnosticCode(rawValue: code)] = setting
        }
        var minimumIOS: SystemVersion?
        if let text = try request.string("minimumIOS") {
            guard let version = SystemVersion(text) else {
                throw request.refusal(
                    of: "minimumIOS", "\(quoted(text)) is not a version of iOS; write it as \"13.0\"")
            }
            minimumIOS = version
        }
        return LintOptions(settings: settings, minimumIOS: minimumIOS)
    }

    private func hint(_ code: String) -> String {
        let near = rules.codes(near: code).map { "'\($0)'" }
        return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    }

    // MARK: route

    func route(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(
            body, known: RequestFile.keys + ["urls", "domain", "explain", "trace", "assetlinks"])
        let file = try RequestFile(request)
        guard let urls = try request.strings("urls", most: Self.maxURLs) else { throw request.missing("urls") }
        guard !urls.isEmpty else { throw request.refusal(of: "urls", "'urls' is empty; expected 1 to 1,000 URLs") }
        let explains = try request.boolean("explain") ?? true
        let traces = try request.boolean("trace") ?? true
        let domain = try domain(request)
        let links = try request.object("assetlinks", known: RequestFile.keys).map { object throws(APIError) in
            try RequestFile(object, name: "assetlinks.json")
        }
        let deciders = try deciders(file, links, domain, traces, request)
        var work = WorkBudget(Self.work)
        var results: [JSONOutput] = []
        for (url, _) in urls {
            results.append(deciders.json(url, explains: explains, &work))
            guard !work.isSpent else { throw .tooSlow }
        }
        return .json(JSONOutput.object(["version": .number(1), "results": .array(results)]).text)
    }

    private func deciders(
        _ file: RequestFile, _ links: RequestFile?, _ domain: String?, _ traces: Bool, _ request: RequestObject
    ) throws(APIError) -> LinkDeciders {
        switch try Self.reading(nil, { () throws(UnusableFile) in try reader.read(file.bytes, path: file.name) }) {
        case .association(let document):
            let other = try links.map { links throws(APIError) in try assetLinks(links, of: "assetlinks") }
            return LinkDeciders(document, other, domain: domain, traces: traces)
        case .assetLinks(let document):
            guard links == nil else {
                throw request.refusal(
                    of: "assetlinks", "'\(file.name)' is an asset links file, too; give one of them")
            }
            return LinkDeciders(nil, document, domain: domain, traces: traces)
        }
    }

    /// Reads a file.
    ///
    /// - Parameter key: Of the file in the request, which an error names; nil for the request's own.
    private static func reading<File>(
        _ key: String?, _ read: () throws(UnusableFile) -> File
    ) throws(APIError) -> File {
        do throws(UnusableFile) {
            return try read()
        } catch {
            throw .unusable(error.report, in: key)
        }
    }

    private func assetLinks(_ file: RequestFile, of key: String) throws(APIError) -> AssetLinksDocument {
        try Self.reading(key) { () throws(UnusableFile) in try reader.assetLinks(file.bytes, path: file.name) }
    }

    private func association(_ file: RequestFile, of key: String) throws(APIError) -> AssociationDocument {
        try Self.reading(key) { () throws(UnusableFile) in try reader.association(file.bytes, path: file.name) }
    }

    private func domain(_ request: RequestObject) throws(APIError) -> String? {
        guard let text = try request.string("domain") else { return nil }
        do throws(RouterError) {
            _ = try DomainName(text)
            return text
        } catch {
            throw request.refusal(of: "domain", "'domain': \(error)")
        }
    }

    // MARK: diff

    func diff(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: ["old", "new", "domain"])
        guard let old = try request.object("old", known: RequestFile.keys) else { throw request.missing("old") }
        guard let new = try request.object("new", known: RequestFile.keys) else { throw request.missing("new") }
        let files = (old: try RequestFile(old), new: try RequestFile(new))
        let host = DomainName.exampleHost(of: try domain(request))
        switch (files.old.kind, files.new.kind) {
        case (.assetLinks, .assetLinks):
            let comparison = AssetLinksComparison(
                old: try assetLinks(files.old, of: "old"), new: try assetLinks(files.new, of: "new"), host: host)
            return .json(comparison.json.text)
        case (.assetLinks, .association), (.association, .assetLinks):
            throw request.refusal(
                of: "new", "'\(files.old.name)' and '\(files.new.name)' are files for different platforms")
        default:
            let before = try association(files.old, of: "old")
            let after = try association(files.new, of: "new")
            let errors = [before, after].map { Linter().countReadingErrors(in: $0.source.bytes) }
            let comparison = LinkComparison(old: before, new: after, host: host)
            return .json(comparison.json(fileErrors: (errors[0], errors[1])).text)
        }
    }

    // MARK: fix

    func fix(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: RequestFile.keys + ["only", "suggested"])
        let file = try RequestFile(request)
        let suggested = try request.boolean("suggested")
        let linter = Linter(unwrap: unwrap)
        let result = try check(file, linter)
        if let report = refusal(file.bytes, file.kind, file.name) { throw .unusable(report) }
        guard result.isAsInFile else { throw .unusable(result.report()) }
        guard let only = try request.objects("only", most: Self.maxChoices, known: ["code", "offset"]) else {
            let outcome = Fixer(linter, kind: file.kind, upTo: suggested == true ? .suggested : .automatic)
                .fix(file.bytes, path: file.name)
            let failure = outcome.failure.map { Report.Note(path: file.name, message: "nothing is fixed: \($0)") }
            return try answer(
                outcome.bytes,
                Self.report(
                    outcome.result.report(fixed: outcome.fixed), name: file.name,
                    notes: outcome.notes + [failure].compactMap { $0 }))
        }
        if suggested != nil {
            throw request.refusal(of: "suggested", "there are both 'only' and 'suggested'; give one of them")
        }
        let choices = try only.map { object throws(APIError) in
            guard let code = try object.string("code") else { throw object.missing("code") }
            guard let offset = try object.count("offset") else { throw object.missing("offset") }
            return ChosenFixes.Choice(code: DiagnosticCode(rawValue: code), offset: offset)
        }
        let (bytes, fixed): ([UInt8], [FileReport.Fixed])
        do throws(ChosenFixes.Problem) {
            (bytes, fixed) = try ChosenFixes.apply(choices, to: file.bytes, result)
        } catch {
            throw request.refusal(of: "only", error.message)
        }
        let after = linter.check(bytes, path: file.name, as: file.kind)
        let notes = ChosenFixes.notes(fixed, from: result, to: after)
        return try answer(bytes, Self.report(after.report(fixed: fixed), name: file.name, notes: notes))
    }

    private func answer(_ bytes: [UInt8], _ report: Report) throws(APIError) -> ConsoleAnswer {
        guard let text = String(validUnbounded: bytes) else {
            throw report.files.first.map { APIError.unusable($0) } ?? .badRequest("the text is not UTF-8")
        }
        var members = report.members(showsFixed: true)
        for key in ["tool", "fixable", "ignored"] { members[key] = nil }
        members["text"] = .string(text)
        return .json(JSONOutput.object(members).text)
    }
}

extension APIError {
    fileprivate static var tooSlow: APIError {
        APIError(
            status: .serviceUnavailable, code: .tooSlow,
            message: "to compare these URLs with the rules takes too many steps; ask about fewer")
    }
}
