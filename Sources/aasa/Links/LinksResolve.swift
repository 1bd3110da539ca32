import ArgumentParser
import CommandLineSupport
import Diagnostics
import DomainNames
import URLPatterns

struct LinksResolve: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Show what a URL gets, without a server: a page, a redirect, or neither.",
        discussion: manual.discussion(
            "Decides as 'aasa serve' does for a browser. The captures of a page are shown decoded.")
    )

    static let manual = CommandManual(
        examples: [
            .init("aasa links resolve links.json https://go.example.com/summer", "resolve one URL"),
            .init(
                "aasa links resolve --format json links.json https://go.example.com/summer", "resolve it for a program"),
        ],
        exits: [
            .init(.done, "if the URLs were resolved, whatever the result"),
            .init(.usage, "if one of the URLs is not an http or https URL with a host"),
            .init(.unusableData, "if the file has errors"), .init(.missingFile, "if it cannot be read"),
        ],
        seeAlso: ["aasa-links-check(1)", "aasa-route(1)"])

    @Argument(help: ArgumentHelp("The links.json; - is standard input.", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: ArgumentHelp("The URLs.", valueName: "url"))
    var urls: [String]

    @Option(help: "Set the output format; json is one object per line.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    func run() throws {
        try CommandFailure.reporting(in: format.failures, "aasa links resolve", output, resolve)
    }

    private func resolve() throws {
        let input = try LinksInput(file, for: "aasa links resolve - URL")
        let (document, table) = try input.table(domain: nil)
        var results = StandardOutput()
        var isRefused = false
        for (number, url) in urls.enumerated() {
            if format == .text, number > 0 { results.write("") }
            guard let resolution = LinkResolution(url, document, table) else {
                isRefused = true
                let refusal = WebURL.refusal(of: url)
                results.write(
                    format == .text
                        ? "\(output.style.bold(VisibleText.escaped(url)))\n  \(VisibleText.escaped(refusal))"
                        : JSONOutput.object([
                            "version": .number(1), "url": .string(url), "error": .string(refusal),
                        ]).text)
                continue
            }
            if format == .json {
                results.write(resolution.json.text)
            } else {
                for line in resolution.lines(path: input.name, style: output.style) { results.write(line) }
            }
        }
        results.flush()
        if isRefused { throw ExitStatus.usage.code }
    }
}
