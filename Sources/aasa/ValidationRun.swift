import AssociationLint
import AssociationServer
import CommandLineSupport
import Diagnostics

/// Checks, and fixes if that is asked for, one file after the other.
struct ValidationRun {
    private static let names: Set = [
        "apple-app-site-association", "apple-app-site-association.json", "assetlinks.json",
    ]

    private var checker: FileChecker
    private let fixes: Bool
    /// What all files are checked as; nil if their names and contents tell.
    private let kind: FileKind?
    /// Of the files about which there is something to say: thousands of good ones are only counted.
    private var reports: [FileReport] = []
    private var fileCount = 0
    /// What standard input is after the fixes.
    private(set) var fixedInput: [UInt8] = []
    /// What went wrong that no finding says; the worst.
    private(set) var status: ExitStatus?

    init(options: LintOptions, configuration: String?, kind: FileKind?, fixes: Bool) {
        checker = FileChecker(options, configuration: configuration)
        self.kind = kind
        self.fixes = fixes
    }

    /// All that was found, by path, with the configurations' own findings.
    var report: Report {
        let files = (reports + checker.configurationReports()).sorted {
            $0.source.path.utf8.lexicographicallyPrecedes($1.source.path.utf8)
        }
        return Report(files, fileCount: fileCount)
    }

    /// Checks a file, or the association and asset links files in a folder.
    mutating func check(_ path: String) {
        guard path != "-", FileSearch.isFolder(path) else { return checkFile(path) }
        let (files, unreadable) = FileSearch.files(named: Self.names, in: path)
        for folder in unreadable { fail(.missingFile, "cannot read the folder '\(folder.path)': \(folder.reason)") }
        if files.isEmpty {
            fail(
                .missingFile,
                "no file named apple-app-site-association or assetlinks.json in the folder '\(path)'; name the file itself"
            )
        }
        for file in files { checkFile(file) }
    }

    private mutating func checkFile(_ path: String) {
        let name = InputFile.name(path)
        let bytes: [UInt8]
        switch InputFile.read(path, limit: AssociationFile.limit) {
        case .bytes(let content): bytes = content
        case .unreadable(let reason): return fail(.missingFile, "cannot read '\(name)': \(reason)")
        }
        let file = checker.linter(forFileAt: path)
        let kind = kind ?? FileKind(path: path, bytes)
        if fixes {
            fix(bytes, path, as: kind, by: file)
        } else {
            add(checker.report(file.linter.check(bytes, path: name, as: kind), by: file))
        }
    }

    private mutating func fix(_ bytes: [UInt8], _ path: String, as kind: FileKind, by file: FileLinter) {
        let name = InputFile.name(path)
        let outcome = Fixer(file.linter, kind: kind).fix(bytes, path: name)
        if let failure = outcome.failure {
            fail(
                .internalError, "\(name): nothing is fixed: \(failure); this is a bug of this program, please report it"
            )
        }
        var fixed = outcome.fixed
        var result = outcome.result
        if !result.isAsInFile, result.diagnostics.contains(where: \.hasAutomaticFix) {
            StandardError.write("note: '\(name)' is not fixed: signed files and those that are not UTF-8 never are")
        }
        if path == "-" {
            // Of more bytes than are read there is no whole text to give back.
            fixedInput = bytes.count > AssociationFile.limit ? [] : outcome.bytes
        } else if outcome.bytes != bytes, let reason = FileReplacement.replace(RawPath(path), with: outcome.bytes) {
            fail(.outputFailed, "cannot write '\(name)', nothing is fixed: \(reason)")
            fixed = []
            result = file.linter.check(bytes, path: name, as: kind)
        }
        add(checker.report(result, fixed: fixed, by: file))
    }

    private mutating func add(_ report: FileReport) {
        fileCount += 1
        if !(report.diagnostics.isEmpty && report.suppressed.isEmpty && report.fixed.isEmpty) { reports.append(report) }
    }

    private mutating func fail(_ status: ExitStatus, _ message: String) {
        StandardError.write("error: \(message)")
        let order: [ExitStatus] = [.missingFile, .outputFailed, .internalError]
        let rank = { (status: ExitStatus?) in status.flatMap(order.firstIndex) ?? -1 }
        if rank(status) > rank(self.status) { self.status = status }
    }
}

extension Diagnostic {
    fileprivate var hasAutomaticFix: Bool { fixIts.contains { $0.applicability == .automatic } }
}
