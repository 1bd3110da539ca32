/// A build configuration of a target.
struct BuildConfiguration {
    let target: String
    let name: String
    /// Its settings by their precedence: of the target, its file, the project, and that one's file.
    let levels: [SettingTable]
    /// A clause about each of the first configuration files that were not read.
    let unread: [String]

    var title: String { name.isEmpty ? target : "\(target), \(name)" }
}

/// A build configuration as it is in the project, for a target or for the project as a whole.
private struct ConfigurationObject {
    let name: String
    let settings: SettingTable
    /// The configuration file that it is based on.
    let file: String?

    init(_ object: OldPropertyListReader.Value, _ paths: ProjectPaths) {
        name = object["name"]?.string ?? ""
        var settings = SettingTable()
        // A condition comes after the name alone, and counts before it.
        for (key, value) in (object["buildSettings"]?.members ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let text = value.string ?? value.array?.compactMap(\.string).joined(separator: " ") else { continue }
            settings.add(key: key, text)
        }
        self.settings = settings
        if let reference = object["baseConfigurationReference"]?.string {
            file = paths.path(of: reference)
        } else if let anchor = object["baseConfigurationReferenceAnchor"]?.string.flatMap({ paths.path(of: $0) }),
            let path = object["baseConfigurationReferenceRelativePath"]?.string
        {
            file = anchor.isEmpty ? path : "\(anchor)/\(path)"
        } else {
            file = nil
        }
    }
}

/// The paths of the files and groups of a project.
private struct ProjectPaths {
    private let objects: [String: OldPropertyListReader.Value]
    private var parents: [String: String] = [:]
    private static let maxLevels = 100

    init(_ objects: [String: OldPropertyListReader.Value]) {
        self.objects = objects
        for (id, object) in objects {
            for child in object["children"]?.array ?? [] {
                if let child = child.string { parents[child] = id }
            }
        }
    }

    /// The path of an object from the folder of the project, or an absolute one; nil if it is not known.
    func path(of id: String) -> String? {
        var parts: [String] = []
        var next: String? = id
        for _ in 0..<Self.maxLevels {
            guard let id = next, let object = objects[id] else { break }
            if let path = object["path"]?.string { parts.insert(path, at: 0) }
            switch object["sourceTree"]?.string ?? "<group>" {
            case "<group>": next = parents[id]
            case "SOURCE_ROOT", "<absolute>": next = nil
            default: return nil
            }
        }
        return objects[id] == nil ? nil : parts.joined(separator: "/")
    }
}

/// The build configurations of all targets of a project.
struct ProjectConfigurations {
    private typealias Value = OldPropertyListReader.Value

    private(set) var all: [BuildConfiguration] = []
    /// A project has some dozens.
    private static let maxConfigurations = 5_000
    /// The most references to configurations, which can name the same ones again and again.
    private static let maxReferences = 100_000

    init(
        _ root: OldPropertyListReader.Value, path: String, files: inout ConfigurationFiles
    ) throws(AppProjectError) {
        let objects = root["objects"]?.members ?? [:]
        let paths = ProjectPaths(objects)
        var known: [String: ConfigurationObject] = [:]
        for (id, object) in objects where object["isa"]?.string == "XCBuildConfiguration" {
            known[id] = ConfigurationObject(object, paths)
        }
        var references = 0
        func configurations(_ owner: Value?) throws(AppProjectError) -> [ConfigurationObject] {
            let list = owner?["buildConfigurationList"]?.string.flatMap { objects[$0] }
            let ids = list?["buildConfigurations"]?.array ?? []
            references += ids.count
            guard references <= Self.maxReferences else { throw Self.tooMany(path) }
            return ids.compactMap { $0.string.flatMap { known[$0] } }
        }
        // The settings of the project's configurations are inherited by those of the same name.
        let project = root["rootObject"]?.string.flatMap { objects[$0] }
        let inherited = Dictionary(
            try configurations(project).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        // The order of the file is not kept; by name it is at least the same each time.
        let targets = objects.filter { $0.value["isa"]?.string?.hasSuffix("Target") == true }
            .map { (name: $0.value["name"]?.string ?? "", id: $0.key, value: $0.value) }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        for target in targets {
            for configuration in try configurations(target.value) {
                guard all.count < Self.maxConfigurations else { throw Self.tooMany(path) }
                var levels: [SettingTable] = []
                var unread: [String] = []
                for object in [configuration, inherited[configuration.name]] {
                    guard let object else { continue }
                    levels.append(object.settings)
                    guard let file = object.file else { continue }
                    let contents = try files.read(file)
                    levels.append(contents.table)
                    unread += contents.unread
                }
                all.append(
                    BuildConfiguration(
                        target: target.name, name: configuration.name, levels: levels, unread: distinct(unread)))
            }
        }
    }

    private static func tooMany(_ path: String) -> AppProjectError {
        AppProjectError(
            .unusable, path, "the project has more than \(maxConfigurations) build configurations",
            help: "give the entitlements of the app instead")
    }
}

/// An Xcode project: for each build configuration with entitlements the app ID and the domains.
enum ProjectFile {
    private static let mark = Array("// !$*UTF8*$!".utf8)

    static func isOne(_ head: [UInt8]) -> Bool { head.starts(with: mark) }

    /// - Parameters:
    ///   - path: Of `project.pbxproj`.
    ///   - given: What the user gave: that file, or its folder.
    static func read(_ bytes: [UInt8], path: String, givenAs given: String) throws(AppProjectError) -> AppProject {
        let root = try OldPropertyListReader.read(bytes, path: path, keeping: isWanted, ifWorthIt: isWorthKeeping)
        let folder = try ProjectFolder(projectFile: path)
        var files = ConfigurationFiles(folder, projectFile: path)
        let configurations = try ProjectConfigurations(root, path: path, files: &files).all
        var reader = EntitlementsOfProject(folder, projectFile: path)
        return try reader.project(configurations, path: given)
    }

    private static let kinds: Set<String> = [
        "PBXProject", "PBXGroup", "PBXFileSystemSynchronizedRootGroup", "XCBuildConfiguration", "XCConfigurationList",
    ]
    private static let keys: Set<String> = [
        "isa", "name", "path", "sourceTree", "children", "buildConfigurationList", "buildConfigurations",
        "buildSettings", "baseConfigurationReference", "baseConfigurationReferenceAnchor",
        "baseConfigurationReferenceRelativePath",
    ]

    private static func isWanted(_ way: [String], _ key: String) -> Bool {
        switch way.count {
        case 0: key == "objects" || key == "rootObject"
        case 1: true
        case 2: keys.contains(key)
        case 3: way[2] == "buildSettings"
        default: false
        }
    }

    private static func isWorthKeeping(_ way: [String], _ value: OldPropertyListReader.Value) -> Bool {
        guard way.count == 1, let kind = value["isa"]?.string else { return way.count != 1 }
        return kinds.contains(kind) || kind.hasSuffix("Target")
            || kind == "PBXFileReference" && value["path"]?.string?.hasSuffix(".xcconfig") == true
    }
}
