internal import Diagnostics
internal import SystemSupport

/// Reads the entitlements that a project names, each file once.
struct EntitlementsOfProject {
    private let folder: ProjectFolder
    private let projectFile: String
    private var domains: [AssociatedDomains] = []
    /// The index of a list, by the name in the project and by the file that this is.
    private var indices: [String: Int] = [:]
    private var files: [RawPath: Int] = [:]
    private var resolvedLists: [ResolvedList: Int] = [:]
    /// The budget of resolving the settings of all configurations, in steps.
    private var work = 8_000_000
    private var bytesLeft = AppContent.largestProject
    private var entriesLeft = PropertyList.maxElements
    /// A project has some dozens.
    private static let maxNames = 1_000

    init(_ folder: ProjectFolder, projectFile: String) {
        self.folder = folder
        self.projectFile = projectFile
    }

    mutating func project(_ configurations: [BuildConfiguration], path: String) throws(AppProjectError) -> AppProject {
        var apps: [(AppleApp, target: String)] = []
        var project = AppProject(path: path, kind: .project)
        /// The clauses about configuration files without which it is not known whether there are entitlements.
        var unread: [String] = []
        for configuration in configurations {
            for var build in ResolvedBuild.all(configuration, folder, &work) {
                switch build.entitlements {
                case .none: break
                case .uncertain: unread += unread.isEmpty ? configuration.unread : []
                case .unresolved(let value): project.unresolved.append(value)
                case .file(let name):
                    let file = try index(of: name, for: configuration.title)
                    let list = try resolved(file, &build)
                    let app = AppleApp(
                        name: configuration.title, id: build.id, list: list, unresolved: build.unresolved)
                    apps.append((app, configuration.target))
                }
            }
            guard work > 0 else {
                throw AppProjectError(
                    .unusable, projectFile, "the build settings of the project refer to each other too often",
                    help: "give the entitlements of the app instead")
            }
        }
        project.unresolved = distinct(project.unresolved)
        // A target whose entitlements have no domains in any configuration is an extension, a test, or another app.
        let withDomains = Set(apps.filter { !domains[$0.0.list].isMissing }.map(\.target))
        let relevant = apps.filter { withDomains.contains($0.target) }.map(\.0)
        guard !relevant.isEmpty else {
            let reason =
                apps.isEmpty
                ? "no build configuration names entitlements" : "the entitlements of no target have associated domains"
            if apps.isEmpty, project.unresolved.isEmpty, !unread.isEmpty {
                project.unresolved = [UnresolvedValue(missingEntitlements: unread)]
            }
            let isUnknown = !project.unresolved.isEmpty
            let malformed = apps.map { domains[$0.0.list] }.first(where: \.isMalformed)
            project.domains = [malformed ?? AssociatedDomains(isUnknown ? .unknown : .missing(reason), path: path)]
            project.apps = [AppleApp(list: 0)]
            return project
        }
        let lists = distinct(relevant.map(\.list))
        project.domains = lists.map { domains[$0] }
        project.apps = relevant.map { app in
            var app = app
            app.list = lists.firstIndex(of: app.list) ?? 0
            return app
        }
        return project
    }

    /// The index of a list in ``domains`` that has the entries of another one with their references replaced.
    private mutating func resolved(_ index: Int, _ build: inout ResolvedBuild) throws(AppProjectError) -> Int {
        let list = domains[index]
        guard list.entries.contains(where: \.isUnresolved) else { return index }
        work -= 2 * list.entries.count
        guard work > 0 else { return index }
        let entries = list.entries.map { $0.isUnresolved ? build.resolved($0, &work) : $0 }
        let key = ResolvedList(file: index, entries: entries.map { $0.isUnresolved ? "" : $0.text })
        if let known = resolvedLists[key] { return known }
        entriesLeft -= entries.count
        guard entriesLeft >= 0 else { throw .tooManyDomains(list.path) }
        domains.append(
            AssociatedDomains(.entries(entries), path: list.path, source: list.source, range: list.range))
        resolvedLists[key] = domains.count - 1
        return domains.count - 1
    }

    private struct ResolvedList: Hashable {
        let file: Int
        let entries: [String]
    }

    /// The index of a file's list in ``domains``.
    ///
    /// - Parameters:
    ///   - relative: The path of the file, as the project has it.
    ///   - title: The build configuration that names it.
    private mutating func index(of relative: String, for title: String) throws(AppProjectError) -> Int {
        if let index = indices[relative] { return index }
        guard indices.count < Self.maxNames else {
            throw AppProjectError(
                .unusable, projectFile, "the project names more than \(Self.maxNames) files with entitlements",
                help: "give the entitlements of the app instead")
        }
        let naming = "\(quoted(title)) names the entitlements \(quoted(relative)), which"
        let path = folder.path(relative)
        guard let file = path.resolved else {
            let error = FileReader.explained(SystemError(call: "open"), path.text)
            throw AppProjectError(
                .unreadable, projectFile, "\(naming) cannot be read: \(error.reason)",
                help: "correct CODE_SIGN_ENTITLEMENTS in the project, or add the file")
        }
        guard file.isInside(folder.resolved) else {
            throw AppProjectError(
                .unusable, projectFile, "\(naming) are not below the folder of the project",
                help: "give these entitlements instead of the project")
        }
        let index: Int
        if let known = files[file] {
            index = known
        } else {
            index = try read(file, shown: folder.shown(relative), title)
        }
        files[file] = index
        indices[relative] = index
        return index
    }

    private mutating func read(_ file: RawPath, shown: String, _ title: String) throws(AppProjectError) -> Int {
        let limit = min(AppContent.largestFile, bytesLeft)
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.readSettled(file.text, limit: limit).bytes
        } catch {
            throw AppProjectError(error, shown)
        }
        guard bytes.count <= limit else { throw AppProjectError.tooLarge(shown, limit: AppContent.largestFile) }
        bytesLeft -= bytes.count
        guard let list = try PropertyList.read(bytes, path: shown), list.isDictionary else {
            throw AppProjectError(.unusable, shown, "not an entitlements file, though \(quoted(title)) names it")
        }
        let entitlements = try Entitlements(list, path: shown, holder: "the entitlements have")
        entriesLeft -= entitlements.domains.entries.count
        guard entriesLeft >= 0 else { throw .tooManyDomains(shown) }
        domains.append(entitlements.domains)
        return domains.count - 1
    }
}

extension ResolvedBuild {
    /// An entry with its references to build settings replaced; as it is, if one of them is not known.
    mutating func resolved(_ entry: DomainEntry, _ work: inout Int) -> DomainEntry {
        do throws(SettingExpander.Failure) {
            return EntryReader.entry(
                try expander.expanded(entry.text, &work), range: entry.range, pointer: entry.pointer,
                written: entry.text)
        } catch {
            var entry = entry
            entry.reasons = error.notes(configuration.unread)
            return entry
        }
    }
}

extension AssociatedDomains {
    var isMissing: Bool { if case .missing = value { true } else { false } }
}
