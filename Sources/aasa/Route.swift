import AppSiteAssociation
import ArgumentParser
import CommandLineSupport
import Diagnostics
import UniversalLinks

struct Route: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show which apps a URL opens, and why.",
        discussion: manual.discussion(
            """
            Decides URLs as Apple's systems do, and percent-encodes them first, as those systems do. If a URL opens no app but a similar one does \
            (other letter case, percent-encoding, 'www.' or segment), or a '?' in a pattern is meant as something else, a hint \
            shows the difference.
            """)
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa route apple-app-site-association https://example.com/buy/7", "decide one URL"),
            .init("aasa route --explain file.json https://example.com/buy/7", "show every rule that was tried"),
            .init("aasa route --format json file.json - <urls", "decide a list of URLs, for a program"),
        ],
        exits: [
            .init(.done, "if the URLs were decided, whatever the result"),
            .init(.failed, "if a URL is not decided, because file and URL are too large together"),
            .init(.usage, "if one of the URLs is not an http or https URL with a host"),
            .init(.unusableData, "if the file is not valid JSON"), .init(.missingFile, "if it cannot be read"),
        ],
        seeAlso: ["aasa-test(1)"])

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("The association file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("URLs; a single - reads them from standard input, one per line.", valueName: "url"))
    var urls: [String]

    @OptionGroup var domain: DomainOption

    @Flag(help: "Show every rule that was tried, and which part of it did not match.")
    var explain = false

    @Option(help: "Set the output format; json is one object per line.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    private var readsInput: Bool { urls == ["-"] }

    func validate() throws {
        if readsInput, file == "-" {
            throw ValidationError("standard input cannot be both the file and the URLs; name a file or a URL")
        }
        if FileArgument(file).isURL, let other = urls.first(where: { $0 != "-" && !FileArgument($0).isURL }) {
            throw ValidationError("the file comes before the URLs: aasa route \(other) \(file)")
        }
    }

    func run() throws {
        try CommandFailure.reporting(in: format == .json ? .json : .text, "aasa route", output, answer)
    }

    private func answer() throws {
        let document = try AssociationFile.read(file, for: "aasa route - URL")
        let errors = FileErrors(document)
        if format == .text { errors.warn() }
        let router = try domain.router(document)
        // A stream of URLs is answered at full speed, unless somebody wants to know all.
        let answerer = RouteAnswerer(router, domain: domain.name, explains: explain, hints: !readsInput || explain)
        let report = RouteTextReport(
            document: document, style: output.style, symbols: output.symbols, width: output.width,
            isBrief: readsInput && !explain)
        var results = StandardOutput()
        var isUsageError = false
        var isUndecided = false
        var isFirst = true

        func write(text: @autoclosure () -> String, json: @autoclosure () -> JSONOutput) {
            switch format {
            case .json: results.write(json().text)
            case .text:
                if !isFirst, !report.isBrief { results.write("") }
                results.write(text())
            }
            isFirst = false
        }

        func answer(_ url: UnsafeRawBufferPointer) {
            guard let answer = answerer.answer(url) else {
                isUsageError = true
                let text = String(decoding: url, as: UTF8.self)
                return write(text: report.refusal(text), json: RouteAnswer.refusal(of: text))
            }
            if answer.decision.outcome == .notDecided { isUndecided = true }
            write(
                text: report.text(answer),
                json: .object(answer.members.merging(errors.members) { current, _ in current }))
        }

        if readsInput {
            var input = InputLines()
            while let lines = input.next() {
                for line in lines where line.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
                    line.withUnsafeBytes { answer($0) }
                }
                results.flush()
            }
        } else {
            for url in urls { Array(url.utf8).withUnsafeBytes { answer($0) } }
            results.flush()
        }
        if isUsageError { throw ExitStatus.usage.code }
        if isUndecided { throw ExitStatus.failed.code }
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
        guard let name else { return }
        do throws(RouterError) {
            _ = try DomainName(name)
        } catch {
            throw ValidationError("--domain: \(error)")
        }
    }

    /// The router for a file of the domain, or of any.
    func router(_ document: AssociationDocument) throws -> UniversalLinkRouter {
        try name.map { try UniversalLinkRouter(document, domain: $0) } ?? UniversalLinkRouter(anyDomain: document)
    }
}
