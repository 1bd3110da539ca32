import AppProjects
import AssociationFiles
import AssociationLint
import BoundedText
import CommandLineSupport
import Diagnostics
import FindingCatalogue
import JSONSyntax
import SystemSupport

/// Checks, and fixes if that is asked for, one file after the other.
struct ValidationRun {
    enum Mode {
        case check
        case fix(upTo: FixIt.Applicability)
        /// Shows what fixing would change.
        case diff(upTo: FixIt.Applicability)
    }

    /// At most this many files with similar names are shown of a folder that has none with the right one.
    private static let maxSimilar = 5
    /// At most this many files that were found in folders are named.
    private static let maxFound = 10

    private var checker: FileChecker
    private let mode: Mode
    /// The kind that all files are checked as; nil if their names and contents tell.
    private let kind: FileKind?
    /// The server that publishes the files; nil if it is not known.
    private let server: ServerSettings?
    private let isSilent: Bool
    /// The reports of the files about which there is something to say: thousands of good ones are only counted.
    private var reports: [FileReport] = []
    private var notes: [Report.Note] = []
    private var fileCount = 0
    /// The first files that were found in folders, and the number of all of them.
    private var found: (shown: [String], count: Int) = ([], 0)
    /// The number of asset links files that were checked.
    private(set) var assetLinksFiles = 0
    /// The paths that were checked, as they are without detours.
    private var checked: Set<[ArraySlice<UInt8>]> = []
    private var differences: [UnifiedDiff] = []
    /// The bytes of standard input after the fixes.
    private(set) var fixedInput: [UInt8] = []
    /// The status of the worst failure that no finding tells.
    private(set) var status: ExitStatus?

    /// - Parameters:
    ///   - kind: What all files are checked as; nil if their names and contents tell.
    ///   - server: The server that publishes the files, as far as that is known.
    ///   - isSilent: Whether what cannot be read is in the report only, and not on standard error too.
    init(
        options: LintOptions, configuration: String?, kind: FileKind?, server: ServerSettings? = nil, mode: Mode,
        isSilent: Bool
    ) {
        checker = FileChecker(
            options, configuration: configuration, limit: server?.limit ?? FileSizes.published,
            rules: AllRules.catalogue)
        self.kind = kind
        self.server = server
        self.mode = mode
        self.isSilent = isSilent
    }

    /// The line that names the files of the folders that were searched; nil if there was none.
    var searched: String? {
        guard found.count > 0 else { return nil }
        let more = found.count - found.shown.count
        return "checked: \(found.shown.joined(separator: ", "))" + (more > 0 ? " and \(grouped(more)) more" : "")
    }

    /// All that was found, by path, with the configurations' own findings.
    var report: Report {
        let files = (reports + checker.configurationReports()).sorted {
            $0.source.path.utf8.lexicographicallyPrecedes($1.source.path.utf8)
        }
        return Report(files, fileCount: fileCount, notes: notes)
    }

    /// Checks a file, or the files in a folder whose names tell what they are.
    mutating func check(_ path: String) {
        let folder = RawPath(argument: path)
        guard path != "-", folder.isFolder else { return checkFile(path == "-" ? nil : folder, argument: path) }
        let found = AssociationFileSearch(in: folder)
        for folder in found.unreadable {
            let shown = folder.path.shown
            addUnreadable(shown, "cannot read the folder '\(shown)': \(folder.error.reason)")
        }
        if found.files.isEmpty {
            let similar = found.nearMisses.prefix(Self.maxSimilar).map { "'\($0.shown)' has a similar name" }
            let shown = folder.shown
            addUnreadable(
                shown,
                "no file named \(AssociationFileName.name), assetlinks.json or AndroidManifest.xml in the folder '\(shown)'",
                notes: similar,
                help: (similar.isEmpty ? "" : "rename it, or ") + "name the file itself")
        } else {
            let folders = Set(found.files.map(\.folder))
            // Beside the file itself it is a copy, which is not worth a note.
            for similar in found.nearMisses where !folders.contains(similar.folder) {
                let note = "not checked, because its name is not '\(AssociationFileName.name)'"
                notes.append(Report.Note(path: similar.shown, message: note))
            }
        }
        let files = Self.withLinks(found.files)
        self.found.count += files.count
        self.found.shown += files.prefix(Self.maxFound - self.found.shown.count).map(\.shown)
        for file in files { checkFile(file, in: folder) }
    }

