internal import AppSiteAssociation
internal import AssociationFiles
internal import AssociationLint
package import Diagnostics
internal import EventLoops
internal import SystemSupport
internal import URLPatterns

/// Reads the folder of sites, and has their files checked as `aasa validate` does (server.md, sections 1 and 5).
package struct SiteLoader {
    private let folder: String
    private let configuration: ServerConfiguration
    private let numbers: SiteNumbers
    private let rules: RuleCatalogue
    private let now: Int64
    /// The sites that are served now, by domain.
    private let previous: [String: LoadedSite]
    private let memory: SiteMemory?

    /// - Parameters:
    ///   - previous: the sites that are served now. What is as it was then is not checked again.
    ///   - numbers: those of the server.
    ///   - memory: the last good files of an earlier process; nil if there is none, or they are in `previous`.
    ///   - rules: The rules whose codes an `.aasa.json` may name.
    ///   - now: seconds since 1970.
    package init(
        _ configuration: ServerConfiguration, previous: some Collection<LoadedSite> = [LoadedSite](),
        numbers: SiteNumbers = SiteNumbers(), memory: SiteMemory? = nil,
        rules: RuleCatalogue = RuleRegistry.catalogue, now: Int64 = Clock.wallSeconds()
    ) {
        self.rules = rules
        folder = configuration.sites
        self.configuration = configuration
        self.numbers = numbers
        self.now = now
        self.memory = memory
        self.previous = Dictionary(previous.map { ($0.domain, $0) }) { first, _ in first }
    }

    /// - Throws: `ServerError`: `unreadable` if the folder itself cannot be read, `configuration` for a `wellKnown` that
    ///   cannot be served. What is wrong with one site is a finding, that of the site or, for a folder that can be no site,
    ///   one of those that are returned.
    package func load() throws(ServerError) -> SiteLoad {
        let others = try SiteFile.others(configuration)
        let (names, omitted) = try folders()
        var reader = SiteFileReader(
            SiteFileAccess(configuration), memory: memory, limit: configuration.limits.publishedBytes,
            cacheMaxAge: configuration.cacheMaxAge, rules: rules, now: now)
        var sites: [LoadedSite] = []
        var findings: [LocatedDiagnostic] = []
        var refusedFolders = 0
        sites.reserveCapacity(names.count)
        for name in names {
            let path = Path.join(folder, name)
            if let domain = Self.domain(of: name) {
                sites.append(site(domain, path, others, &reader))
            } else {
                refusedFolders += 1
                findings.append(Self.invalidName(name, at: path))
            }
        }
        if !omitted.isEmpty {
            refusedFolders += omitted.count
            findings.append(Self.tooMany(omitted, configuration.limits.sites, at: folder))
        }
        findings = reader.kept(findings) + reader.kept(reader.configurationFindings())
        return SiteLoad(
            sites: SiteList(sites), findings: findings, refusedFolders: refusedFolders, needsRetry: reader.needsRetry)
    }

    /// The names of the folders that are loaded, sorted, and of those that are too many: sites that are served now stay.
    private func folders() throws(ServerError) -> (loaded: [String], omitted: [String]) {
        let names = try Self.folders(in: folder)
        var room = configuration.limits.sites
        guard names.count > room else { return (names, []) }
        let isServed = names.map { name in Self.domain(of: name).map { previous[$0] != nil } ?? false }
        room -= isServed.count { $0 }
        var loaded: [String] = []
        var omitted: [String] = []
        for (name, isServed) in zip(names, isServed) {
            guard !isServed else {
                loaded.append(name)
                continue
            }
            if room > 0 { loaded.append(name) } else { omitted.append(name) }
            room -= 1
        }
        return (loaded, omitted)
    }

    private static func tooMany(_ omitted: [String], _ limit: Int, at folder: String) -> LocatedDiagnostic {
        let others = omitted.count > 1 ? " and \(grouped(omitted.count - 1)) more" : ""
        return .error(
            folder,
            "the folder has more than \(grouped(limit)) sites; \(quoted(omitted[0]))\(others) are not loaded",
            help: "raise 'limits.sites' in server.json if the memory allows it, or remove folders")
    }

    private static func folders(in folder: String) throws(ServerError) -> [String] {
        do throws(SystemError) {
            return try Folder.folders(in: folder)
        } catch {
            throw ServerError(
                .unreadable, "cannot read the sites folder '\(folder)': \(error.reason)",
                help:
                    "create a folder for each domain, like '\(folder)/example.com', or choose another folder with --sites; "
                    + "'aasa serve --demo' tries a sample"
            )
        }
    }

    /// The domains that there are folders for, without a look into them; sorted.
    ///
    /// - Throws: `ServerError.Code.unreadable`.
    static func domains(_ configuration: ServerConfiguration) throws(ServerError) -> [String] {
        try folders(in: configuration.sites).compactMap(domain).sorted()
    }

    private func site(
        _ domain: String, _ path: String, _ others: [SiteFile], _ reader: inout SiteFileReader
    ) -> LoadedSite {
        let before = previous[domain]
        let association = reader.read(.association, of: domain, in: path, previous: before?.association)
        let otherFiles = others.compactMap { file in
            reader.readOptional(file, of: domain, in: path, previous: before?.otherFiles.first { $0.name == file.name })
        }
        return LoadedSite(
            domain: domain, number: before?.number ?? numbers.number(of: domain), association: association,
            otherFiles: otherFiles, changedFiles: reader.takeChanges())
    }

    /// The prefix of the folder of `*.example.com`: a `*` is awkward in file names.
    private static let wildcardPrefix = "_wildcard."

    private static func domain(of folder: String) -> String? {
        let isWildcard = folder.hasPrefix(wildcardPrefix)
        let name = isWildcard ? String(folder.dropFirst(wildcardPrefix.count)) : folder
        guard HostName(dns: name)?.ascii == name else { return nil }
        return isWildcard ? "*.\(name)" : name
    }

    private static func invalidName(_ folder: String, at path: String) -> LocatedDiagnostic {
        let lower = folder.lowercased()
        if folder != lower, domain(of: lower) != nil {
            return .error(path, "the folder's name is not in lowercase", help: "rename it to '\(lower)'")
        }
        let problem = "the folder's name is not a host name"
        if let ascii = Punycode.ascii(folder), ascii != folder, domain(of: ascii) != nil {
            return .error(path, problem, help: "use Punycode: '\(ascii)'")
        }
        return .error(path, "\(problem); expected one like 'example.com' or '_wildcard.example.com'")
    }
}

/// The contents of the folder of sites.
package struct SiteLoad: Sendable {
    package let sites: SiteList
    /// The findings that are not about the file of a site: folders that can be none, and `.aasa.json`.
    package let findings: [LocatedDiagnostic]
    /// The number of folders that can be no site.
    package var refusedFolders = 0
    /// Whether a file was written while it was read: what is served of it may be old, so it has to be read again.
    package var needsRetry = false
}
