internal import Android
internal import AppSiteAssociation
internal import AssociationLint
internal import BoundedText
internal import Diagnostics
internal import HTTP1
internal import URLPatterns
internal import UniversalLinks

/// The part of the API that decides links by the files in a request (docs/spec/console.md, section 4).
struct LinkAPI {
    /// The work of one request, in units of `WorkBudget`: what takes two seconds of CPU time on a machine that is not slow.
    static let work = 43_000_000
    static let maxURLs = 1_000
    private static let keys = RequestFile.keys + ["domain", "assetlinks", "manifest", "api"]

    let files: RequestFileReader

    func route(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: Self.keys + ["urls", "explain", "trace"])
        guard let urls = try request.strings("urls", most: Self.maxURLs) else { throw request.missing("urls") }
        guard !urls.isEmpty else { throw request.refusal(of: "urls", "'urls' is empty; expected 1 to 1,000 URLs") }
        let explains = try request.boolean("explain") ?? true
        let (deciders, problems) = try deciders(request, traces: try request.boolean("trace") ?? true)
        if let problem = problems.first { throw problem }
        var work = WorkBudget(Self.work)
        var results: [JSONOutput] = []
        for (url, _) in urls {
            results.append(deciders.json(url, explains: explains, &work))
            guard !work.isSpent else { throw .tooSlow }
        }
        return .json(JSONOutput.object(["version": .number(1), "results": .array(results)]).text)
    }

    /// Decides the URLs of a list, and compares with what it expects.
    func test(_ body: [UInt8]) throws(APIError) -> ConsoleAnswer {
        let request = try RequestObject(body, known: Self.keys + ["cases", "explain"])
        guard let text = try request.string("cases") else { throw request.missing("cases") }
        let list = CaseList.read(Array(text.utf8), path: "cases", .asking) { WebURL(Array($0.utf8)) != nil }
        guard list.cases.count <= Self.maxURLs else {
            throw request.refusal(of: "cases", "'cases' has \(grouped(list.cases.count)) URLs, of at most 1,000")
        }
        let (deciders, problems): (LinkDeciders, [APIError])
        do throws(APIError) {
            (deciders, problems) = try self.deciders(request, traces: false)
        } catch  where error.code == .unusableFile {
            return Self.answer(CaseRun.noMembers, list, list.diagnostics, [error], text: text)
        }
        var work = WorkBudget(Self.work)
        var answers: [(apple: RouteAnswer?, android: AndroidAnswer?)] = []
        for testCase in list.cases {
            answers.append(deciders.answer(testCase.url, explains: true, &work))
            guard !work.isSpent else { throw .tooSlow }
        }
        let explained = try request.count("explain")
        let trace = explained.flatMap { index in
            list.cases.indices.contains(index)
                ? deciders.trace(list.cases[index].url, answers[index].android, &work) : nil
        }
        let run = deciders.run(list.cases, answers.map(\.apple), &work)
        guard !work.isSpent else { throw .tooSlow }
        var members = run.members(list) { index in
            let verdict = run.verdicts[index]
            let android = answers[index].android
            return [
                "trace": index == explained ? trace ?? .null : .null,
                "remarks": .array((android?.apps ?? []).map { .optional(DecisionView.remark($0)) }),
                "route": deciders.json(answers[index], verdict.testCase.url, explains: true),
                "held": .object([
                    "apple": deciders.association == nil ? .null : verdict.holdsOnApple,
                    "android": deciders.android == nil ? .null : verdict.holdsOnAndroid,
                ]), "note": .optional(verdict.note),
            ]
        }
        if let errors = deciders.fileErrors, errors > 0 { members["fileErrors"] = .number(errors) }
        let findings = list.diagnostics + (deciders.android == nil ? list.androidWithoutFile : [])
        return Self.answer(members, list, findings, problems, text: Self.list(list, answers))
    }

    /// - Parameter text: The list with what was seen.
    private static func answer(
        _ members: [String: JSONOutput], _ list: CaseList, _ findings: [Diagnostic], _ problems: [APIError],
        text: String
    ) -> ConsoleAnswer {
        let common: [String: JSONOutput] = [
            "version": .number(1), "coverage": .null, "list": .string(text),
            "diagnostics": .array(findings.map { .object($0.members(in: list.source)) }),
            "problems": .array(problems.map { .object($0.members) }),
        ]
        return .json(JSONOutput.object(members.merging(common) { $1 }).text)
    }

    /// The list with what was seen instead of what was expected: lines, or JSON where Android was asked.
    private static func list(_ list: CaseList, _ answers: [(apple: RouteAnswer?, android: AndroidAnswer?)]) -> String {
        if !answers.contains(where: { $0.android != nil }),
            let text = list.text(seeing: { index in
                answers[index].apple.flatMap { $0.decision.outcome == .notDecided ? nil : $0.decision.appIDs }
            })
        {
            return String(text: text)
        }
        func expectation(_ isExcluded: Bool, _ apps: [String]) -> [String: JSONOutput] {
            isExcluded ? ["excluded": .boolean(true)] : ["opens": .array(apps.map(JSONOutput.string))]
        }
        let objects = zip(list.cases, answers).map { testCase, answers -> String in
            var members: [String: JSONOutput] = ["url": .string(testCase.url)]
            if let decision = answers.apple?.decision, decision.outcome != .notDecided {
                members.merge(expectation(decision.outcome == .excluded, decision.appIDs)) { $1 }
            }
            if let android = answers.android, android.outcome != .unknown {
                members["android"] = .object(expectation(android.outcome == .excluded, android.packages))
            }
            // A case that expects nothing is not one.
            return members.count == 1 ? "" : JSONOutput.object(members).text
        }
        return "[\n\(objects.filter { !$0.isEmpty }.map { "  \($0)" }.joined(separator: ",\n"))\n]\n"
    }

    // MARK: the files

    /// - Returns: What decides, and why files besides the first are not used.
    private func deciders(
        _ request: RequestObject, traces: Bool
    ) throws(APIError) -> (deciders: LinkDeciders, problems: [APIError]) {
        let file = try RequestFile(request)
        let domain = try request.domain()
        let api = try request.count("api") ?? ManifestDecisions.api
        guard (1...10_000).contains(api) else {
            throw request.refusal(of: "api", "\(api) is not an API level; write it as 35, which is Android 15")
        }
        var association: AssociationDocument?
        var links: AssetLinksDocument?
        var manifest: (root: XMLElement, source: SourceText)?
        switch file.kind {
        case .manifest: manifest = try files.manifest(file)
        case .assetLinks: links = try files.assetLinks(file)
        case .association, .links, .json, .other: association = try files.association(file)
        }
        var problems: [APIError] = []
        if let other = try request.file("assetlinks", name: "assetlinks.json") {
            guard links == nil else {
                throw request.refusal(
                    of: "assetlinks", "'\(file.name)' is an asset links file, too; give one of them")
            }
            do { links = try files.assetLinks(other, of: "assetlinks") } catch { problems.append(error) }
        }
        if let other = try request.file("manifest", name: "AndroidManifest.xml") {
            guard manifest == nil else {
                throw request.refusal(of: "manifest", "'\(file.name)' is a manifest, too; give one of them")
            }
            do { manifest = try files.manifest(other, of: "manifest") } catch { problems.append(error) }
        }
        var manifests: [String: AndroidRouter.Manifest] = [:]
        if let manifest {
            let app = AppManifest(manifest.root, api: api)
            let found = AndroidRouter.Manifest(app, source: manifest.source)
            do {
                manifests[try Self.package(of: app, links)] = found
            } catch {
                problems.append(error)
                if file.kind == .manifest { links = nil }
            }
            if file.kind == .manifest, links == nil {
                let package = app.package ?? "the app"
                links = AssetLinksDocument(assumedFor: package, source: manifest.source)
                manifests = [package: found]
            }
        }
        let deciders = LinkDeciders(
            association, links, manifests: manifests, api: api, domain: domain, traces: traces)
        return (deciders, problems)
    }

    /// The package of the app that a manifest is for, which an asset links file has to name.
    private static func package(of app: AppManifest, _ links: AssetLinksDocument?) throws(APIError) -> String {
        guard let links else {
            throw .badManifest("the manifest needs the assetlinks.json that lets its app handle links")
        }
        let named = links.apps.map(\.package)
        guard let package = app.package ?? (named.count == 1 ? named[0] : nil) else {
            throw .badManifest("the manifest does not name its app; give it the attribute 'package'")
        }
        guard named.contains(where: { $0.utf8.elementsEqual(package.utf8) }) else {
            throw .badManifest("'\(links.source.path)' lets no app \(quoted(package)) handle links")
        }
        return package
    }
}

