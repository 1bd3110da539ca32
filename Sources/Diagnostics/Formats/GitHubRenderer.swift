/// Findings as workflow commands of GitHub Actions, which become annotations: one per line.
package struct GitHubRenderer {
    package init() {}

    package func render(_ report: Report) -> String {
        let findings = report.files.flatMap { file in file.diagnostics.map { command($0, in: file.source) } }
        let notes = report.notes.map { "::notice file=\(property($0.path))::\(escaped($0.message))" }
        return (findings + notes).joined(separator: "\n")
    }

    /// The command for one finding.
    package func command(_ diagnostic: Diagnostic, in source: SourceText) -> String {
        let start = source.position(at: diagnostic.range.start)
        let end = source.position(at: diagnostic.range.end)
        let properties = [
            "file=\(property(source.path))", "line=\(start.line)", "col=\(start.column)", "endLine=\(end.line)",
            "endColumn=\(end.column)", "title=\(property(diagnostic.code.rawValue))",
        ]
        var lines = [diagnostic.message]
        if let label = diagnostic.label { lines.append(label) }
        lines += diagnostic.labels.map { "line \(source.position(at: $0.range.start).line): \($0.text)" }
        lines += diagnostic.notes
        if let help = diagnostic.help { lines.append("help: \(help)") }
        let message = lines.map { escaped($0) }.joined(separator: "%0A")
        return "::\(Self.level(diagnostic.severity)) \(properties.joined(separator: ","))::\(message)"
    }

    /// The command for what is not a finding: about a file as a whole, a line of it, or no file.
    ///
    /// - Parameter message: Line by line.
    package func command(
        _ severity: Severity, path: String?, line: Int? = nil, title: String? = nil, message: [String]
    ) -> String {
        let properties = [
            path.map { "file=\(property($0))" }, line.map { "line=\($0)" }, title.map { "title=\(property($0))" },
        ].compactMap { $0 }
        let text = message.map { escaped($0) }.joined(separator: "%0A")
        return "::\(Self.level(severity))\(properties.isEmpty ? "" : " ")\(properties.joined(separator: ","))::\(text)"
    }

    private static func level(_ severity: Severity) -> String {
        switch severity {
        case .critical, .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
    }

    private func property(_ text: String) -> String { escaped(text, also: [":", ","]) }

    /// Percent-encodes what ends a command or a property; other control characters have no escape there and are made visible.
    private func escaped(_ text: String, also others: Set<Unicode.Scalar> = []) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where others.contains(":"): result += "%3A"
            case "," where others.contains(","): result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return VisibleText.escaped(result)
    }
}
