internal import Diagnostics
internal import SystemSupport

/// An Xcode project: for each build configuration with entitlements the app ID and the domains.
enum ProjectFile {
    private static let mark = Array("// !$*UTF8*$!".utf8)

    static func isOne(_ head: [UInt8]) -> Bool { head.starts(with: mark) }

    /// - Parameters:
    ///   - path: Of `project.pbxproj`.
    ///   - given: What the user gave: that file, or its folder.
    static func read(_ bytes: [UInt8], path: String, givenAs given: String) throws(AppProjectError) -> AppProject {
        let root: OldPropertyListReader.Value
        do throws(OldPropertyListReader.Failure) {
            root = try OldPropertyListReader.read(bytes, keeping: isWanted, ifWorthIt: isWorthKeeping)
        } catch {
            throw AppProjectError(
                .unusable, path, "the project cannot be read: \(error.message)",
                position: SourceText(bytes, path: path).position(at: error.offset))
        }
        let configurations = try ProjectConfigurations(root, path: path).all
        var reader = try EntitlementsOfProject(projectFile: path)
        return try reader.project(configurations, path: given)
    }

    private static let kinds: Set<String> = ["PBXProject", "XCBuildConfiguration", "XCConfigurationList"]
    private static let keys: Set<String> = [
        "isa", "name", "buildConfigurationList", "buildConfigurations", "buildSettings", "baseConfigurationReference",
    ]

    private static func isWanted(_ way: [String], _ key: String) -> Bool {
        switch way.count {
        case 0: key == "objects" || key == "rootObject"
        case 1: true
        case 2: keys.contains(key)
        case 3: BuildSetting.allCases.contains { $0.isKey(key) }
        default: false
        }
    }

    private static func isWorthKeeping(_ way: [String], _ value: OldPropertyListReader.Value) -> Bool {
        guard way.count == 1, let kind = value["isa"]?.string else { return way.count != 1 }
        return kinds.contains(kind) || kind.hasSuffix("Target")
    }
}

/// The settings that say which app it is, and where its entitlements are.
private enum BuildSetting: String, CaseIterable {
    case entitlements = "CODE_SIGN_ENTITLEMENTS"
    case bundleID = "PRODUCT_BUNDLE_IDENTIFIER"
    case team = "DEVELOPMENT_TEAM"

    /// Whether a key is this setting, for all systems or for some: `DEVELOPMENT_TEAM[sdk=macosx*]`.
    func isKey(_ key: String) -> Bool {
        guard key.hasPrefix(rawValue) else { return false }
        return key.utf8.count == rawValue.utf8.count
            || key.utf8.dropFirst(rawValue.utf8.count).first == UInt8(ascii: "[")
    }
}

/// A build configuration of a target, with what it takes over from the project.
private struct BuildConfiguration {
    let target: String
    let name: String
    /// More than one if they differ by system.
    let entitlements: [String]
    /// Whether a configuration file, which is not read, could name others.
    let mayHaveOthers: Bool
    let bundleID: String?
    let team: String?

    var title: String { name.isEmpty ? target : "\(target), \(name)" }

    /// Nil if a part is not known.
    var appID: AppID? {
        guard let bundleID, let team else { return nil }
        return AppID("\(team).\(bundleID)")
    }
}

/// A configuration as it is in the file, for a target or for the project.
private struct ConfigurationObject {
    let name: String
    /// Whether a configuration file, which is not read, could say more.
    let hasBase: Bool
    private let values: [BuildSetting: [String]]

    /// More than a project has systems.
    private static let mostValues = 50

    init(_ object: OldPropertyListReader.Value, path: String) throws(AppProjectError) {
        name = object["name"]?.string ?? ""
        hasBase = object["baseConfigurationReference"] != nil
        var values: [BuildSetting: [String]] = [:]
        for (key, value) in (object["buildSettings"]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let text = value.string, !text.isEmpty else { continue }
            for setting in BuildSetting.allCases where setting.isKey(key) {
                values[setting, default: []].append(text)
                guard values[setting, default: []].count <= Self.mostValues else {
                    throw AppProjectError(
                        .unusable, path, "a build configuration has more than \(Self.mostValues) '\(setting.rawValue)'")
                }
            }
        }
        self.values = values.mapValues(distinct)
    }

