/// Findings in the Static Analysis Results Interchange Format, SARIF 2.1.0: one run with all rules.
package struct SARIFRenderer: ReportRenderer {
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
