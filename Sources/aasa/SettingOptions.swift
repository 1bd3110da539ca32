import ArgumentParser
import AssociationLint
import Diagnostics
import Synchronization

/// How bad which findings are: `--disable` and `--severity`, of which the last wins.
struct SettingOptions: ParsableArguments {
    /// One of the options, with its place among them.
    struct Choice: Sendable {
        let order: Int
        let code: String
        let setting: LintOptions.Setting
    }

    @Option(
        help: ArgumentHelp("Do not report CODE (repeatable, or separated by commas).", valueName: "code"),
        transform: SettingOptions.disabled)
    var disable: [[Choice]] = []

    @Option(
        help: ArgumentHelp(
            "Override the severity of CODE: CODE=error|warning|off (repeatable; last one wins).",
            valueName: "code=severity"),
        transform: SettingOptions.severity)
    var severity: [[Choice]] = []

    var settings: [DiagnosticCode: LintOptions.Setting] {
        let choices = (disable + severity).flatMap { $0 }.sorted { $0.order < $1.order }
        return Dictionary(
            choices.map { (DiagnosticCode(rawValue: $0.code), $0.setting) }, uniquingKeysWith: { _, last in last })
    }

    /// What is said about the codes that stay errors whatever is said, sorted by code.
    var objections: [String] {
        let codes = settings.filter { $0.value != .error }.keys.sorted { $0.rawValue < $1.rawValue }
        return codes.compactMap(RuleRegistry.objection)
    }

    static func systemVersion(_ text: String) throws -> SystemVersion {
        guard let version = SystemVersion(text) else {
            throw ValidationError("'\(text)' is not a version of iOS; write it as 13.0")
        }
        return version
    }

    private static func disabled(_ codes: String) throws -> [Choice] {
        try parts(codes).map { Choice(order: nextOrder(), code: try known($0), setting: .off) }
    }

    private static func severity(_ settings: String) throws -> [Choice] {
        try parts(settings).map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let setting = LintOptions.Setting(rawValue: parts[1]) else {
                throw ValidationError(
                    "\(quoted(text)) is not a severity of a code; write CODE=error, CODE=warning or CODE=off")
            }
            return Choice(order: nextOrder(), code: try known(parts[0]), setting: setting)
        }
    }

    /// What is between commas; a comma at the end adds nothing.
    private static func parts(_ list: String) -> [String] {
        let parts = list.split(separator: ",").map(String.init)
        return parts.isEmpty ? [list] : parts
    }

    private static func known(_ code: String) throws -> String {
        guard RuleRegistry.description(of: code) == nil else { return code }
        throw ValidationError("unknown code \(quoted(code))\(UnknownCode.hint(code))")
    }

    /// The options are read from left to right.
    private static let count = Atomic(0)

    private static func nextOrder() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// What to say to somebody who has mistyped a code.
enum UnknownCode {
    static func hint(_ code: String) -> String {
        let near = RuleRegistry.codes(near: code).map { "'\($0)'" }
        return near.isEmpty ? "; 'aasa rules' lists them" : "; did you mean \(near.joined(separator: " or "))?"
    }
}
