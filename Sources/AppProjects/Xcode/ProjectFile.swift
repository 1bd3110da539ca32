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
        let configurations = try ProjectConfigurations(root["objects"]?.members ?? [:], path: path).all
        var reader = try EntitlementsOfProject(projectFile: path)
        return try reader.project(configurations, path: given)
    }

    private static let kinds: Set<String> = ["PBXProject", "XCBuildConfiguration", "XCConfigurationList"]
    private static let keys: Set<String> = [
        "isa", "name", "buildConfigurationList", "buildConfigurations", "buildSettings", "baseConfigurationReference",
    ]

    private static func isWanted(_ way: [String], _ key: String) -> Bool {
        switch way.count {
        case 0: key == "objects"
        case 1: true
        case 2: keys.contains(key)
        case 3: BuildSetting.allCases.contains { key == $0.rawValue || key.hasPrefix("\($0.rawValue)[") }
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

/// The build configurations of all targets.
private struct ProjectConfigurations {
    private typealias Value = OldPropertyListReader.Value

    let all: [BuildConfiguration]
    /// A project has some dozens.
    private static let most = 5_000

    init(_ objects: [String: OldPropertyListReader.Value], path: String) throws(AppProjectError) {
        func configurations(_ owner: Value) -> [Value] {
            guard let list = owner["buildConfigurationList"]?.string.flatMap({ objects[$0] }) else { return [] }
            return (list["buildConfigurations"]?.array ?? []).compactMap { $0.string.flatMap { objects[$0] } }
        }
        let projects = objects.values.filter { $0["isa"]?.string == "PBXProject" }.flatMap(configurations)
        let inherited = Dictionary(
            projects.map { ($0["name"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        // The order of the file is not kept; by name it is at least the same each time.
        let targets = objects.filter { $0.value["isa"]?.string?.hasSuffix("Target") == true }
            .sorted { ($0.value["name"]?.string ?? "", $0.key) < ($1.value["name"]?.string ?? "", $1.key) }
        var found: [BuildConfiguration] = []
        for (_, target) in targets {
            for configuration in configurations(target) {
                guard found.count < Self.most else {
                    throw AppProjectError(
                        .unusable, path, "the project has more than \(Self.most) build configurations")
                }
                let name = configuration["name"]?.string ?? ""
                found.append(
                    Self.resolve(configuration, inherited[name], target: target["name"]?.string ?? "", name: name))
            }
        }
        all = found
    }

    private static func resolve(
        _ configuration: Value, _ project: Value?, target: String, name: String
    ) -> BuildConfiguration {
        func values(_ setting: BuildSetting) -> [String] {
            for owner in [configuration, project].compactMap({ $0 }) {
                let settings = owner["buildSettings"]?.members ?? [:]
                let own = settings.filter { $0.key == setting.rawValue || $0.key.hasPrefix("\(setting.rawValue)[") }
                let texts = own.sorted { $0.key < $1.key }.compactMap { $0.value.string }.filter { !$0.isEmpty }
                if !texts.isEmpty { return distinct(texts) }
            }
            return []
        }
        func single(_ setting: BuildSetting) -> String? {
            let found = values(setting)
            return found.count == 1 && !found[0].contains("$") ? found[0] : nil
        }
        return BuildConfiguration(
            target: target, name: name, entitlements: values(.entitlements),
            mayHaveOthers: configuration["baseConfigurationReference"] != nil
                || project?["baseConfigurationReference"] != nil,
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
    private var indices: [String: Int] = [:]
    private var bytesLeft = AppContent.largestProject

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
                guard let index = try index(of: name) else {
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
    private mutating func index(of name: String) throws(AppProjectError) -> Int? {
        guard let relative = expanded(name) else { return nil }
        if let index = indices[relative] { return index }
        let shown = relative.hasPrefix("/") ? relative : Path.join(shownRoot, relative)
        let file = relative.hasPrefix("/") ? RawPath(relative) : root.appending("/\(relative)")
        guard file.resolved != nil else {
            throw AppProjectError(
                .unreadable, projectFile,
                "names the entitlements \(quoted(name)), which cannot be read: "
                    + FileReader.explained(SystemError(call: "open"), file.text).reason)
        }
        guard file.isInside(root) else {
            throw AppProjectError(
                .unusable, projectFile,
                "names the entitlements \(quoted(name)), which are not below the folder of the project",
                help: "give that file itself, too")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.readSettled(file.text, limit: min(AppContent.largestFile, bytesLeft)).bytes
        } catch {
            throw AppProjectError(error, shown)
        }
        guard bytes.count <= min(AppContent.largestFile, bytesLeft) else {
            throw AppProjectError.tooLarge(shown, limit: AppContent.largestFile)
        }
        bytesLeft -= bytes.count
        guard let list = try PropertyList.read(bytes, path: shown), list.isDictionary else {
            throw AppProjectError(.unusable, shown, "not an entitlements file, though the project says so")
        }
        let entitlements = try PropertyList.damage(shown) { () throws(DamagedPropertyList) in
            try Entitlements(list, path: shown, holder: "the entitlements have")
        }
        domains.append(entitlements.domains)
        indices[relative] = domains.count - 1
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
