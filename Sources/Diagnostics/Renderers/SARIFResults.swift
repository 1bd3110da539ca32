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
            "locations": .array([place(diagnostic)]),
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

    private func place(_ diagnostic: Diagnostic) -> JSONOutput {
        var region = region(diagnostic.range)
        if let text = snippet(diagnostic.range) { region["snippet"] = .object(["text": .string(text)]) }
        var place: [String: JSONOutput] = [
            "physicalLocation": .object(["artifactLocation": location, "region": .object(region)])
        ]
        if let label = diagnostic.label {
            place["message"] = .object(["text": .string(SARIFMessage.text(label))])
        }
        if let pointer = diagnostic.pointer, !pointer.isEmpty {
            place["logicalLocations"] = .array([.object(["fullyQualifiedName": .string(pointer)])])
        }
        return .object(place)
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
        return String(decoding: bytes[range.start..<range.end], as: UTF8.self)
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
