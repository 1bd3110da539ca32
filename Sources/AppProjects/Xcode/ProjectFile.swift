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
