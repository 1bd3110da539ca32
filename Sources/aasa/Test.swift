import Android
import AppProjects
import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import JSONSyntax
import URLPatterns
import UniversalLinks

struct Test: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test which URLs open which apps on iOS and Android, and whether an app's routes handle them.",
        discussion: manual.discussion(
            """
            CASES has a URL per line that has to open an app; one after ! must open none, and app IDs after a URL are those \
            that have to open it. # begins a comment. Or it is JSON: [{"url": "https://example.com/buy/7", "opens": \
            ["APPID"]}, {"url": "…", "opens": []}, {"url": "…", "opens": "any"}, {"url": "…", "excluded": true}]. A case may \
            have the same for Android: "android": {"opens": ["PACKAGE"]}. That needs --android, or an assetlinks.json as FILE.

            ROUTES has one route of the app per line, like /buy/{product} or /search ?q={term}; # begins a comment. The \
            routes have to handle every link that the file sends to the app, and each route has to be reachable. They are \
            checked for the host given with --domain, or for the host that they name.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa test apple-app-site-association urls.txt", "test a list of URLs"),
            .init(
                "aasa test file.json --routes routes.txt --domain example.com", "compare the file with an app's routes"),
            .init(
                "aasa test file.json cases.json --android assetlinks.json --manifest AndroidManifest.xml",
                "test both platforms"),
        ],
        exits: [
            .init(.done, "if every case passes and the routes match the file"), .init(.failed, "if not"),
            .init(.unusableData, "if the file or a list is not valid"), .init(.missingFile, "if one cannot be read"),
        ],
        seeAlso: ["aasa-route(1)"])

    @Argument(
        help: ArgumentHelp("The association file or assetlinks.json; - is standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Argument(
        help: ArgumentHelp("The cases, a URL per line or JSON; - is standard input.", valueName: "cases"),
        completion: .file())
    var cases: String?

    @Option(
        help: ArgumentHelp(
            "Compare the file with the routes of the app in ROUTES; - is standard input.", valueName: "routes"),
        completion: .file())
    var routes: String?

    @Option(
        help: ArgumentHelp("Name the app that has the routes (default: the only app of the file).", valueName: "app-id")
    )
    var app: String?

    @OptionGroup var domain: DomainOption

    @OptionGroup(title: "Android options") var android: AndroidOptions

    @Option(help: "Set the output format; github writes annotations for GitHub Actions.")
    var format = CommandFailure.Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if cases == nil, routes == nil { throw ValidationError("give a list of cases, or routes with --routes") }
        if app != nil, routes == nil {
            throw ValidationError("--app needs --routes")
        }
        if ([file, cases, routes] + android.files).count(where: { $0 == "-" }) > 1 {
            throw ValidationError("standard input can be only one of the files, the cases and the routes")
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format, "aasa test", output, test)
    }

    private func test() throws {
        switch try LinkFile.read(file, for: "aasa test -" + (cases.map { " \($0)" } ?? "")) {
        case .association(let document): try test(document)
        case .assetLinks(let document): try testAndroid(document)
        case .manifest(let manifest):
            let router = try android.router(manifest, domain: domain.name, for: "aasa test FILE CASES")
            try testAndroid(manifest.source.path, router)
        }
    }

    private func test(_ document: AssociationDocument) throws {
        let list = try cases.map { try TestInput.cases($0) }
        let routeList = try routes.map { try TestInput.routes($0) }
        let links = try android.android.map { path in
            try LinkFile.readAssetLinks(path, for: "aasa test FILE CASES --android -")
        }
        if let list, links == nil { try TestInput.check(list.androidWithoutFile, in: list.source) }
        if links == nil { try android.checkUnused() }
        var router = Self.router(try domain.router(document))
        router.android = try links.map { try androidRouter($0) }
        let errors = FileErrors(document)
        if format != .json { errors.warn() }
        let run = list.map { CaseRun($0.cases, document, router) }
        let coverage = try routeList.map { list in
            CoverageReport(document: document, list: list, coverage: try compare(document, list))
        }
        try finish(document.source.path, run, list, coverage, errors)
    }

    /// Tests nothing but what cases say about Android.
    private func testAndroid(_ document: AssetLinksDocument) throws {
        guard android.android == nil else {
            throw CommandFailure.usage("'\(InputFile.name(file))' is an asset links file, too; give one of them")
        }
        try testAndroid(document.source.path, try androidRouter(document))
    }

    private func testAndroid(_ path: String, _ router: AndroidRouter) throws {
        guard routes == nil, let cases else {
            throw CommandFailure.usage("--routes needs an association file; '\(InputFile.name(file))' is for Android")
        }
        let list = try TestInput.cases(cases)
        try finish(path, CaseRun(list.cases, android: router), list, nil, nil)
    }

    private func androidRouter(_ document: AssetLinksDocument) throws -> AndroidRouter {
        try android.router(document, domain: domain.name, for: "aasa test FILE CASES --manifest -")
    }

    /// - Parameter path: What messages call the file.
    private func finish(
        _ path: String, _ run: CaseRun?, _ list: CaseList?, _ coverage: CoverageReport?, _ errors: FileErrors?
    ) throws {
        let text = self.text(path, run, list, coverage, errors)
        StandardOutput.print(text.isEmpty ? [] : [text])
        if (run?.failedCount ?? 0) > 0 || coverage?.coverage.isComplete == false { throw ExitStatus.failed.code }
    }

    private static func router(_ router: UniversalLinkRouter) -> CaseRun.Router {
        let nearMisses = NearMissSearch(router)
        return CaseRun.Router(
            isInDomain: { router.decide($0).document != nil },
            decide: { router.decide($0).quick }, hint: { nearMisses.hint(for: $0)?.message })
    }

    private func text(
        _ path: String, _ run: CaseRun?, _ list: CaseList?, _ coverage: CoverageReport?, _ errors: FileErrors?
    ) -> String {
        switch format {
        case .json:
            var members = list.flatMap { run?.members($0) } ?? CaseRun.noMembers
            members["version"] = .number(1)
            members.merge(errors?.members ?? [:]) { current, _ in current }
            members["coverage"] = coverage?.json ?? .null
            let findings =
                (run?.diagnostics ?? []) + (coverage.map { $0.coverage.diagnostics(in: $0.list) } ?? [])
            for warning in findings where warning.severity == .warning {
                StandardError.write("warning: \(warning.message)")
            }
            return JSONOutput.object(members).text
        case .github:
            let cases = list.flatMap { list in run.map { FileReport(list.source, $0.diagnostics) } }
            return GitHubRenderer().render(
                Report([cases].compactMap { $0 } + (coverage?.fileReports ?? []), fileCount: 1))
        case .junit:
            let cases = list.flatMap { list in run.map { CaseReport.suite($0, list) } }
            return JUnitReport(
                name: "aasa test", suites: [cases, coverage?.suite].compactMap { $0 }
            ).text
        case .text:
            var lines: [String] = []
            if let run, let list {
                lines += CaseReport(path: path, style: output.style, width: output.width).lines(run, list)
            }
            return (lines + (coverage?.lines(style: output.style, width: output.width) ?? [])).joined(separator: "\n")
        }
    }

    private func compare(_ document: AssociationDocument, _ list: RouteList) throws -> RouteCoverage {
        let routes = list.routes.map(\.pattern)
        let host = try host(of: routes)
        do throws(RouteCoverageError) {
            return try RouteCoverage(of: document, routes: routes, appID: app, host: host)
        } catch {
            throw CommandFailure.usage(message(error))
        }
    }

    /// The error, with the option that it is about, or with the one that is missing.
    private func message(_ error: RouteCoverageError) -> String {
        switch error.code {
        case .severalApps: "\(error) with --app"
        case .severalHosts: "\(error) with --domain"
        case .invalidHost: "--domain: \(error)"
        default: "--app: \(error)"
        }
    }

    /// The host that `--domain` says; with a wildcard the one that the routes name, or any that it stands for.
    private func host(of routes: [RoutePattern]) throws -> String? {
        guard let name = try domain.name.map({ try DomainName($0) }) else { return nil }
        guard name.isWildcard else { return name.ascii }
        let named = Set(routes.compactMap(\.host).filter { $0.hasSuffix(".\(name.ascii)") }).sorted()
        guard named.count <= 1 else {
            let list = named.map { quoted($0) }.joined(separator: ", ")
            throw CommandFailure.usage(
                "--domain: the routes are for several hosts; give one of them: \(list)")
        }
        return named.first ?? "www.\(name.ascii)"
    }
}

/// The lists that `aasa test` reads.
enum TestInput {
    static func cases(_ path: String) throws(CommandFailure) -> CaseList {
        let bytes = try AssociationFile.content(path, for: "aasa test FILE -")
        let list = CaseList.read(bytes, path: InputFile.name(path)) { WebURL(Array($0.utf8)) != nil }
        try check(list.diagnostics, in: list.source)
        return list
    }

    static func routes(_ path: String) throws(CommandFailure) -> RouteList {
        let bytes = try AssociationFile.content(path, for: "aasa test FILE --routes -")
        let name = InputFile.name(path)
        guard bytes.count <= FileSizes.read else {
            // What was read is not all of it.
            let finding = Diagnostic(
                .fileTooLarge, "the file has more than \(grouped(FileSizes.read)) bytes and is not read")
            throw .unusable(FileReport(SourceText([], path: name), [finding]))
        }
        let list = RouteList.read(bytes, path: name)
        try check(list.diagnostics, in: list.source)
        return list
    }

    static func check(_ diagnostics: [Diagnostic], in source: SourceText) throws(CommandFailure) {
        guard diagnostics.contains(where: { $0.severity == .error }) else { return }
        throw .unusable(FileReport(source, diagnostics))
    }
}
