import ArgumentParser
import CommandLineSupport
import Diagnostics
import PushCertificates

struct Codes: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the codes of all that a check can say.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Option(help: "Output format; markdown is the table of the documentation.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func run() {
        let entries =
            CertificateFileError.Code.all.map {
                Entry(code: $0.description, severities: ["error"], summary: $0.summary)
            }
            + FindingCode.allCases.map {
                Entry(code: $0.rawValue, severities: $0.severities.map(\.rawValue), summary: $0.summary)
            }
        var results = StandardOutput(failure: CheckExit.failed.rawValue)
        switch format {
        case .text: for entry in entries { results.write(entry.line(output.style)) }
        case .markdown:
            results.write("| code | severity | says that |\n|---|---|---|")
            for entry in entries { results.write(entry.row) }
        case .json:
            let codes = JSONOutput.array(entries.map(\.json))
            results.write(
                JSONOutput.object(["version": .number(1), "tool": .string("certcheck"), "codes": codes]).text)
        }
        results.flush()
    }

    private struct Entry {
        let code: String
        let severities: [String]
        let summary: String

        var row: String { "| `\(code)` | \(severities.joined(separator: ", ")) | \(summary) |" }

        var json: JSONOutput {
            .object([
                "code": .string(code), "severities": .array(severities.map(JSONOutput.string)),
                "summary": .string(summary),
            ])
        }

        func line(_ style: TextStyle) -> String {
            let severity = severities.first ?? ""
            let gap = String(repeating: " ", count: max(1, 10 - severity.utf8.count))
            let shown =
                switch severity {
                case "error", "critical": style.red(severity)
                case "warning": style.yellow(severity)
                default: style.dim(severity)
                }
            let code = style.bold(code) + String(repeating: " ", count: max(1, 25 - code.utf8.count))
            return code + shown + gap + summary
        }
    }
}
