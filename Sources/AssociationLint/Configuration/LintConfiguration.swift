public import Diagnostics
internal import JSONSyntax
internal import URLPatterns

/// The settings of `.aasa.json` (validation.md, 4).
public struct LintConfiguration: Sendable {
    /// The name of the file.
    public static let fileName = ".aasa.json"

    /// A key of the file, as its reader and its manual page know it.
    package struct Key: Sendable {
        /// The path of keys to the setting, as `ignore.code`.
        package let path: String
        /// The values that it takes, in Markdown.
        package let expected: String
        /// The purpose of the key, in Markdown.
        package let meaning: String
    }

    package static let keys = [
        Key(
            path: "minimumIOS", expected: "a string with a version, such as `\"13.0\"`",
            meaning: "The oldest iOS version that the files support."),
        Key(
            path: "severity", expected: "an object of codes and `\"error\"`, `\"warning\"` or `\"off\"`",
            meaning: "The severity of findings, by code."),
        Key(path: "ignore", expected: "an array of objects", meaning: "Findings to suppress."),
        Key(path: "ignore.code", expected: "a string; required", meaning: "The code of the findings."),
        Key(
            path: "ignore.path", expected: "a string (default: all files)",
            meaning: """
                A glob for the files, relative to the folder of this file. `*` matches within a folder, `**` across \
                folders. For `aasa doctor`, files on a host are named `HOST/PATH`.
                """),
        Key(
            path: "ignore.pointer", expected: "a string such as `\"/applinks/details/0\"` (default: everything)",
            meaning: "A JSON pointer; findings about its value, and everything in it, are suppressed."),
        Key(path: "ignore.reason", expected: "a string; required", meaning: "The reason for suppressing them."),
    ]

    /// The names of the keys in the object at a path.
    fileprivate static func keys(in path: String = "") -> [String] {
        let start = path.isEmpty ? "" : "\(path)."
        return keys.map(\.path).filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
            .filter { !$0.contains(".") }
    }

    /// An entry of `ignore`.
    public struct Entry: Sendable {
        public let ignore: Ignore
        /// Which files, relative to the folder of `.aasa.json`; nil is all.
        public let path: Glob?
        /// Where it is in `.aasa.json`.
        public let range: SourceRange
    }

    public let source: SourceText
    /// The findings about it. The rest is still used.
    public let diagnostics: [Diagnostic]
    public let minimumIOS: SystemVersion?
    public let settings: [DiagnosticCode: LintOptions.Setting]
    public let entries: [Entry]
    /// Whether its file could be read.
    package let isRead: Bool

    /// The findings to ignore in a file.
    ///
    /// - Parameter path: The file's path, relative to the folder of `.aasa.json`, with `/` between its parts.
    public func ignores(forFileAt path: String) -> [Ignore] {
        entries.filter { $0.path?.matches(path) ?? true }.map(\.ignore)
    }

    /// A finding for each entry that covered nothing in the files it is about.
    package func findings(unused: Set<Ignore>) -> [Diagnostic] {
        entries.filter { unused.contains($0.ignore) }.map { entry in
            Diagnostic(
                .unusedSuppression,
                "unused suppression: no \(quoted(entry.ignore.code.rawValue)) finding matches this entry",
                range: entry.range, pointer: entry.ignore.entry,
                notes: ["the entry's reason is \(quoted(entry.ignore.reason))"])
        }
    }

    /// All findings about it: its mistakes, and the entries that covered nothing.
    ///
    /// - Parameters:
    ///   - unused: The ignores of these entries.
    ///   - options: What wins over the settings of this configuration.
    public func findings(unused: Set<Ignore>, _ options: LintOptions) -> [Diagnostic] {
        let merged = LintOptions(settings: settings.merging(options.settings) { _, option in option })
        let severities = merged.severities
        // What an option has turned off could not be found.
        let reported = unused.filter { options.settings[$0.code] != .off }
        let findings = (diagnostics + findings(unused: reported)).compactMap { finding -> Diagnostic? in
            guard let severity = severities[finding.code] else { return nil }
            var finding = finding
            finding.severity = severity
            return finding
        }
        return findings.sorted { ($0.range.start, $0.range.end) < ($1.range.start, $1.range.end) }
    }
}

