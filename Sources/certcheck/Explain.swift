import ArgumentParser
import CommandLineSupport
import Diagnostics
import PushCertificates

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain finding codes: what each means, why it matters, what to do.")

    @Argument(
        help: ArgumentHelp("Codes, e.g. expires-soon.", valueName: "code"),
        completion: .list(CodeDescription.all.map(\.code)))
    var codes: [String]

    @Option(help: "text or json.")
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
        let others = code.severities.dropFirst()
        let severities = ([code.shownSeverity(style)] + others).joined(separator: ", ")
        return ["\(style.bold(code.code)) (\(severities)): \(code.summary)", ""]
            + WrappedText.lines(code.reason, columns: columns)
            + [""] + WrappedText.lines("What to do: \(code.advice)", columns: columns)
    }

    private static func unknown(_ code: String) -> String {
        if ToolCodes.aasa.contains(code) { return "'\(code)' is a code of aasa; run 'aasa explain \(code)'" }
        let near = code.utf8.count > 64 ? nil : Spelling.closest(to: code, among: CodeDescription.all.map(\.code))
        return "unknown code \(quoted(code))"
            + (near.map { "; did you mean '\($0)'?" } ?? "; 'certcheck codes' lists them")
    }
}