    /// The files that were found, with the link pages beside association files: elsewhere their name is anybody's.
    private static func withLinks(_ files: [RawPath]) -> [RawPath] {
        let folders = Set(files.filter { FileKind(path: $0.shown) == .association }.map(\.folder))
        let links = folders.map { $0.appending("/\(SiteFile.links.name)") }.filter(\.exists)
        return (files + links).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// - Parameters:
    ///   - file: Nil for standard input.
    ///   - folder: The folder that was searched.
    ///   - argument: What was typed for the file.
    private mutating func checkFile(_ file: RawPath?, in folder: RawPath? = nil, argument: String? = nil) {
        guard checked.insert(Self.plain(file)).inserted else { return }
        let name = Self.name(file)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes =
                if let file {
                    try FileReader.readToEnd(file, limit: FileSizes.read)
                } else {
                    try InputFile.read("-", limit: FileSizes.read)
                }
        } catch {
            let argument = FileArgument(argument ?? name)
            let (message, help) = argument.failure(error.reason, for: "aasa validate -")
            return addUnreadable(
                name, message,
                help: argument.isURL || argument.isDomain
                    ? "try: \(argument.doctor); or: \(argument.download) | aasa validate -" : help)
        }
        if let file { noteName(file) }
        check(bytes, of: file, in: folder)
    }

    /// Checks what was read of a file.
    ///
    /// - Parameter path: As it was typed; `-` for standard input.
    mutating func check(_ bytes: [UInt8], of path: String) {
        check(bytes, of: path == "-" ? nil : RawPath(argument: path), in: nil)
    }

    /// - Parameters:
    ///   - path: Nil for standard input.
    ///   - folder: The folder that was searched; nil for a file that was named.
    private mutating func check(_ bytes: [UInt8], of path: RawPath?, in folder: RawPath?) {
        let name = Self.name(path)
        let known = knownFile(path)
        if known == nil, let foreign = ForeignFile(bytes, path: path?.shown ?? "-") {
            if case .fix = mode, path == nil { fixedInput = bytes }
            return add(UnreadableFile.report(name, foreign.message, help: foreign.help))
        }
        let linter = checker.linter(forFileAt: path?.shown ?? "-")
        let file = known ?? SiteFile(kind: FileKind(path: name, bytes), name: name)
        if file.kind == .assetLinks { assetLinksFiles += 1 }
        if file.kind == .manifest { return checkManifest(bytes, path, by: linter) }
        if file.kind == .links, let path { return checkLinks(bytes, path, as: file, by: linter) }
        switch mode {
        case .check:
            add(checker.judge(bytes, as: file, path: name, by: linter).report)
        case .fix(let applicability):
            fix(bytes, path, as: file, in: folder, by: linter, upTo: applicability, isDiff: false)
        case .diff(let applicability):
            fix(bytes, path, as: file, in: folder, by: linter, upTo: applicability, isDiff: true)
        }
    }

    /// The file, where the options, its name or the server tell its kind; nil if only its content does.
    private func knownFile(_ path: RawPath?) -> SiteFile? {
        let name = Self.name(path).split(separator: "/").last.map(String.init) ?? ""
        if let kind { return SiteFile(kind: kind, name: name) }
        return server?.file(named: name) ?? FileKind(path: name).map { SiteFile(kind: $0, name: name) }
    }

    /// Checks a manifest, which has nothing that is fixed.
    private mutating func checkManifest(_ bytes: [UInt8], _ path: RawPath?, by file: FileLinter) {
        if case .fix = mode, path == nil { fixedInput = bytes }
        do throws(AppProjectError) {
            let manifest = try ManifestFile(bytes, path: Self.name(path))
            let result = file.linter.checkManifest(
                manifest.root, source: manifest.source, isAsInFile: manifest.isAsInFile)
            add(checker.report(result, by: file))
        } catch {
            let position = error.position.map { "line \($0.line), column \($0.column): " } ?? ""
            add(UnreadableFile.report(error.path, position + error.message, help: error.help))
            fail(
                error.code == .missingLibrary ? .unavailable : .unusableData,
                "\(error.path): \(position)\(error.message)" + (error.help.map { "; \($0)" } ?? ""), isSaid: isSilent)
        }
    }

    /// Checks link pages by themselves and with the files beside them; nothing is fixed.
    private mutating func checkLinks(_ bytes: [UInt8], _ path: RawPath, as file: SiteFile, by linter: FileLinter) {
        let neighbours = LinkNeighbours(ofFileAt: path.text)
        let surroundings = neighbours.surroundings()
        add(checker.judge(bytes, as: file, path: path.shown, by: linter, links: surroundings).report)
        if let note = neighbours.note(about: path.shown) { notes.append(note) }
    }

    private static func name(_ file: RawPath?) -> String { file?.shown ?? InputFile.name("-") }

