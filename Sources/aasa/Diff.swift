import AppSiteAssociation
import ArgumentParser
import AssociationLint
import CommandLineSupport
import Diagnostics
import UniversalLinks

struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says which links change when a file replaces another.",
        discussion: """
            Compares what the files mean, not how they are written: for every URL whether it opens, and which apps. Each \
            change is shown with a URL that proves it. Exit 0 if no link changes, 1 if some do, 65 if a file is no sound \
            JSON, 66 if one cannot be read. Changes of services that have no links are noted and do not count.
            """
    )

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: ArgumentHelp("The association file that is replaced; - is standard input.", valueName: "old"),
        completion: .file())
    var old: String

    @Argument(
        help: ArgumentHelp("The association file that replaces it; - is standard input.", valueName: "new"),
        completion: .file())
    var new: String

    @Option(
        help: ArgumentHelp(
            "The domain of the files, like example.com or *.example.com, for the URLs that are shown.",
            valueName: "host"))
    var domain: String?

    @Option(help: "text or json.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if old == "-", new == "-" { throw ValidationError("standard input cannot be both files; name one of them") }
        _ = try host
    }

    /// The host of the URLs; with a wildcard one of the hosts that it stands for.
    private var host: String {
        get throws {
            guard let domain else { return "example.com" }
            do throws(RouterError) {
                let name = try DomainName(domain)
                return name.isWildcard ? "www.\(name.ascii)" : name.ascii
            } catch {
                throw ValidationError("--domain: \(error)")
            }
        }
    }

    func run() throws {
        let oldDocument = try AssociationFile.read(old, output)
        let newDocument = try AssociationFile.read(new, output)
        let comparison = LinkComparison(old: oldDocument, new: newDocument, host: try host)
        var results = StandardOutput()
        switch format {
        case .json: results.write(DiffJSONReport.text(comparison))
        case .text:
            let report = DiffTextReport(
                oldPath: oldDocument.source.path, newPath: newDocument.source.path, style: output.style)
            for line in report.lines(comparison) { results.write(line) }
        }
        results.flush()
        if !comparison.isWithoutChange { throw ExitStatus.failed.code }
    }
}
