internal import BoundedText

/// Findings in the Static Analysis Results Interchange Format, SARIF 2.1.0: one run with all rules.
package struct SARIFRenderer {
    private let rules: [RuleDescription]
    private let toolVersion: String
    private let artifact: SARIFArtifact

    /// - Parameters:
    ///   - rules: All rules there are.
    ///   - toolVersion: The version of the tool, as `1.0.0`.
    ///   - root: The absolute path of the folder that `%SRCROOT%` stands for, such as the root of the repository: a path in it
    ///     is written relative to it, any other as a file URI. If it is nil, that is the folder that relative paths start from,
    ///     wherever it is.
    ///   - workingDirectory: The absolute path of the folder that relative paths start from, if it is not the root.
    package init(
        rules: [RuleDescription], toolVersion: String, root: String? = nil, workingDirectory: String? = nil
    ) {
        self.rules = rules
        self.toolVersion = toolVersion
        self.artifact = SARIFArtifact(root: root, workingDirectory: workingDirectory)
    }

    package func render(_ report: Report) -> String {
        let indices = Dictionary(rules.enumerated().map { ($1.code, $0) }, uniquingKeysWith: { first, _ in first })
        let hasSuppressions = report.files.contains { !$0.suppressed.isEmpty }
        let results = report.files.flatMap { file in
            var results = SARIFResults(
                file, location: artifact.location(file.source.path), ruleIndices: indices,
                hasSuppressions: hasSuppressions)
            return results.results()
        }
        let run: [String: JSONOutput] = [
            "tool": .object(["driver": driver]), "columnKind": .string("unicodeCodePoints"),
            // As SourcePosition counts lines.
            "newlineSequences": .array(["\r\n", "\n", "\r"].map(JSONOutput.string)),
            "results": .array(results),
        ]
        return JSONOutput.object([
            "$schema": .string("https://json.schemastore.org/sarif-2.1.0.json"), "version": .string("2.1.0"),
            "runs": .array([.object(run)]),
        ]).text
    }

    private var driver: JSONOutput {
        .object([
            "name": .string("aasa"), "version": .string(toolVersion), "semanticVersion": .string(toolVersion),
            "rules": .array(rules.map(\.sarif)),
        ])
    }
}

/// The SARIF `result` objects of one file.
struct SARIFResults {
    private let file: FileReport
    private let location: JSONOutput
    private let columns: CharacterColumns
    private let ruleIndices: [DiagnosticCode: Int]
    private let hasSuppressions: Bool
    private var fingerprints: [SARIFFingerprint: Int] = [:]

    /// - Parameters:
    ///   - location: The `artifactLocation` of the file.
    ///   - hasSuppressions: Whether any result of the run is suppressed: then all say whether they are (SARIF 2.1.0, 3.27.23).
    init(
        _ file: FileReport, location: JSONOutput, ruleIndices: [DiagnosticCode: Int], hasSuppressions: Bool
    ) {
        self.file = file
        self.location = location
        self.columns = CharacterColumns(file.source)
        self.ruleIndices = ruleIndices
        self.hasSuppressions = hasSuppressions
    }

    mutating func results() -> [JSONOutput] {
        file.diagnostics.map { result($0, suppressions: []) }
            + file.suppressed.map { suppressed in
                let suppression: [String: JSONOutput] = [
                    "kind": .string("external"), "justification": .string(suppressed.reason),
                ]
                return result(suppressed.diagnostic, suppressions: [.object(suppression)])
            }
    }

    private mutating func result(_ diagnostic: Diagnostic, suppressions: [JSONOutput]) -> JSONOutput {
        let message = ([diagnostic.message] + diagnostic.notes).joined(separator: "\n")
        var members: [String: JSONOutput] = [
            "ruleId": .string(diagnostic.code.rawValue), "level": .string(diagnostic.severity.sarifLevel),
            "message": .object(["text": .string(SARIFMessage.text(message))]),
            "locations": .array([locationObject(diagnostic)]),
            "partialFingerprints": .object(["codePointerValue/v1": .string(fingerprint(diagnostic))]),
        ]
        if let index = ruleIndices[diagnostic.code] { members["ruleIndex"] = .number(index) }
        let related = diagnostic.labels.map(related)
        if !related.isEmpty { members["relatedLocations"] = .array(related) }
        let fixes = file.isConverted ? [] : diagnostic.fixIts.compactMap(fix)
        if !fixes.isEmpty { members["fixes"] = .array(fixes) }
        if hasSuppressions { members["suppressions"] = .array(suppressions) }
        return .object(members)
    }

    /// The hash, and which of those with this hash in the file it is.
    private mutating func fingerprint(_ diagnostic: Diagnostic) -> String {
        let fingerprint = SARIFFingerprint(diagnostic, in: file.source)
        fingerprints[fingerprint, default: 0] += 1
        return "\(fingerprint.text):\(fingerprints[fingerprint] ?? 1)"
    }

    private func locationObject(_ diagnostic: Diagnostic) -> JSONOutput {
        guard case .text = diagnostic.subject else {
            return .object(["physicalLocation": .object(["artifactLocation": location])])
        }
        var region = region(diagnostic.range)
        if let text = snippet(diagnostic.range) { region["snippet"] = .object(["text": .string(text)]) }
        var object: [String: JSONOutput] = [
            "physicalLocation": .object(["artifactLocation": location, "region": .object(region)])
        ]
        if let label = diagnostic.label {
            object["message"] = .object(["text": .string(SARIFMessage.text(label))])
        }
        if let pointer = diagnostic.pointer, !pointer.isEmpty {
            object["logicalLocations"] = .array([.object(["fullyQualifiedName": .string(pointer)])])
        }
        return .object(object)
    }

