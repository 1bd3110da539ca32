extension Report {
    /// The members of a JSON object with all findings.
    ///
    /// - Parameter showsFixed: Whether the findings that a fix has removed are listed.
    package func members(showsFixed: Bool = false) -> [String: JSONOutput] {
        summaryMembers(showsFixed).merging([
            "diagnostics": .array(
                files.flatMap { file in file.diagnostics.map { .object($0.members(in: file.source)) } })
        ]) { $1 }
    }

    /// The findings as JSON objects, one per line, then one that sums up.
    ///
    /// - Parameter showsFixed: Whether the last object lists the findings that a fix has removed.
    package func jsonLines(showsFixed: Bool = false) -> String {
        let findings = files.flatMap { file in
            file.diagnostics.map { $0.members(in: file.source).merging(["version": .number(1)]) { $1 } }
        }
        return (findings + [summaryMembers(showsFixed)]).map { JSONOutput.object($0).text }.joined(separator: "\n")
    }

    private func summaryMembers(_ showsFixed: Bool) -> [String: JSONOutput] {
        var members = remarks
        members["version"] = .number(1)
        members["tool"] = .string("aasa")
        members["summary"] = summary
        if showsFixed { members["fixed"] = fixed }
        return members
    }

    /// The numbers of files, errors and warnings.
    var summary: JSONOutput {
        .object([
            "files": .number(fileCount), "errors": .number(errorCount), "warnings": .number(warningCount),
        ])
    }

    /// Remarks besides the findings: notes, and the numbers of findings that are ignored, and that have a fix.
    var remarks: [String: JSONOutput] {
        [
            "notes": .array(
                notes.map { .object(["path": .string($0.path), "message": .string($0.message)]) }),
            "ignored": .number(suppressedCount),
            "fixable": .object([
                "automatic": .number(fixableCount(.automatic)), "suggested": .number(fixableCount(.suggested)),
            ]),
        ]
    }

    /// The findings that fixes have removed, each with the title of its fix.
    var fixed: JSONOutput {
        .array(
            files.flatMap { file in
                file.fixed.map { fixed in
                    var members = fixed.diagnostic.members(path: file.source.path, from: fixed.start, to: fixed.end)
                    members["fix"] = .string(fixed.fixIt.title)
                    return .object(members)
                }
            })
    }
}

extension Diagnostic {
    /// The finding as a JSON object has it.
    package func members(in source: SourceText) -> [String: JSONOutput] {
        let (start, end) = (source.position(at: range.start), source.position(at: range.end))
        var members = members(path: source.path, from: start, to: end)
        if !labels.isEmpty {
            members["labels"] = .array(
                labels.map { label in
                    let (start, end) = (source.position(at: label.range.start), source.position(at: label.range.end))
                    return .object(["range": Self.json(start, end), "text": .string(label.text)])
                })
        }
        return members
    }

    /// The same without the ranges of its labels, for a text that is no longer at hand.
    package func members(path: String, from start: SourcePosition, to end: SourcePosition) -> [String: JSONOutput] {
        members(path: path, range: Self.json(start, end))
    }

    /// A finding that is not about a text.
    package var members: [String: JSONOutput] { members(path: path, range: .null) }

    private func members(path: String?, range: JSONOutput) -> [String: JSONOutput] {
        var members: [String: JSONOutput] = [
            "code": code == .unnamed ? .null : .string(code.rawValue), "severity": .string(severity.rawValue),
            "message": .string(message), "path": .optional(path), "range": range, "pointer": .optional(pointer),
            "notes": .array(notes.map(JSONOutput.string)), "fixIts": .array(fixIts.map(\.json)),
        ]
        if let advice { members["help"] = .string(advice) }
        if let label { members["label"] = .string(label) }
        return members
    }

    private static func json(_ start: SourcePosition, _ end: SourcePosition) -> JSONOutput {
        .object(["start": start.json, "end": end.json])
    }
}

extension SourcePosition {
    fileprivate var json: JSONOutput {
        .object(["line": .number(line), "column": .number(column), "offset": .number(offset)])
    }
}

extension FixIt {
    fileprivate var json: JSONOutput {
        .object([
            "title": .string(title), "applicability": .string(applicability.rawValue),
            "edits": .array(
                edits.map { edit in
                    .object([
                        "start": .number(edit.range.start), "end": .number(edit.range.end),
                        "replacement": .string(edit.replacement),
                    ])
                }),
        ])
    }
}
