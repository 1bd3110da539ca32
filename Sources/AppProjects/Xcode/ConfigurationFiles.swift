internal import BoundedText
internal import Diagnostics
internal import SystemSupport
internal import URLPatterns

/// Reads the configuration files (`.xcconfig`) that a project is based on, with those that they include.
///
/// Only files below the folder of the project are read. One that is missing is not an error: those of CocoaPods are made
/// later, and those with secrets are not in a repository.
struct ConfigurationFiles {
    /// The settings of a file and of those that it includes.
    struct Contents {
        var table = SettingTable()
        /// A clause about each of the first files that were not read.
        private(set) var unread: [String] = []

        mutating func add(unread file: String, _ clause: String) {
            if unread.count < 3 { unread.append("\(quoted(file)) \(clause)") }
        }
    }

    private let folder: ProjectFolder
    private let projectFile: String
    private var files: [RawPath: ConfigurationFile] = [:]
    /// The files that were read before, by the path in the project.
    private var contents: [String: Contents] = [:]
    private var bytesLeft = 2 << 20
    private var includesLeft = 1_000
    private var settingsLeft = 100_000

    private static let largestFile = 1 << 20
    private static let maxLevels = 16

    init(_ folder: ProjectFolder, projectFile: String) {
        self.folder = folder
        self.projectFile = projectFile
    }

    /// Reads a file.
    ///
    /// - Parameter path: The path as the project has it: absolute, or from its folder.
    mutating func read(_ path: String) throws(AppProjectError) -> Contents {
        if let known = contents[path] { return known }
        var result = Contents()
        try read(folder.path(path), shown: path, chain: [], folders: [], into: &result)
        contents[path] = result
        return result
    }

    /// - Parameters:
    ///   - chain: The files on the way to this one, each of which includes the next.
    ///   - folders: The folders of those files, the latest first, in which an included file is looked for.
    private mutating func read(
        _ path: RawPath, shown: String, chain: [RawPath], folders: [RawPath], into result: inout Contents
    ) throws(AppProjectError) {
        includesLeft -= 1
        guard includesLeft >= 0 else { throw tooMuch("name more than 1000 files") }
        guard let file = path.resolved else {
            return result.add(unread: shown, "is not there")
        }
        // One that includes itself is read once, as in Xcode.
        guard !chain.contains(file) else { return }
        guard file.isInside(folder.resolved) else {
            return result.add(unread: shown, "is not read, as it is not below the folder of the project")
        }
        guard chain.count < Self.maxLevels else {
            return result.add(unread: shown, "is not read, as it is included by too many files in a row")
        }
        guard let content = try content(of: file) else {
            return result.add(unread: shown, "cannot be read")
        }
        let folders = [path.folder] + folders
        for line in content.lines {
            switch line {
            case .setting(let name, let value, let conditions):
                settingsLeft -= 1
                guard settingsLeft >= 0 else { throw tooMuch("have more than 100000 settings") }
                result.table.add(name, value, conditions)
            case .include(let name, _):
                let found = find(name, folders)
                try read(
                    found ?? folder.path(name), shown: name, chain: chain + [file], folders: folders, into: &result)
            }
        }
    }

    /// Looks for an included file beside the one that includes it, then beside those that include that one.
    private func find(_ name: String, _ folders: [RawPath]) -> RawPath? {
        let hasExtension = name.split(separator: "/").last?.contains(".") == true
        for name in hasExtension ? [name] : [name, "\(name).xcconfig"] {
            if name.hasPrefix("/") {
                if RawPath(name).exists { return RawPath(name) }
                continue
            }
            for folder in folders + [folder.resolved] where folder.appending("/\(name)").exists {
                return folder.appending("/\(name)")
            }
        }
        return nil
    }

    private mutating func content(of file: RawPath) throws(AppProjectError) -> ConfigurationFile? {
        if let known = files[file] { return known }
        let limit = min(Self.largestFile, bytesLeft)
        guard let bytes = try? FileReader.readSettled(file.text, limit: limit).bytes else { return nil }
        guard bytes.count <= limit else {
            throw tooMuch(
                limit < Self.largestFile
                    ? "have more than 2 MiB" : "are too large: '\(VisibleText.escaped(file.shown))' has more than 1 MiB"
            )
        }
        bytesLeft -= bytes.count
        guard let content = ConfigurationFile(bytes) else { throw tooMuch("have too many lines") }
        files[file] = content
        return content
    }

    private func tooMuch(_ clause: String) -> AppProjectError {
        AppProjectError(
            .unusable, projectFile, "the configuration files of the project \(clause)",
            help: "give the entitlements of the app instead")
    }
}

