/// Findings as one JSON object.
package struct JSONRenderer: ReportRenderer {
    private let showsFixed: Bool

    /// - Parameter showsFixed: Whether the findings that a fix has removed are listed.
    package init(showsFixed: Bool = false) {
        self.showsFixed = showsFixed
    }

    package func render(_ report: Report) -> String {
        var object: [String: JSONOutput] = [
            "version": .number(1), "tool": .string("aasa"), "summary": report.summary,
            "diagnostics": .array(
                report.files.flatMap { file in
                    file.diagnostics.map { .object($0.members(in: file.source)) }
                }),
        ]
        object.merge(report.remarks) { member, _ in member }
        if showsFixed { object["fixed"] = report.fixed }
        return JSONOutput.object(object).text
    }
}

/// Findings as JSON objects, one a line, then one that sums up.
package struct JSONLinesRenderer: ReportRenderer {
    private let showsFixed: Bool

    /// - Parameter showsFixed: Whether the last object lists the findings that a fix has removed.
    package init(showsFixed: Bool = false) {
        self.showsFixed = showsFixed
    }

    package func render(_ report: Report) -> String {
        var objects = report.files.flatMap { file in file.diagnostics.map { $0.members(in: file.source) } }
        objects.append(report.remarks.merging(["tool": .string("aasa"), "summary": report.summary]) { $1 })
        if showsFixed { objects[objects.count - 1]["fixed"] = report.fixed }
        return objects.map { members in
            JSONOutput.object(members.merging(["version": .number(1)]) { _, version in version }).text
        }.joined(separator: "\n")
    }
}
