import AppSiteAssociation
import ArgumentParser
import CommandLineSupport
import UniversalLinks

struct Route: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decides which apps a URL opens, and says why.",
        discussion: """
            Reads an association file and decides URLs as Apple's systems do. Exit 0 whatever was decided; 64 if one of the \
            URLs is no http or https URL with a host, 65 if the file is no sound JSON, 66 if it cannot be read.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(help: ArgumentHelp("The association file; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("The URLs; a single - reads them from standard input, a line each.", valueName: "url"))
    var urls: [String]

    @OptionGroup var domain: DomainOption

    @Flag(help: "Show every rule that was tried, and which part of it failed.")
    var explain = false

    @Option(help: "text, or json: an object a line.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    private var readsInput: Bool { urls == ["-"] }

    func validate() throws {
        if readsInput, file == "-" {
            throw ValidationError("standard input cannot be the file and the URLs; name one of them")
        }
    }

    func run() throws {
        let document = try AssociationFile.read(file, output)
        let router = try domain.router(document)
        let explainer = explain ? RoutingExplainer(router) : nil
        let report: any RouteReport =
            switch format {
            case .json: RouteJSONReport()
            case .text:
                RouteTextReport(document: document, style: output.style, domain: domain.name, isBrief: readsInput)
            }
        var results = StandardOutput()
        var isUsageError = false

        func answer(_ url: UnsafeRawBufferPointer) {
            let text = String(decoding: url, as: UTF8.self)
            let explanation = explainer?.explain(url)
            let decision = explanation?.decision ?? router.decide(url)
            if !decision.isWebURL { isUsageError = true }
            results.write(
                decision.isWebURL ? report.answer(text, decision, trace: explanation?.trace) : report.refusal(text))
        }

        if readsInput {
            var input = InputLines()
            while let lines = input.next() {
                for line in lines { line.withUnsafeBytes { answer($0) } }
                results.flush()
            }
        } else {
            for url in urls { Array(url.utf8).withUnsafeBytes { answer($0) } }
            results.flush()
        }
        if isUsageError { throw ExitStatus.usage.code }
    }
}