/// The folder that a project is in, outside of which nothing is read: the one that has `NAME.xcodeproj`.
struct ProjectFolder {
    let resolved: RawPath
    /// The folder as messages name it.
    private let shownPath: String
    /// The name of the project.
    let projectName: String
    let projectPath: String

    /// - Parameter projectFile: The path of `project.pbxproj`.
    init(projectFile: String) throws(AppProjectError) {
        guard let file = RawPath(projectFile).resolved else {
            throw AppProjectError(SystemError(call: "realpath"), projectFile)
        }
        resolved = file.folder.folder
        projectPath = file.folder.text
        let name = String(text: file.folder.name)
        projectName = name.hasSuffix(".xcodeproj") ? String(name.dropLast(".xcodeproj".count)) : name
        // "Shop.xcodeproj" is in the current folder.
        let folder = Path.folder(of: projectFile)
        shownPath = folder == "." || folder.hasSuffix("..") ? resolved.text : Path.folder(of: folder)
    }

    /// The path of a file from its path in the project.
    func path(_ path: String) -> RawPath { path.hasPrefix("/") ? RawPath(path) : resolved.appending("/\(path)") }

    /// A path without the folder, if it is in it.
    func relative(_ path: String) -> String {
        let start = "\(resolved.text)/".utf8
        return path.utf8.starts(with: start) ? String(Substring(path.utf8.dropFirst(start.count))) : path
    }

    /// The name of a file in messages.
    func shown(_ path: String) -> String { path.hasPrefix("/") ? path : Path.join(shownPath, path) }
}

/// The lines of a configuration file (`.xcconfig`) that mean something.
struct ConfigurationFile {
    enum Line {
        case setting(name: String, value: String, conditions: [SettingCondition])
        /// `#include "FILE"`, or `#include? "FILE"`, which may be missing.
        case include(String, isOptional: Bool)
    }

    let lines: [Line]

    /// More lines than real files have.
    private static let maxLines = 50_000

    /// Reads a file as Xcode does, which passes over what is not well-formed; nil if it has too many lines.
    init?(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard text.count(where: { $0 == 0x0A }) < Self.maxLines else { return nil }
        var lines: [Line] = []
        var rest = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        while let first = rest.popFirst() {
            var line = Array(Self.content(first))
            // A backslash at the end joins the value with the next line.
            while line.last == UInt8(ascii: "\\"), Self.isSetting(line[...]) {
                line.removeLast()
                while let last = line.last, Self.isBlank(last) { line.removeLast() }
                guard let next = rest.popFirst() else { break }
                line.append(UInt8(ascii: " "))
                line += Self.content(next)
            }
            if let read = Self.read(Self.trimmed(line[...])) { lines.append(read) }
        }
        self.lines = lines
    }

    /// A line without its comment and without blanks at either end.
    private static func content(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = line.startIndex
        while end < line.endIndex {
            if line[end...].starts(with: "//".utf8) { break }
            end += 1
        }
        return trimmed(line[..<end])
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || (0x0B...0x0D).contains(byte) }

    private static func isSetting(_ line: ArraySlice<UInt8>) -> Bool { line.first != UInt8(ascii: "#") }

    private static func read(_ line: ArraySlice<UInt8>) -> Line? {
        guard isSetting(line) else { return include(Substring(String(text: line.dropFirst()))) }
        let nameEnd = line.firstIndex { !$0.isWord } ?? line.endIndex
        let name = line[..<nameEnd]
        guard let first = name.first, !first.isDigit else { return nil }
        // The pattern of a condition has an '=', too.
        var end = nameEnd
        var depth = 0
        while end < line.endIndex, depth > 0 || line[end] != UInt8(ascii: "=") {
            if line[end] == UInt8(ascii: "[") { depth = 1 }
            if line[end] == UInt8(ascii: "]") { depth = 0 }
            end += 1
        }
        guard end < line.endIndex else { return nil }
        let between = String(text: line[nameEnd..<end].filter { !isBlank($0) })
        guard let conditions = SettingCondition.read(Substring(between)) else { return nil }
        var value = trimmed(line[(end + 1)...])
        if value.last == UInt8(ascii: ";") { value = trimmed(value.dropLast()) }
        return .setting(
            name: String(text: name), value: String(text: value),
            conditions: conditions)
    }

    /// Reads what follows the `#` of a line.
    private static func include(_ text: Substring) -> Line? {
        let text = text.drop { $0 == " " || $0 == "\t" }
        guard text.hasPrefix("include") else { return nil }
        var rest = text.dropFirst("include".count)
        let isOptional = rest.first == "?"
        if isOptional { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard rest.first == "\"", rest.last == "\"", rest.count > 2 else { return nil }
        return .include(String(rest.dropFirst().dropLast()), isOptional: isOptional)
    }
}
