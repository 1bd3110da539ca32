package import AssociationLint
package import Diagnostics
internal import OpenSSL
internal import SystemSupport

/// Tells configurations of the validator apart, and one from what it was before.
package struct LintConfigurationIdentity: Equatable, Sendable {
    /// The path of the `.aasa.json`.
    package let path: String
    /// The SHA-256 of its bytes, or why it cannot be read.
    let digest: [UInt8]
}

/// Finds the nearest `.aasa.json` at or above a file, not beyond the root of its Git repository.
struct LintConfigurationFinder {
    /// A configuration, and what a file is called in it.
    struct Found {
        let configuration: LintConfiguration
        let identity: LintConfigurationIdentity
        /// The file's path, relative to the configuration's folder.
        let relativePath: String
    }

    private typealias Read = (configuration: LintConfiguration, identity: LintConfigurationIdentity)

    private struct Search {
        let path: String
        /// The folder that the path leads to.
        let folder: String
        /// The path of the `.aasa.json`; nil if there is none.
        let configuration: String?
    }

    /// The maximum size of a configuration, in bytes.
    private static let limit = 1 << 20

    private let path: String?
    private let rules: RuleCatalogue
    private var configurations: [String: Read] = [:]
    /// The path of the nearest configuration by folder; nil where there is none.
    private var nearest: [String: String?] = [:]
    private var latest: Search?
    /// Folders without links and dots, by the paths that lead there.
    private var resolved: [String: String] = [:]
    /// Whether a configuration was being written while it was read.
    private(set) var hasUnsettled = false

    /// - Parameter rules: The rules whose codes a configuration may name.
    init(path: String?, rules: RuleCatalogue) {
        self.path = path
        self.rules = rules
    }

    /// All configurations that were read, by their paths.
    var all: [(path: String, configuration: LintConfiguration)] {
        configurations.sorted { $0.key < $1.key }.map { ($0.key, $0.value.configuration) }
    }

    /// - Parameter path: The file's; `-` for standard input counts as a file of the working directory.
    mutating func configuration(forFileAt file: String) -> Found? {
        let search = search(Path.folder(of: file == "-" ? "./-" : file))
        guard let path = search.configuration else { return nil }
        let found = read(path)
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let home = Self.absolute(Path.folder(of: path))
        let whole = search.folder == "/" ? "/\(name)" : "\(search.folder)/\(name)"
        let relativePath = Path.relative(whole, to: home) ?? whole
        return Found(
            configuration: found.configuration, identity: found.identity, relativePath: relativePath)
    }

    /// The identity of the configuration of the files in a folder, which tells it from others; nil if there is none.
    mutating func identity(forFilesIn folder: String) -> LintConfigurationIdentity? {
        search(folder).configuration.map { read($0).identity }
    }

    /// Where the configuration for a folder is. The files of a folder are asked for one after the other.
    private mutating func search(_ path: String) -> Search {
        if let latest, latest.path == path { return latest }
        let folder = resolve(path)
        let search = Search(path: path, folder: folder, configuration: self.path ?? configuration(nearestTo: folder))
        latest = search
        return search
    }

    private mutating func read(_ path: String) -> Read {
        if let known = configurations[path] { return known }
        let configuration: LintConfiguration
        let digest: [UInt8]
        do throws(SystemError) {
            let contents = try FileReader.readSettled(path, limit: Self.limit)
            if !contents.isSettled { hasUnsettled = true }
            digest = SHA256Digest.hash(contents.bytes)
            configuration =
                contents.bytes.count > Self.limit
                ? LintConfiguration(unreadable: "it has more than \(grouped(Self.limit)) bytes", path: path)
                : LintConfiguration(contents.bytes, path: path, rules: rules)
        } catch {
            digest = Array(error.reason.utf8)
            configuration = LintConfiguration(unreadable: error.reason, path: path)
        }
        let read = (configuration, LintConfigurationIdentity(path: path, digest: digest))
        configurations[path] = read
        return read
    }

    /// Finds the configuration for a folder. A result holds for the folders below that have no configuration of their
    /// own: thousands of sites lie side by side.
    private mutating func configuration(nearestTo folder: String) -> String? {
        if let known = nearest[folder] { return known }
        let start = folder == "/" ? folder : "\(folder)/"
        let candidate = start + LintConfiguration.fileName
        var found: String?
        if Path.exists(candidate) {
            // As short as it can be from here.
            found = Path.relative(candidate, to: Self.absolute(".")) ?? candidate
        } else if case let parent = Path.folder(of: folder), parent != folder, !Path.exists("\(start).git") {
            found = configuration(nearestTo: parent)
        }
        nearest[folder] = found
        return found
    }

    /// As `absolute`, in one step for the folders side by side in another one.
    private mutating func resolve(_ folder: String) -> String {
        let parent = Path.folder(of: folder)
        let name = folder.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let isPlain = folder.utf8.contains(UInt8(ascii: "/")) && !name.isEmpty && !name.hasPrefix(".")
        guard isPlain, !Path.isLink(folder) else { return Self.absolute(folder) }
        let start = resolved[parent] ?? Self.absolute(parent)
        resolved[parent] = start
        return start == "/" ? "/\(name)" : "\(start)/\(name)"
    }

    /// The folder without links and dots; as it is if it cannot be resolved.
    private static func absolute(_ folder: String) -> String {
        Path.resolved(folder) ?? folder
    }
}

/// The `.aasa.json` of the working directory, or the one that `--config` names, for a command that checks hosts.
package struct WorkingConfiguration: Sendable {
    package let configuration: LintConfiguration
    private let finder: LintConfigurationFinder

    /// - Parameters:
    ///   - path: The path of the configuration; nil looks for the nearest `.aasa.json`.
    ///   - rules: The rules whose codes it may name.
    /// - Returns: Nil if there is none.
    package init?(_ path: String? = nil, rules: RuleCatalogue) {
        var nearest = LintConfigurationFinder(path: path, rules: rules)
        guard let found = nearest.configuration(forFileAt: "-") else { return nil }
        configuration = found.configuration
        // Files in other folders are judged by the same one.
        finder = LintConfigurationFinder(path: found.identity.path, rules: rules)
    }

    /// The findings to ignore in a file on disk.
    package func ignores(forFileAt path: String) -> [Ignore] {
        var finder = finder
        return configuration.ignores(forFileAt: finder.configuration(forFileAt: path)?.relativePath ?? path)
    }

    /// The findings to ignore of a host.
    ///
    /// - Parameter path: `HOST`, or `HOST/PATH`.
    package func ignores(forHostPath path: String) -> [Ignore] { configuration.ignores(forFileAt: path) }
}
