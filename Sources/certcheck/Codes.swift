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
            CodeDescription.all.map { code in
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
        let codes = CodeDescription.all
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

    private static func line(_ code: CodeDescription, _ style: TextStyle) -> String {
        let gap = String(repeating: " ", count: max(1, 10 - code.usualSeverity.rawValue.utf8.count))
        let name =
            style.bold(code.code.rawValue)
            + String(repeating: " ", count: max(1, 25 - code.code.rawValue.utf8.count))
        return name + code.shownSeverity(style) + gap + code.summary
    }
}

extension CodeDescription {
    var json: JSONOutput {
        .object([
            "code": .string(code.rawValue), "severities": .array(severities.map { .string($0.rawValue) }),
            "summary": .string(summary), "reason": .string(reason), "advice": .string(advice),
        ])
    }

    var usualSeverity: Severity { severities.first ?? .note }

    /// The usual one, in its color.
    func shownSeverity(_ style: TextStyle) -> String {
        switch usualSeverity {
        case .error, .critical: style.red(usualSeverity.rawValue)
        case .warning: style.yellow(usualSeverity.rawValue)
        case .note: style.dim(usualSeverity.rawValue)
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
        completion: .list(CodeDescription.all.map(\.code.rawValue)))
    var codes: [String]

    @Option(help: "Choose the output format.")
    var format = Format.text

    @OptionGroup var output: OutputOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    func run() throws {
        let unknown = codes.filter { CodeDescription.of($0) == nil }
        guard unknown.isEmpty else {
            for code in unknown { StandardError.write("error: \(Self.unknown(code))") }
            throw CheckExit.failed
        }
        let descriptions = codes.compactMap(CodeDescription.of)
        var results = StandardOutput(failure: CheckExit.failed.rawValue)
        switch format {
        case .json:
            results.write(
                JSONOutput.object([
                    "version": .number(1), "tool": .string("certcheck"), "codes": .array(descriptions.map(\.json)),
                ]).text)
        case .text:
            for (number, description) in descriptions.enumerated() {
                if number > 0 { results.write("") }
                for line in lines(description) { results.write(line) }
            }
        }
        results.flush()
    }

    private func lines(_ code: CodeDescription) -> [String] {
        let style = output.style
        let columns = min(output.width ?? 80, 100)
        let others = code.severities.dropFirst().map(\.rawValue)
        let severities = ([code.shownSeverity(style)] + others).joined(separator: ", ")
        return ["\(style.bold(code.code.rawValue)) (\(severities)): \(code.summary)", ""]
            + WrappedText.lines(code.reason, columns: columns)
            + [""] + WrappedText.lines("What to do: \(code.advice)", columns: columns)
    }

    private static func unknown(_ code: String) -> String {
        if ToolCodes.aasa.contains(code) { return "'\(code)' is a code of aasa; run 'aasa explain \(code)'" }
        let near =
            code.utf8.count > 64 ? nil : Spelling.closest(to: code, among: CodeDescription.all.map(\.code.rawValue))
        return "unknown code \(quoted(code))"
            + (near.map { "; did you mean '\($0)'?" } ?? "; 'certcheck codes' lists them")
    }
}