    /// A secondary range with its text (SARIF 2.1.0, 3.27.22).
    private func related(_ label: Diagnostic.Label) -> JSONOutput {
        .object([
            "physicalLocation": .object(["artifactLocation": location, "region": .object(region(label.range))]),
            "message": .object(["text": .string(SARIFMessage.text(label.text))]),
        ])
    }

    private func region(_ range: SourceRange) -> [String: JSONOutput] {
        let start = file.source.position(at: range.start)
        let end = file.source.position(at: max(range.start, range.end))
        var region: [String: JSONOutput] = [
            "startLine": .number(start.line), "startColumn": .number(columns.column(start)),
            "endLine": .number(end.line), "endColumn": .number(columns.column(end)),
        ]
        // Offsets count the file's own bytes.
        if !file.isConverted {
            region["byteOffset"] = .number(start.offset)
            region["byteLength"] = .number(end.offset - start.offset)
        }
        return region
    }

    /// The text of a range, if it is short.
    private func snippet(_ range: SourceRange) -> String? {
        let bytes = file.source.bytes
        guard range.start >= 0, range.start < range.end, range.end <= bytes.count, range.length <= 256 else {
            return nil
        }
        return String(text: bytes[range.start..<range.end])
    }

    /// A fix that a tool may apply; those with a placeholder are none.
    private func fix(_ fixIt: FixIt) -> JSONOutput? {
        guard fixIt.applicability != .displayOnly, !fixIt.edits.isEmpty else { return nil }
        let replacements = fixIt.edits.map { edit in
            var replacement: [String: JSONOutput] = ["deletedRegion": .object(region(edit.range))]
            if !edit.replacement.isEmpty {
                replacement["insertedContent"] = .object(["text": .string(edit.replacement)])
            }
            return JSONOutput.object(replacement)
        }
        return .object([
            "description": .object(["text": .string(SARIFMessage.text(fixIt.title))]),
            "artifactChanges": .array([
                .object(["artifactLocation": location, "replacements": .array(replacements)])
            ]),
        ])
    }
}

extension Severity {
    /// The `level` of a result.
    var sarifLevel: String {
        switch self {
        case .critical, .error: "error"
        case .warning: "warning"
        case .note: "note"
        }
    }
}

/// The marks that tell a finding from others when lines have moved: its code, where it is in the tree, and what is
/// there.
struct SARIFFingerprint: Hashable {
    /// The 64-bit hash FNV-1a: no secret, but the same on every machine and in every release.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ diagnostic: Diagnostic, in source: SourceText) {
        let count = source.bytes.count
        let start = min(max(0, diagnostic.range.start), count)
        let end = min(max(start, diagnostic.range.end), count)
        add(diagnostic.code.rawValue.utf8)
        add((diagnostic.pointer ?? "").utf8)
        // The beginning tells enough of a large value, and values lie in each other.
        add(source.bytes[start..<min(end, start + 4096)])
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        // No part runs into the next one: UTF-8 never has this byte.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// The hash in 16 digits.
    var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

extension RuleDescription {
    /// The rule as a SARIF `reportingDescriptor`.
    var sarif: JSONOutput {
        var configuration: [String: JSONOutput] = ["level": .string(severity.sarifLevel)]
        if !isOnByDefault { configuration["enabled"] = .boolean(false) }
        return .object([
            "id": .string(code.rawValue),
            "shortDescription": .object(["text": .string(SARIFMessage.text(summary))]),
            "fullDescription": .object(["text": .string(SARIFMessage.text(reason))]),
            "help": .object(["text": .string(SARIFMessage.text(plainHelp)), "markdown": .string(markdownHelp)]),
            "defaultConfiguration": .object(configuration),
            "properties": .object(["basis": .array(basis.map { .string($0.rawValue) })]),
        ])
    }

    private var plainHelp: String {
        "\(reason)\n\nThis is reported:\n\n\(badShown)\n\nThis is not:\n\n\(goodShown)"
    }

    private var markdownHelp: String {
        """
        \(SARIFMessage.markdown(reason))

        This is reported:

        \(Self.fenced(badShown))

        This is not:

        \(Self.fenced(goodShown))
        """
    }

    /// A code block; its fence is longer than any that the text has.
    private static func fenced(_ text: String) -> String {
        let longest = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return "\(fence)json\n\(text)\n\(fence)"
    }
}

/// Plain text as SARIF has it in messages.
enum SARIFMessage {
    /// Escapes what a reader would take for a placeholder, `{0}`, or for a link, `[text](target)` (SARIF 2.1.0, 3.11.5 and
    /// 3.11.6): values from files are shown as they are and never as a link. Other braces and brackets stay, as viewers show
    /// escapes they need not look for.
    static func text(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else { return text }
        let bytes = Array(text.utf8)
        let isLink = hasLink(bytes)
        var result: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "{"):
                let digits = bytes[offset...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                if !digits.isEmpty, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "}") {
                    result += [byte, byte] + digits + [UInt8(ascii: "}"), UInt8(ascii: "}")]
                    offset = digits.endIndex + 1
                } else {
                    result += [byte] + digits
                    offset = digits.endIndex
                }
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                if isLink { result.append(UInt8(ascii: "\\")) }
                result.append(byte)
            default: result.append(byte)
            }
        }
        return String(text: result)
    }

    /// Markdown that shows a text as it is: patterns are full of stars.
    static func markdown(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if #"\`*_[]<>~&#|"#.unicodeScalars.contains(scalar) { result += #"\"# }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func hasLink(_ bytes: [UInt8]) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "]") && $1 == UInt8(ascii: "(") }
    }
}