extension LintConfiguration {
    /// Reads `.aasa.json`; what is wrong with it is in the diagnostics, and never keeps the rest from being used.
    ///
    /// - Parameter rules: The rules whose codes it may name; a program gives all of its own.
    public init(_ bytes: [UInt8], path: String, rules: RuleCatalogue = RuleRegistry.catalogue) {
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        var reader = LintConfigurationReader(rules: rules, diagnostics: json.findings)
        if json.isTreeReliable, let root = json.root { reader.read(root) }
        source = json.source
        diagnostics = reader.diagnostics.sorted { $0.range.start < $1.range.start }
        minimumIOS = reader.minimumIOS
        settings = reader.settings
        entries = reader.entries
        isRead = true
    }

    /// A configuration that is there, but cannot be read.
    ///
    /// - Parameter reason: A clause that says why.
    public init(unreadable reason: String, path: String) {
        source = SourceText([], path: path)
        diagnostics = [
            Diagnostic(
                .invalidConfigValue, "the file cannot be read: \(reason)", pointer: "")
        ]
        minimumIOS = nil
        settings = [:]
        entries = []
        isRead = false
    }
}

/// Reads the parts of `.aasa.json` and finds all that is wrong with them.
private struct LintConfigurationReader {
    private let rules: RuleCatalogue
    var diagnostics: [Diagnostic]
    var minimumIOS: SystemVersion?
    var settings: [DiagnosticCode: LintOptions.Setting] = [:]
    var entries: [LintConfiguration.Entry] = []

    init(rules: RuleCatalogue, diagnostics: [Diagnostic]) {
        self.rules = rules
        self.diagnostics = diagnostics
    }

    mutating func read(_ root: JSONNode) {
        let start = JSONPointer()
        guard let object = object(root, start, known: LintConfiguration.keys()) else { return }
        if let node = object["minimumIOS"] { readMinimumIOS(node, start.member("minimumIOS")) }
        if let node = object["severity"] { readSeverities(node, start.member("severity")) }
        if let node = object["ignore"] { readIgnores(node, start.member("ignore")) }
    }

    private mutating func readMinimumIOS(_ node: JSONNode, _ pointer: JSONPointer) {
        guard let text = node.string?.text else {
            return problem(node, pointer, "'minimumIOS' is \(node.kind); expected a string like \"13.0\"")
        }
        minimumIOS = SystemVersion(text)
        if minimumIOS == nil {
            problem(node, pointer, "'minimumIOS' is \(quoted(text)); expected a version like \"13.0\"")
        }
    }

    private mutating func readSeverities(_ node: JSONNode, _ pointer: JSONPointer) {
        guard let object = node.object else {
            return problem(
                node, pointer, "'severity' is \(node.kind); expected an object like {\"odd-team-prefix\": \"off\"}")
        }
        for member in object.members {
            let here = pointer.member(member.key.text)
            guard let code = code(member.key.text, member.keyRange, here) else { continue }
            if let text = member.value.string?.text, let setting = LintOptions.Setting(rawValue: text) {
                settings[code] = setting
            } else {
                let got = member.value.string.map { quoted($0.text) } ?? member.value.kind
                problem(
                    member.value, here,
                    "the severity of '\(code)' is \(got); expected \"error\", \"warning\" or \"off\"")
            }
        }
    }

    private mutating func readIgnores(_ node: JSONNode, _ pointer: JSONPointer) {
        guard let array = node.array else {
            return problem(node, pointer, "'ignore' is \(node.kind); expected an array of objects")
        }
        for (index, node) in array.enumerated() { readIgnore(node, pointer.element(index)) }
    }