extension CaseRun.Verdict {
    /// Whether what is expected is so; null if nothing is expected, or it is not known what happens.
    fileprivate var holdsOnApple: JSONOutput {
        testCase.expectation == .unchecked || outcome == .notDecided ? .null : .boolean(hasPassedOnApple)
    }
    fileprivate var holdsOnAndroid: JSONOutput {
        guard let expectation = testCase.android, expectation != .unchecked, android?.outcome != .unknown else {
            return .null
        }
        return .boolean(hasPassedOnAndroid)
    }
}

extension LinkDeciders {
    /// A run of the cases, which are about Android where nothing else decides.
    ///
    /// - Parameter answers: The answers about their URLs.
    fileprivate func run(_ cases: [TestCase], _ answers: [RouteAnswer?], _ work: inout WorkBudget) -> CaseRun {
        if let association {
            let answers = Dictionary(
                answers.compactMap { answer in answer.map { (Array(($0.encodedURL ?? $0.url).utf8), $0) } },
                uniquingKeysWith: { first, _ in first })
            func answer(_ url: String) -> RouteAnswer? { answers[Array(url.utf8)] }
            let router = CaseRun.Router(
                isInDomain: { answer($0)?.decision.document != nil },
                decide: { answer($0)?.decision.quick }, hint: { answer($0)?.hint?.message }, android: android)
            return CaseRun(cases, association, router, within: &work)
        }
        let own = cases.map { testCase in
            var own = testCase
            own.android = own.android ?? own.expectation
            return own
        }
        // One of the two is there.
        let router = android ?? AndroidRouter(AssetLinksDocument(assumedFor: "", source: SourceText([], path: "")))
        return CaseRun(own, android: router, within: &work)
    }
}

extension APIError {
    fileprivate static var tooSlow: APIError {
        APIError(
            status: .serviceUnavailable, code: .tooSlow,
            message: "to compare these URLs with the rules takes too many steps; ask about fewer")
    }

    fileprivate static func badManifest(_ message: String) -> APIError {
        APIError(status: .unprocessableContent, code: .unusableFile, message: message, file: "manifest")
    }
}
