import ArgumentParser
import CommandLineSupport
import Diagnostics

/// The format of a command whose result is text for people or a JSON object.
enum ResultFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    /// The format in which the command says why it cannot do its work.
    var failures: CommandFailure.Format { self == .json ? .json : .text }

    /// Writes the result of a command: its lines, or, for a program, one object with these members.
    func print(_ lines: @autoclosure () -> [String], json members: @autoclosure () -> [String: JSONOutput]) {
        guard self == .json else { return StandardOutput.print(lines()) }
        StandardOutput.print([JSONOutput.object(members().merging(["version": .number(1)]) { first, _ in first }).text])
    }
}

/// Why a command cannot do its work: a file that it needs cannot be read or used.
///
/// It is printed on standard error, and in the formats for programs on standard output too, so that a program that reads those
/// never takes silence for success.
struct CommandFailure: Error {
    /// The format in which a command writes its results.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, github, junit
    }

    /// The code of a failure; that of an unreadable file is one of `aasa rules`.
    enum Code: String {
        case unreadableFile = "unreadable-file"
        /// The findings say why.
        case unusableFile = "unusable-file"
        case unwritableFile = "unwritable-file"
        case missingLibrary = "missing-library"
        case usage
        /// A store that cannot be used for a reason that no rule is about.
        case unusableStore = "unusable-store"
        case storeUnreachable = "store-unreachable"
        case storeNotInitialised = "store-not-initialised"
        case storeSchemaNewer = "store-schema-newer"
        case storeSchemaOlder = "store-schema-older"
        case storePermissionDenied = "store-permission-denied"
        /// The store does not have the file or the version.
        case notInStore = "not-in-store"
    }

    let status: ExitStatus
    let code: Code
    /// One clause, lower case, without a final period.
    let message: String
    var help: String?
    /// The file that it is about, as messages call it.
    var path: String?
    /// The findings in the file.
    var report: FileReport?
    /// The findings in several files that were shown before.
    var shown: [FileReport] = []

    /// A file that cannot be read.
    ///
    /// - Parameter command: The command with `-` for the file.
    static func unreadable(_ path: String, _ reason: String, for command: String) -> CommandFailure {
        let (message, help) = FileArgument(path).failure(reason, for: command)
        return CommandFailure(
            status: .missingFile, code: .unreadableFile, message: message, help: help, path: InputFile.name(path))
    }

    /// A file whose findings make it unusable.
    static func unusable(_ report: FileReport) -> CommandFailure {
        let path = report.source.path
        return CommandFailure(
            status: .unusableData, code: .unusableFile, message: "'\(path)' cannot be used because of its errors",
            path: path, report: report)
    }

    /// An option that does not fit to what was read.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(status: .usage, code: .usage, message: message)
    }

    /// Runs a command; says why it cannot do its work, if it cannot.
    static func reporting(
        in format: Format, _ tool: String, _ output: OutputOptions, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let failure as CommandFailure {
            failure.write(output)
            if let text = failure.text(in: format, tool) { StandardOutput.print([text]) }
            throw failure.status.code
        }
    }

    /// Says it to a person.
    private func write(_ output: OutputOptions) {
        guard let report else {
            StandardError.write("error: \(message)")
            if let help { StandardError.write("help: \(help)") }
            return
        }
        let renderer = TextRenderer(style: output.errorStyle, width: output.errorWidth)
        for line in report.diagnostics.flatMap({ renderer.render($0, in: report.source) }) {
            StandardError.writeShown(line)
        }
    }

    private func text(in format: Format, _ tool: String) -> String? {
        switch format {
        case .text: nil
        case .json: json(tool: "aasa")
        case .github:
            if let report {
                GitHubRenderer().render(Report([report], fileCount: 1))
            } else {
                GitHubRenderer().command(.error, path: path, message: [message, help].compactMap { $0 })
            }
        case .junit:
            JUnitReport(
                name: tool,
                suites: [
                    JUnitReport.Suite(
                        name: path ?? tool,
                        cases: [
                            JUnitReport.Case(
                                name: tool, className: path ?? tool, result: .error(message, details))
                        ])
                ]
            ).text
        }
    }

    private var details: String {
        guard let report else { return help ?? "" }
        return report.diagnostics.map { $0.line(in: report.source) }.joined(separator: "\n")
    }

    /// The object that programs read.
    func json(tool: String) -> String {
        let findings = ([report].compactMap { $0 } + shown).flatMap { report in
            report.diagnostics.map { JSONOutput.object($0.members(in: report.source)) }
        }
        return JSONOutput.object([
            "version": .number(1), "tool": .string(tool),
            "error": .object([
                "code": .string(code.rawValue), "message": .string(message), "help": .optional(help),
                "path": .optional(path), "exitCode": .number(Int(status.rawValue)), "diagnostics": .array(findings),
            ]),
        ]).text
    }
}
