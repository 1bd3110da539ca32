internal import Android
internal import Diagnostics
internal import JSONSyntax
internal import OpenSSL
internal import SystemSupport

extension AppProject {
    /// The app that entitlements are about.
    init(path: String, kind: Kind, _ entitlements: Entitlements) {
        self.init(path: path, kind: kind)
        domains = [entitlements.domains]
        isDevelopment = entitlements.isDevelopment
        apps = [
            AppleApp(
                id: entitlements.appID.flatMap { ApplicationIdentifier($0) }, idRange: entitlements.appIDRange, list: 0)
        ]
    }

    /// Reads what an `--app` argument names. The content decides what it is, never the name.
    ///
    /// Nothing is written, and nothing outside of the file or folder is read but the entitlements and configuration files
    /// that a project names, below its folder.
    package static func read(_ path: String) throws(AppProjectError) -> AppProject {
        guard let status = FileStatus(at: path) else {
            throw AppProjectError(FileReader.explained(SystemError(call: "open"), path), path)
        }
        if status.kind == .folder { return try folder(path) }
        guard status.kind == .regular else { throw AppProjectError(.unreadable, path, "not a regular file") }
        let head = try AppContent.head(path)
        if ZipArchive.isArchive(head) {
            guard let project = try SignedApp.read(archive: path) else {
                throw AppProjectError.notAnApp(
                    path,
                    help: "the archive has no 'Payload/NAME.app/Info.plist'; of an Android app give AndroidManifest.xml"
                )
            }
            return project
        }
        let limit = ProjectFile.isOne(head) ? AppContent.largestProject : AppContent.largestFile
        return try AppContent.project(try AppContent.read(path, limit: limit), path: path)
    }

    private static func folder(_ path: String) throws(AppProjectError) -> AppProject {
        // A path that a shell has completed ends in a slash.
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let project = Path.join(folder, "project.pbxproj")
        if Path.exists(project) {
            return try ProjectFile.read(
                try AppContent.read(project, limit: AppContent.largestProject), path: project, givenAs: folder)
        }
        guard let app = try SignedApp.read(folder: folder) else {
            throw AppProjectError.notAnApp(
                path, help: "the folder has neither 'project.pbxproj' nor 'Info.plist' nor 'Contents/Info.plist'")
        }
        return app
    }
}

/// Files that are read whole, and told apart by what is in them.
enum AppContent {
    static let largestFile = 4 << 20
    static let largestProject = 16 << 20

    /// The beginning of a file, enough to tell its kind.
    static func head(_ path: String) throws(AppProjectError) -> [UInt8] {
        do throws(SystemError) {
            return try FileReader.read(path, limit: 64).bytes
        } catch {
            throw AppProjectError(error, path)
        }
    }

    static func read(_ path: String, limit: Int = largestFile) throws(AppProjectError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileReader.readSettled(path, limit: limit).bytes
        } catch {
            throw AppProjectError(error, path)
        }
        guard bytes.count <= limit else { throw AppProjectError.tooLarge(path, limit: limit) }
        return bytes
    }

    /// The project in a file that is neither a folder nor an archive.
    static func project(_ bytes: [UInt8], path: String) throws(AppProjectError) -> AppProject {
        if ProjectFile.isOne(bytes) { return try ProjectFile.read(bytes, path: path, givenAs: path) }
        if SignedData.isSigned(bytes) { return try ProvisioningProfile(bytes, path: path).project(path: path) }
        if BinaryPropertyList.isOne(bytes) {
            guard let list = try PropertyList.read(bytes, path: path) else { throw AppProjectError.notAnApp(path) }
            return try project(list, path: path)
        }
        if let document = try XMLReader.readIfXML(bytes, path: path) {
            if let list = PropertyList(document) { return try project(list, path: path) }
            if document.root.name == ManifestFile.rootName { return ManifestFile(document).project(path: path) }
            // W3C, "Widget Packaging and XML Configuration".
            let isCordova = document.root.name.utf8.elementsEqual("widget".utf8)
            let isResource = document.root.name.utf8.elementsEqual("resources".utf8)
            throw AppProjectError.notAnApp(
                path,
                help: isCordova
                    ? "this is Cordova's config.xml; run 'cordova prepare', and give the entitlements below platforms/ios, "
                        + "or platforms/android/app/src/main/AndroidManifest.xml"
                    : isResource ? "these are resources of an Android app; give its AndroidManifest.xml" : nil)
        }
        if let project = try ExpoConfiguration.read(bytes, path: path) { return project }
        if ["js", "cjs", "mjs", "ts"].contains(where: { path.hasSuffix(".config.\($0)") }) {
            throw AppProjectError.notAnApp(
                path,
                help: "this configuration is code, which is not run here; run 'npx expo config --json >app.json', and "
                    + "give that file")
        }
        throw AppProjectError.notAnApp(
            path,
            help: ManifestFile.isCompiled(bytes)
                ? "this manifest is compiled; give the one in the source code, or the merged one" : nil)
    }

    private static func project(_ list: PropertyList, path: String) throws(AppProjectError) -> AppProject {
        guard list.isDictionary else { throw AppProjectError.notAnApp(path) }
        if let profile = try ProvisioningProfile(list, path: path, isText: true) { return profile.project(path: path) }
        for key in ["CFBundleIdentifier", "CFBundleExecutable", "CFBundlePackageType"]
        where try list.member(key) != nil {
            throw AppProjectError.notAnApp(path, help: "this is an Info.plist; give the folder of the app")
        }
        let entitlements = try Entitlements(list, path: path, holder: "the entitlements have")
        return AppProject(path: path, kind: .entitlements, entitlements)
    }
}
