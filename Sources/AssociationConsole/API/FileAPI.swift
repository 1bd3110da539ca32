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
    private static let maxChoices = 10_000

    let rules: RuleCatalogue
    let unwrap: @Sendable ([UInt8]) -> SignedFile?
    let refusal: ConsoleResponder.Refusal
    let files: RequestFileReader

    // MARK: validate

    func validate(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: RequestFile.keys + ["minimumIOS", "disable", "severity", "kind"])
        let file = try RequestFile(request)
        let linter = Linter(try options(request), unwrap: unwrap)
        let report = try self.report(file, linter)
        var members = Self.report(report, name: file.name).members()
        if try request.boolean("kind") == true { members["kind"] = .string(file.kind.words.kind) }
        return .json(JSONOutput.object(members).text)
    }

    private func report(_ file: RequestFile, _ linter: Linter) throws(APIError) -> FileReport {
        guard file.kind == .manifest else {
            let result = linter.check(file.bytes, path: file.name, as: file.kind)
            return refusal(file.bytes, file.kind, file.name) ?? result.report()
        }
        switch files.manifests(file.bytes, file.name) {
        case .read(let root, let source, let isAsInFile):
            return linter.checkManifest(root, source: source, isAsInFile: isAsInFile).report()
        case .unusable(let report): return report
        case .unavailable: throw .noManifests(file)
        }
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

    // MARK: diff

    func diff(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: ["old", "new", "domain"])
        guard let old = try request.object("old", known: RequestFile.keys) else { throw request.missing("old") }
        guard let new = try request.object("new", known: RequestFile.keys) else { throw request.missing("new") }
        let files = (old: try RequestFile(old), new: try RequestFile(new))
        let host = DomainName.exampleHost(of: try request.domain())
        if let manifest = [files.old, files.new].first(where: { $0.kind == .manifest }) {
            throw .badRequest("'\(manifest.name)' is a manifest; links are compared by asset links files")
        }
        switch (files.old.kind, files.new.kind) {
        case (.assetLinks, .assetLinks):
            let comparison = AssetLinksComparison(
                old: try self.files.assetLinks(files.old, of: "old"),
                new: try self.files.assetLinks(files.new, of: "new"), host: host)
            return .json(comparison.json.text)
        case (.assetLinks, .association), (.association, .assetLinks):
            throw request.refusal(
                of: "new", "'\(files.old.name)' and '\(files.new.name)' are files for different platforms")
        default:
            let before = try self.files.association(files.old, of: "old")
            let after = try self.files.association(files.new, of: "new")
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
        guard file.kind != .manifest else {
            throw .badRequest("'\(file.name)' is a manifest, which has nothing to fix")
        }
        let result = linter.check(file.bytes, path: file.name, as: file.kind)
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
