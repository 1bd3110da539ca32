internal import Diagnostics
internal import JSONSyntax

// What stands beside an association file.
extension Linter {
    /// Checks an `assetlinks.json`, the statements of a site for Android (Digital Asset Links).
    ///
    /// - Parameters:
    ///   - bytes: The file's content. More than 16 MiB are not looked at.
    ///   - path: What messages call the file.
    package func checkAssetLinks(_ bytes: [UInt8], path: String = "assetlinks.json") -> LintResult {
        checkAssetLinks(
            bytes, path: path, syntaxFindings: ReadingLimits.assetLinksFile.findings, findingLimit: Findings.shownLimit)
    }

    /// - Parameters:
    ///   - syntaxFindings: How many findings about the syntax are kept.
    ///   - findingLimit: How many of the other findings of one code are listed.
    func checkAssetLinks(_ bytes: [UInt8], path: String, syntaxFindings: Int, findingLimit: Int) -> LintResult {
        var limits = ReadingLimits.assetLinksFile
        limits.findings = syntaxFindings
        let json = JSONReader.read(bytes, path: path, limits: limits)
        guard json.isTreeReliable, let root = json.root else { return syntax(json, isTreeReliable: false) }
        let blamed = json.findings.map(\.range).filter { $0.length > 0 }
        var checker = AssetLinksChecker(
            Findings(json.source, severities: severities, limit: findingLimit, blamed: blamed))
        checker.check(root)
        var findings = checker.findings
        findings.endLists()
        return result(
            json.source, json.findings + findings.all, findings.hidden, isTreeReliable: true,
            isAsInFile: json.isAsInFile)
    }

    /// Checks that a file is JSON, whatever it says.
    package func checkJSON(_ bytes: [UInt8], path: String) -> LintResult {
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        return syntax(json, isTreeReliable: json.isTreeReliable)
    }

    private func syntax(_ json: JSONDocument, isTreeReliable: Bool) -> LintResult {
        result(json.source, json.findings, [], isTreeReliable: isTreeReliable, isAsInFile: json.isAsInFile)
    }
}

extension JSONDocument {
    /// Whether positions are those of the file itself.
    var isAsInFile: Bool { !findings.contains { $0.code == SyntaxCode.utf16Text.diagnosticCode } }
}
