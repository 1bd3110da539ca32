import ArgumentParser
import CommandLineSupport
import Diagnostics
import PushCertificates

struct Codes: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "List every finding code.",
        discussion: manual.discussion("'certcheck explain CODE' explains one of them."))

    static let manual = CommandManual(
        examples: [.init("certcheck codes", "list the codes of findings")],
        exits: [.init(0, "if the list is complete")],
        diagnostics: {
            CertificateRules.catalogue.rules.map { code in
                let severities = code.severities.map(\.rawValue).joined(separator: ", ")
                return .init(code.code.rawValue, "\(code.summary) (\(severities))")
            }
        })

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    @Option(help: "Choose the output format; markdown is the table of the documentation.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    func run() {
        let codes = CertificateRules.catalogue.rules
        var results = StandardOutput(failure: CheckExit.failed.rawValue)
        switch format {
        case .text: for code in codes { results.write(Self.line(code, output.style)) }
        case .markdown:
            results.write("| code | severity | meaning |\n|---|---|---|")
            for code in codes {
                results.write(
                    "| `\(code.code)` | \(code.severities.map(\.rawValue).joined(separator: ", ")) | \(code.summary) |")
            }
        case .json:
            results.write(
                JSONOutput.object([
                    "version": .number(1), "tool": .string("certcheck"), "codes": .array(codes.map(\.json)),
                ]).text)
        }
        results.flush()
    }

    private static func line(_ code: RuleDescription, _ style: TextStyle) -> String {
        let gap = String(repeating: " ", count: max(1, 10 - code.severity.rawValue.utf8.count))
        let name =
            style.bold(code.code.rawValue)
            + String(repeating: " ", count: max(1, 25 - code.code.rawValue.utf8.count))
        return name + code.shownSeverity(style) + gap + code.summary
    }
}

extension RuleDescription {
    var json: JSONOutput {
        .object([
            "code": .string(code.rawValue), "severities": .array(severities.map { .string($0.rawValue) }),
            "summary": .string(summary), "reason": .string(reason), "advice": .optional(advice),
        ])
    }

    /// All severities, the usual one first.
    var severities: [Severity] { [severity] + otherSeverities }

    /// The usual one, in its color.
    func shownSeverity(_ style: TextStyle) -> String {
        switch severity {
        case .error, .critical: style.red(severity.rawValue)
        case .warning: style.yellow(severity.rawValue)
        case .note: style.dim(severity.rawValue)
        }
    }
}

struct Explain: ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain finding codes: what each means, why it matters, and what to do.",
        discussion: manual.discussion())

    static let manual = CommandManual(
        examples: [.init("certcheck explain expires-soon", "explain a code that a check has reported")],
        exits: [.init(0, "if the codes are known"), .init(3, "if one of them is not")])

    @Argument(
        help: ArgumentHelp("Codes, e.g. expires-soon.", valueName: "code"),
        completion: .list(CertificateRules.catalogue.rules.map(\.code.rawValue)))
    var codes: [String]

    @Option(help: "Choose the output format.")
    var format = ResultFormat.text

    @OptionGroup var output: OutputOptions

    func run() throws {
        let unknown = codes.filter { CertificateRules.catalogue[$0] == nil }
        guard unknown.isEmpty else {
            for code in unknown { StandardError.write("error: \(Self.unknown(code))") }
            throw CheckExit.failed
        }
        let descriptions = codes.compactMap { CertificateRules.catalogue[$0] }
        format.write(
            Array(descriptions.map(lines).joined(separator: [""])),
            json: JSONOutput.object([
                "version": .number(1), "tool": .string("certcheck"), "codes": .array(descriptions.map(\.json)),
            ]).text)
    }

    private func lines(_ code: RuleDescription) -> [String] {
        let style = output.style
        let columns = min(output.width ?? 80, 100)
        let others = code.otherSeverities.map(\.rawValue)
        let severities = ([code.shownSeverity(style)] + others).joined(separator: ", ")
        return ["\(style.bold(code.code.rawValue)) (\(severities)): \(code.summary)", ""]
            + WrappedText.lines(code.reason, columns: columns)
            + [""] + WrappedText.lines("What to do: \(code.advice ?? "")", columns: columns)
    }

    private static func unknown(_ code: String) -> String {
        if ToolCodes.aasa.contains(code) { return "'\(code)' is a code of aasa; run 'aasa explain \(code)'" }
        let near =
            code.utf8.count > 64
            ? nil : Spelling.closest(to: code, among: CertificateRules.catalogue.rules.map(\.code.rawValue))
        return "unknown code \(quoted(code))"
            + (near.map { "; did you mean '\($0)'?" } ?? "; 'certcheck codes' lists them")
    }
}
