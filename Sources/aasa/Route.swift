import Android
import AppSiteAssociation
import ArgumentParser
import CommandLineSupport
import Diagnostics
import UniversalLinks

struct Route: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show which apps a URL opens on iOS and Android, and why.",
        discussion: manual.discussion(
            """
            Decides URLs as Apple's systems do, and percent-encodes them first, as those systems do. If a URL opens no app but a similar one does \
            (other letter case, percent-encoding, 'www.' or segment), or a '?' in a pattern is meant as something else, a hint \
            shows the difference.

            With --android, or if FILE is an assetlinks.json or an AndroidManifest.xml, URLs are decided as Android does: by \
            the intent filters of the manifests that are given, and by the dynamic rules of the asset links file.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa route apple-app-site-association https://example.com/buy/7", "decide one URL"),
            .init("aasa route --explain file.json https://example.com/buy/7", "show every rule that was tried"),
            .init("aasa route --format json file.json - <urls", "decide a list of URLs, for a program"),
            .init(
                "aasa route file.json --android assetlinks.json --manifest AndroidManifest.xml https://example.com/buy/7",
                "decide a URL for both platforms"),
        ],
        exits: [
            .init(.done, "if the URLs were decided, whatever the result"),
            .init(.failed, "if a URL is not decided, because file and URL are too large together"),
            .init(.usage, "if one of the URLs is not an http or https URL with a host, or a file does not name an app"),
            .init(.unusableData, "if the file is not valid JSON, or a manifest not XML in its source form"),
            .init(.missingFile, "if one cannot be read"),
        ],
        seeAlso: ["aasa-test(1)"])

    @Argument(
        help: ArgumentHelp(
            "The association file, assetlinks.json or AndroidManifest.xml; - is standard input.", valueName: "file"),
        completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("URLs; a single - reads them from standard input, one per line.", valueName: "url"))
    var urls: [String]

    @OptionGroup var domain: DomainOption

    @OptionGroup(title: "Android options") var android: AndroidOptions

    @Flag(help: "Show every rule that was tried, and which part of it did not match.")
    var explain = false

    @Option(help: "Set the output format; json is one object per line.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    private var readsInput: Bool { urls == ["-"] }

    func validate() throws {
        if readsInput, file == "-" {
            throw ValidationError("standard input cannot be both the file and the URLs; name a file or a URL")
        }
        if ([file] + android.files + (readsInput ? ["-"] : [])).count(where: { $0 == "-" }) > 1 {
            throw ValidationError("standard input can be only one of the files and the URLs; name the others")
        }
        if FileArgument(file).isURL, let other = urls.first(where: { $0 != "-" && !FileArgument($0).isURL }) {
            throw ValidationError("the file comes before the URLs: aasa route \(other) \(file)")
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format.failures, "aasa route", output, answer)
    }

    private func answer() throws {
        let answers: RouteAnswers
        switch try LinkFile.read(file, for: "aasa route - URL") {
        case .association(let document): answers = try self.answers(document)
        case .assetLinks(let document):
            guard android.android == nil else {
                throw CommandFailure.usage("'\(InputFile.name(file))' is an asset links file, too; give one of them")
            }
            answers = RouteAnswers(apple: nil, android: try router(document), common)
        case .manifest(let manifest):
            let router = try android.router(manifest, domain: domain.name, for: "aasa route FILE URL")
            answers = RouteAnswers(apple: nil, android: router, common)
        }
        if readsInput {
            var input = InputLines()
            while let lines = input.next() {
                for line in lines where line.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
                    line.withUnsafeBytes { answers.answer($0) }
                }
                answers.flush()
            }
        } else {
            for url in urls { Array(url.utf8).withUnsafeBytes { answers.answer($0) } }
            answers.flush()
        }
        if answers.hasUsageError { throw ExitStatus.usage.code }
        if answers.hasUndecided { throw ExitStatus.failed.code }
    }

    private var common: RouteAnswers.Options {
        RouteAnswers.Options(
            format: format, explains: explain, isBrief: readsInput && !explain, style: output.style,
            symbols: output.symbols)
    }

    private func router(_ document: AssetLinksDocument) throws -> AndroidRouter {
        try android.router(document, domain: domain.name, for: "aasa route FILE URL --manifest -")
    }

    private func answers(_ document: AssociationDocument) throws -> RouteAnswers {
        let links = try android.android.map { path in
            try router(try LinkFile.readAssetLinks(path, for: "aasa route FILE URL --android -"))
        }
        if links == nil { try android.checkUnused() }
        let errors = FileErrors(document)
        if format == .text { errors.warn() }
        // A stream of URLs is answered at full speed, unless explanations are asked for.
        let answerer = RouteAnswerer(
            try domain.router(document), domain: domain.name, explains: explain, hints: !readsInput || explain)
        let report = RouteTextReport(
            document: document, style: output.style, symbols: output.symbols, width: output.width,
            isBrief: readsInput && !explain)
        return RouteAnswers(
            apple: RouteAnswers.Apple(answerer: answerer, report: report, fileErrors: errors.count), android: links,
            common)
    }
}

/// `--domain`: whose file it is.
struct DomainOption: ParsableArguments {
    @Option(
        name: .customLong("domain"),
        help: ArgumentHelp(
            "Set the domain of the file, e.g. example.com or *.example.com (default: the host of each URL).",
            valueName: "host"))
    var name: String?

    func validate() throws {
        _ = try name.map(Self.read)
    }

    /// Reads the value of the option of any command.
    static func read(_ text: String) throws(ValidationError) -> DomainName {
        do throws(RouterError) {
            return try DomainName(text)
        } catch {
            throw ValidationError("--domain: \(error)")
        }
    }

    /// The router for a file of the domain, or of any.
    func router(_ document: AssociationDocument) throws -> UniversalLinkRouter {
        try name.map { try UniversalLinkRouter(document, domain: $0) } ?? UniversalLinkRouter(anyDomain: document)
    }
}
