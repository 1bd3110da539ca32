extension Report {
    /// The numbers of files, errors and warnings.
    var summary: JSONOutput {
        .object([
            "files": .number(fileCount), "errors": .number(errorCount), "warnings": .number(warningCount),
        ])
    }

    /// What is worth knowing besides: notes, and the numbers of findings that are ignored, and that have a fix.
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
                    members["fix"] = .string(fixed.title)
                    return .object(members)
                }
            })
    }
}

extension Diagnostic {
    /// The finding as a JSON object has it.
    package func members(in source: SourceText) -> [String: JSONOutput] {
        members(path: source.path, from: source.position(at: range.start), to: source.position(at: range.end))
    }

    package func members(path: String, from start: SourcePosition, to end: SourcePosition) -> [String: JSONOutput] {
        [
            "code": .string(code.rawValue), "severity": .string(severity.rawValue), "message": .string(message),
            "path": .string(path), "range": .object(["start": start.json, "end": end.json]),
            "pointer": .optional(pointer), "notes": .array(notes.map(JSONOutput.string)),
            "fixIts": .array(fixIts.map(\.json)),
        ]
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
