import ArgumentParser
import CommandLineSupport
import Diagnostics
import DomainDoctor

/// Why `aasa doctor` checks nothing. It says so in every format in which silence would be taken for success.
struct DoctorFailure: Error {
    enum Code: String {
        case usage
        case unusableFile = "unusable-file"
        case unreadableFile = "unreadable-file"
        case missingLibrary = "missing-library"

        var status: ExitStatus {
            switch self {
            case .usage: .usage
            case .unusableFile: .unusableData
            case .unreadableFile: .missingFile
            case .missingLibrary: .unavailable
            }
        }
    }

    struct Reason {
        /// One clause.
        let message: String
        /// The file that it is about, with the line and column if they are known.
        var place: String?
        var path: String?
        var help: String?

        init(_ message: String, place: String? = nil, path: String? = nil, help: String? = nil) {
            (self.message, self.place, self.path, self.help) = (message, place, path, help)
        }

        var line: String { (place.map { "\($0): " } ?? "") + "error: \(message)" }
    }

    let code: Code
    let reasons: [Reason]

    init(_ code: Code, _ reasons: [Reason]) { (self.code, self.reasons) = (code, reasons) }

    init(_ code: Code, _ message: String, path: String? = nil, help: String? = nil) {
        self.init(code, [Reason(message, path: path, help: help)])
    }

    /// Writes why.
    ///
    /// - Returns: what to end with.
    func report(in format: DoctorOutputOptions.Format) -> ExitCode {
        for reason in reasons {
            StandardError.write(reason.line)
            if let help = reason.help { StandardError.write("help: \(help)") }
        }
        if code == .usage { StandardError.write("help: see 'aasa doctor --help'") }
        let lines: [String] =
            switch format {
            case .text, .sarif, .prometheus: []
            case .json, .jsonl: [json]
            case .github:
                reasons.map { reason in
                    GitHubRenderer().command(
                        .error, path: reason.path, title: code.rawValue,
                        message: [reason.message] + (reason.help.map { ["help: \($0)"] } ?? []))
                }
            case .nagios: [DoctorNagiosReport.unknown(reasons.map(\.shown).joined(separator: "; "))]
            }
        var results = StandardOutput()
        for line in lines { results.write(line) }
        results.flush()
        return format == .nagios && code != .usage
            ? ExitCode(DoctorNagiosReport.State.unknown.rawValue) : code.status.code
    }

    private var json: String {
        JSONOutput.object([
            "version": .number(1), "tool": .string("aasa doctor"),
            "error": .object([
                "code": .string(code.rawValue), "message": .string(reasons.map(\.shown).joined(separator: "; ")),
                "help": .optional(reasons.first?.help), "path": .optional(reasons.first?.path),
                "diagnostics": .array([]), "exitCode": .number(Int(code.status.rawValue)),
            ]),
        ]).text
    }
}

extension DoctorFailure.Reason {
    /// Without the word that says that it is an error.
    fileprivate var shown: String { (place.map { "\($0): " } ?? "") + message }
}