    /// The values of a setting, more than one if they differ by system; none if it is not set.
    subscript(_ setting: BuildSetting) -> [String] { values[setting] ?? [] }
}

/// The build configurations of all targets.
private struct ProjectConfigurations {
    typealias Value = OldPropertyListReader.Value

    private(set) var all: [BuildConfiguration] = []
    /// A project has some dozens.
    private static let most = 5_000
    /// Of references to configurations, which can name the same ones again and again.
    private static let mostReferences = 100_000

    init(_ root: Value, path: String) throws(AppProjectError) {
        let objects = root["objects"]?.members ?? [:]
        var known: [String: ConfigurationObject] = [:]
        for (id, object) in objects where object["isa"]?.string == "XCBuildConfiguration" {
            known[id] = try ConfigurationObject(object, path: path)
        }
        var references = 0
        func configurations(_ owner: Value?) throws(AppProjectError) -> [ConfigurationObject] {
            let list = owner?["buildConfigurationList"]?.string.flatMap { objects[$0] }
            let ids = list?["buildConfigurations"]?.array ?? []
            references += ids.count
            guard references <= Self.mostReferences else { throw Self.tooMany(path) }
            return ids.compactMap { $0.string.flatMap { known[$0] } }
        }
        // What the project's configurations set is taken over by those of the same name.
        let project = root["rootObject"]?.string.flatMap { objects[$0] }
        let inherited = Dictionary(
            try configurations(project).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        // The order of the file is not kept; by name it is at least the same each time.
        let targets = objects.filter { $0.value["isa"]?.string?.hasSuffix("Target") == true }
            .map { (name: $0.value["name"]?.string ?? "", id: $0.key, value: $0.value) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        for target in targets {
            for configuration in try configurations(target.value) {
                guard all.count < Self.most else { throw Self.tooMany(path) }
                all.append(Self.resolve(configuration, inherited[configuration.name], target: target.name))
            }
        }
    }

    private static func tooMany(_ path: String) -> AppProjectError {
        AppProjectError(
            .unusable, path, "the project has more than \(most) build configurations",
            help: "give the entitlements of the app instead")
    }

    private static func resolve(
        _ configuration: ConfigurationObject, _ project: ConfigurationObject?, target: String
    ) -> BuildConfiguration {
        func values(_ setting: BuildSetting) -> [String] {
            let own = configuration[setting]
            return own.isEmpty ? project?[setting] ?? [] : own
        }
        func single(_ setting: BuildSetting) -> String? {
            let found = values(setting)
            return found.count == 1 && !found[0].contains("$") ? found[0] : nil
        }
        return BuildConfiguration(
            target: target, name: configuration.name, entitlements: values(.entitlements),
            mayHaveOthers: configuration.hasBase || project?.hasBase == true,
            bundleID: single(.bundleID), team: single(.team))
    }
}

/// Reads the entitlements that a project names, each file once.
private struct EntitlementsOfProject {
    /// What `SRCROOT` is: the folder that the project's own is in.
    private let root: RawPath
    /// As messages name it.
    private let shownRoot: String
    private let projectFile: String
    private var domains: [AssociatedDomains] = []
    /// The index of a list, by the name in the project and by the file that this is.
    private var indices: [String: Int] = [:]
    private var files: [RawPath: Int] = [:]
    private var bytesLeft = AppContent.largestProject
    private var entriesLeft = PropertyList.mostElements
    /// A project has some dozens.
    private static let mostNames = 1_000

    init(projectFile: String) throws(AppProjectError) {
        guard let resolved = RawPath(projectFile).resolved else {
            throw AppProjectError(SystemError(call: "realpath"), projectFile)
        }
        self.projectFile = projectFile
        root = resolved.folder.folder
        // "Shop.xcodeproj" is in the current folder.
        let folder = Path.folder(of: projectFile)
        shownRoot = folder == "." || folder.hasSuffix("..") ? root.text : Path.folder(of: folder)
    }

    mutating func project(_ configurations: [BuildConfiguration], path: String) throws(AppProjectError) -> AppProject {
        var apps: [(AppleApp, target: String)] = []
        var unknown = false
        for configuration in configurations {
            if configuration.entitlements.isEmpty, configuration.mayHaveOthers { unknown = true }
            for name in configuration.entitlements {
                guard let index = try index(of: name, for: configuration.title) else {
                    unknown = true
                    continue
                }
                apps.append(
                    (AppleApp(name: configuration.title, id: configuration.appID, list: index), configuration.target))
            }
        }
        // A target whose entitlements have no domains in any configuration is an extension, a test, or another app.
        let withDomains = Set(apps.filter { !domains[$0.0.list].isMissing }.map(\.target))
        let relevant = apps.filter { withDomains.contains($0.target) }.map(\.0)
        var project = AppProject(path: path, kind: .project)
        guard !relevant.isEmpty else {
            let reason =
                apps.isEmpty
                ? "no build configuration names entitlements" : "the entitlements of no target have associated domains"
            project.domains = [AssociatedDomains(unknown ? .unknown : .missing(reason), path: path)]
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

    /// The index of a file's list in ``domains``; nil if only a build tells which file it is.
    ///
    /// - Parameter title: Of the build configuration that names the file.
    private mutating func index(of name: String, for title: String) throws(AppProjectError) -> Int? {
        guard let relative = expanded(name) else { return nil }
        if let index = indices[relative] { return index }
        guard indices.count < Self.mostNames else {
            throw AppProjectError(
                .unusable, projectFile, "the project names more than \(Self.mostNames) files with entitlements",
                help: "give the entitlements of the app instead")
        }
        let naming = "\(quoted(title)) names the entitlements \(quoted(name)), which"
        let path = relative.hasPrefix("/") ? RawPath(relative) : root.appending("/\(relative)")
        guard let file = path.resolved else {
            let error = FileReader.explained(SystemError(call: "open"), path.text)
            throw AppProjectError(
                .unreadable, projectFile, "\(naming) cannot be read: \(error.reason)",
                help: "correct CODE_SIGN_ENTITLEMENTS in the project, or add the file")
        }
        guard file.isInside(root) else {
            throw AppProjectError(
                .unusable, projectFile, "\(naming) are not below the folder of the project",
                help: "give these entitlements instead of the project")
        }
        let index: Int
        if let known = files[file] { index = known } else { index = try read(file, shown: shown(relative), title) }
        files[file] = index
        indices[relative] = index
        return index
    }

    /// How messages name a file.
    private func shown(_ relative: String) -> String {
        relative.hasPrefix("/") ? relative : Path.join(shownRoot, relative)
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
        let entitlements = try PropertyList.damage(shown) { () throws(DamagedPropertyList) in
            try Entitlements(list, path: shown, holder: "the entitlements have")
        }
        entriesLeft -= entitlements.domains.entries.count
        guard entriesLeft >= 0 else {
            throw AppProjectError(.unusable, shown, DamagedPropertyList.tooManyElements.message)
        }
        domains.append(entitlements.domains)
        return domains.count - 1
    }

    /// The path with the settings replaced that say where the project is; nil if there are others.
    private func expanded(_ name: String) -> String? {
        var result = name
        for variable in ["SRCROOT", "PROJECT_DIR"] {
            for form in ["$(\(variable))", "${\(variable)}"] {
                if result.hasPrefix("\(form)/") { result = String(result.dropFirst(form.count + 1)) }
            }
        }
        return result.contains("$") ? nil : result
    }
}

extension AssociatedDomains {
    var isMissing: Bool { if case .missing = value { true } else { false } }
}
