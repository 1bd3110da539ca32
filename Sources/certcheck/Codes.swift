import ArgumentParser
import CommandLineSupport
import Diagnostics
import PushCertificates

struct Codes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List every finding code.",
        discussion: "'certcheck explain CODE' says more about one of them.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Option(help: "Output format; markdown is the table of the documentation.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func run() {
        let codes = CodeDescription.all
        var results = StandardOutput(failure: CheckExit.failed.rawValue)
        switch format {
        case .text: for code in codes { results.write(Self.line(code, output.style)) }
        case .markdown:
            results.write("| code | severity | meaning |\n|---|---|---|")
            for code in codes {
                results.write("| `\(code.code)` | \(code.severities.joined(separator: ", ")) | \(code.summary) |")
            }
        case .json:
            results.write(
                JSONOutput.object([
                    "version": .number(1), "tool": .string("certcheck"), "codes": .array(codes.map(\.json)),
                ]).text)
        }
        results.flush()
    }

    private static func line(_ code: CodeDescription, _ style: TextStyle) -> String {
        let gap = String(repeating: " ", count: max(1, 10 - (code.severities.first ?? "").utf8.count))
        let name = style.bold(code.code) + String(repeating: " ", count: max(1, 25 - code.code.utf8.count))
        return name + code.shownSeverity(style) + gap + code.summary
    }
}

extension CodeDescription {
    var json: JSONOutput {
        .object([
            "code": .string(code), "severities": .array(severities.map(JSONOutput.string)),
            "summary": .string(summary), "reason": .string(reason), "advice": .string(advice),
        ])
    }

    /// The usual one, in its colour.
    func shownSeverity(_ style: TextStyle) -> String {
        let severity = severities.first ?? ""
        return switch severity {
        case "error", "critical": style.red(severity)
        case "warning": style.yellow(severity)
        default: style.dim(severity)
        }
    }
}