    private mutating func readIgnore(_ node: JSONNode, _ pointer: JSONPointer) {
        guard let object = object(node, pointer, known: LintConfiguration.keys(in: "ignore")) else { return }
        func text(_ key: String) -> String? { object[key]?.string?.text }
        for key in LintConfiguration.keys(in: "ignore") {
            if let value = object[key], value.string == nil {
                problem(value, pointer.member(key), "'\(key)' is \(value.kind); expected a string")
            }
        }
        guard let name = object["code"] else {
            return problem(node, pointer, "this entry has no 'code' to ignore")
        }
        let reason = text("reason") ?? ""
        let hasReason = !reason.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
        if !hasReason, object["reason"] == nil || object["reason"]?.string != nil {
            problem(node, pointer, "this entry has no 'reason' for ignoring the finding")
        }
        let isPointer = text("pointer").map { $0.isEmpty || $0.utf8.first == UInt8(ascii: "/") } ?? true
        if !isPointer, let value = object["pointer"], let start = text("pointer") {
            problem(
                value, pointer.member("pointer"),
                "'pointer' is \(quoted(start)); expected one like \"/applinks/details/0\"")
        }
        // Without what narrows it an entry would ignore more than was meant.
        let isNarrowed = isPointer && ["path", "pointer"].allSatisfy { object[$0] == nil || text($0) != nil }
        guard let code = name.string.flatMap({ code($0.text, name.range, pointer.member("code")) }), hasReason,
            isNarrowed
        else { return }
        entries.append(
            LintConfiguration.Entry(
                ignore: Ignore(
                    code: code, pointer: text("pointer"), reason: reason, entry: pointer.description),
                path: text("path").map(Glob.init), range: node.range))
    }

    /// The code of a name, if it is one that can be changed.
    private mutating func code(_ name: String, _ range: SourceRange, _ pointer: JSONPointer) -> DiagnosticCode? {
        guard let rule = rules[name] else {
            let near = rules.codes(near: name).first
            let hint = near.map { "; did you mean '\($0)'?" } ?? "; 'aasa rules' lists them"
            report(
                .invalidConfigValue, range, pointer, "unknown code \(quoted(name))\(hint)",
                near.map { FixIt.writing("\"\($0)\"", at: range) })
            return nil
        }
        if let objection = RuleRegistry.objection(toChanging: rule.code) {
            report(.invalidConfigValue, range, pointer, objection)
            return nil
        }
        return rule.code
    }

    private mutating func object(_ node: JSONNode, _ pointer: JSONPointer, known: [String]) -> JSONObject? {
        guard let object = node.object else {
            problem(node, pointer, "expected an object, not \(node.kind)")
            return nil
        }
        for unknown in object.unknownKeys(besides: known) {
            let key = unknown.key
            guard key != "$schema", key != "//", key != "comment", !key.hasPrefix("_") else { continue }
            report(
                .unknownConfigKey, unknown.range, pointer.member(key),
                unknown.message(otherwise: "; known keys are \(known.joined(separator: ", "))"), unknown.fix)
        }
        return object
    }

    private mutating func problem(_ node: JSONNode, _ pointer: JSONPointer, _ message: String) {
        report(.invalidConfigValue, node.range, pointer, message)
    }

    private mutating func report(
        _ rule: RuleDescription, _ range: SourceRange, _ pointer: JSONPointer, _ message: String, _ fix: FixIt? = nil
    ) {
        diagnostics.append(
            Diagnostic(
                rule, message, range: range, pointer: pointer.description, fixIts: fix.map { [$0] } ?? []))
    }
}

extension RuleDescription {
    static let unusedSuppression = RuleDescription(
        "unused-suppression", .warning, subject: .lintConfiguration,
        summary: "an entry of 'ignore' in '.aasa.json' matches no finding",
        reason: """
            The finding has been fixed or has moved. Only entries that apply to a checked file are reported.
            """, basis: [.lint],
        bad: #"{ "ignore": [⟦{ "code": "missing-rules", "reason": "fixed long ago" }⟧] }"# + "\n",
        good: #"{ "ignore": [] }"# + "\n")
}

/// A pattern for paths: `*` and `?` stay within a part of the path, `**` is any number of parts.
public struct Glob: Hashable, Sendable {
    private let parts: [[UInt8]]

    public init(_ pattern: String) {
        parts = Self.split(pattern)
    }

    /// Whether the pattern covers the whole path; a pattern without a slash is about a name in any folder.
    public func matches(_ path: String) -> Bool {
        let path = Self.split(path)
        if parts.count == 1, parts[0] != Self.anyParts {
            return path.last.map { Wildcards.matches(parts[0], $0) } ?? false
        }
        // The parts that can have been matched so far: time is pattern times path, whatever they are.
        var reached: Set<Int> = [0]
        for part in parts {
            guard let first = reached.min() else { return false }
            if part == Self.anyParts {
                reached = Set(first...path.count)
            } else {
                reached = Set(reached.filter { $0 < path.count && Wildcards.matches(part, path[$0]) }.map { $0 + 1 })
            }
        }
        return reached.contains(path.count)
    }

    private static let anyParts = Array("**".utf8)

    private static func split(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
    }
}