    /// A path without `.` and double slashes, by which a file that is named twice is known.
    private static func plain(_ path: RawPath?) -> [ArraySlice<UInt8>] {
        guard let bytes = path?.bytes else { return [] }
        let slash = UInt8(ascii: "/")
        return (bytes.first == slash ? [[slash]] : []) + bytes.split(separator: slash).filter { $0 != [0x2E] }
    }

    /// Says that Apple never asks for a file with an ending, unless the right one is beside it.
    private mutating func noteName(_ file: RawPath) {
        guard let note = FileKind.note(onName: file.shown),
            !file.folder.appending("/\(AssociationFileName.name)").exists
        else { return }
        notes.append(note)
    }

    private mutating func fix(
        _ bytes: [UInt8], _ path: RawPath?, as file: SiteFile, in folder: RawPath?, by linter: FileLinter,
        upTo applicability: FixIt.Applicability, isDiff: Bool
    ) {
        let name = Self.name(path)
        if let refusal = linter.refusal(of: bytes, as: file, path: name) {
            // Of more bytes than are read there is no whole text to give back.
            if path == nil, !isDiff { fixedInput = bytes.count > FileSizes.read ? [] : bytes }
            return add(refusal)
        }
        if let folder, let path, !path.isInside(folder) {
            notes.append(
                Report.Note(
                    path: name,
                    message:
                        "not fixed, because it is a link that points outside '\(folder.shown)'; name the file itself"))
            return add(checker.judge(bytes, as: file, path: name, by: linter).report)
        }
        let outcome = Fixer(linter.linter, kind: file.kind, upTo: applicability).fix(bytes, path: name)
        if let failure = outcome.failure {
            fail(
                .internalError, "\(name): nothing is fixed: \(failure); this is a bug of this program, please report it"
            )
        }
        var fixed = outcome.fixed
        var result = outcome.result
        if !result.isAsInFile, result.diagnostics.contains(where: { $0.fix(upTo: applicability) != nil }) {
            StandardError.write("note: '\(name)' is not fixed: signed files and those that are not UTF-8 never are")
        }
        if isDiff {
            differences.append(UnifiedDiff(old: bytes, new: outcome.bytes, path: name))
        } else if path == nil {
            fixedInput = outcome.bytes
        } else if outcome.bytes != bytes, let path,
            let reason = FileReplacement.replace(path, with: outcome.bytes, within: folder)
        {
            fail(.outputFailed, "cannot write '\(name)', nothing is fixed: \(reason)")
            fixed = []
            result = linter.linter.check(bytes, path: name, as: file.kind)
        } else {
            notes += outcome.notes
        }
        add(checker.report(result, fixed: fixed, by: linter))
    }

    private mutating func add(_ report: FileReport) {
        fileCount += 1
        if !(report.diagnostics.isEmpty && report.suppressed.isEmpty && report.fixed.isEmpty) { reports.append(report) }
    }

    private mutating func addUnreadable(
        _ path: String, _ message: String, notes: [String] = [], help: String? = nil
    ) {
        add(UnreadableFile.report(path, message, notes: notes, help: help))
        fail(.missingFile, ([message] + notes + [help].compactMap { $0 }).joined(separator: "; "), isSaid: isSilent)
    }

    private mutating func fail(_ status: ExitStatus, _ message: String, isSaid: Bool = false) {
        if !isSaid { StandardError.write("error: \(message)") }
        let order: [ExitStatus] = [.unusableData, .missingFile, .unavailable, .outputFailed, .internalError]
        let rank = { (status: ExitStatus?) in status.flatMap(order.firstIndex) ?? -1 }
        if rank(status) > rank(self.status) { self.status = status }
    }
}

extension ValidationRun {
    /// Whether a fix would change a file.
    var hasDifferences: Bool { differences.contains { !$0.lines.isEmpty } }

    /// Writes the diffs, so that `patch` understands them; in colors they are for people, and safe to be shown.
    func writeDifferences(to results: inout StandardOutput, style: TextStyle) {
        for lines in differences.map(\.lines) {
            for (number, line) in lines.enumerated() {
                guard style.hasColors else {
                    results.write(bytes: line + [UInt8(ascii: "\n")])
                    continue
                }
                let text = VisibleText.escapedKeepingTabs(String(text: line))
                results.write(number < 2 ? style.bold(text) : Self.colored(text, style))
            }
        }
    }

    private static func colored(_ line: String, _ style: TextStyle) -> String {
        switch line.utf8.first {
        case UInt8(ascii: "-"): style.red(line)
        case UInt8(ascii: "+"): style.green(line)
        case UInt8(ascii: "@"): style.cyan(line)
        default: line
        }
    }
}
