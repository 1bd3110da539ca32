internal import Diagnostics
internal import Glibc
internal import SystemSupport

/// A signed app: what its Info.plist, its profile and the signature of its executable say together.
enum SignedApp {
    /// The folder of an app, for iOS or the Mac; nil if the folder is not one.
    static func read(folder: String) throws(AppProjectError) -> AppProject? {
        let isForMac = FileStatus(at: "\(folder)/Info.plist") == nil
        let contents = isForMac ? "\(folder)/Contents" : folder
        guard FileStatus(at: "\(contents)/Info.plist")?.kind == .regular else { return nil }
        let info = try AppInformation(try AppContent.read("\(contents)/Info.plist"), path: folder)
        let profile = "\(contents)/\(isForMac ? "embedded.provisionprofile" : "embedded.mobileprovision")"
        let executable = "\(contents)/\(isForMac ? "MacOS/" : "")\(info.executable)"
        return try AppParts(
            path: folder, info: info, profile: FileStatus(at: profile) == nil ? nil : try AppContent.read(profile),
            signature: try signature(file: executable)
        ).project()
    }

    /// An archive with an app below `Payload`; nil if there is none.
    static func read(archive path: String) throws(AppProjectError) -> AppProject? {
        let archive = try zip(path) { () throws(ZipError) in try ZipArchive(path: path) }
        guard let (folder, infoIndex) = appFolder(in: archive) else { return nil }
        func content(_ index: Int) throws(AppProjectError) -> [UInt8] {
            try zip(path) { () throws(ZipError) in try archive.read(index, limit: AppContent.largestFile) }
        }
        let info = try AppInformation(try content(infoIndex), path: path)
        var (profile, executable): (Int?, Int?)
        let profileName = folder + Array("embedded.mobileprovision".utf8)
        let executableName = folder + Array(info.executable.utf8)
        for index in 0..<archive.count {
            guard let name = archive.name(index), name.count > folder.count else { continue }
            if name == profileName { profile = index }
            if name == executableName { executable = index }
        }
        guard let executable else {
            throw AppProjectError(
                .unusable, path, "the app has no executable \(quoted(info.executable))",
                help: "the archive is not complete; export it again")
        }
        let entry = try zip(path) { () throws(ZipError) in try ZipEntry(executable, of: archive) }
        var reader = SequentialReader(path: path, limit: largestExecutable) { (buffer) throws(AppProjectError) in
            try zip(path) { () throws(ZipError) in try entry.read(into: buffer) }
        }
        var profileContent: [UInt8]?
        if let profile { profileContent = try content(profile) }
        return try AppParts(
            path: path, info: info, profile: profileContent, signature: try CodeSignature.read(&reader)
        ).project()
    }

    /// The largest part of an executable in an archive that is read: all before its signature has to be unpacked.
    private static let largestExecutable = 320 << 20

    /// `Payload/NAME.app/`, and the entry of the Info.plist in it.
    private static func appFolder(in archive: ZipArchive) -> (folder: [UInt8], info: Int)? {
        let start = Array("Payload/".utf8)
        let end = Array(".app/Info.plist".utf8)
        for index in 0..<archive.count {
            guard let name = archive.name(index), name.count > start.count + end.count, name.starts(with: start),
                name.suffix(end.count).elementsEqual(end),
                !name[start.count..<(name.count - end.count)].contains(UInt8(ascii: "/"))
            else { continue }
            return (Array(name.dropLast("Info.plist".utf8.count)), index)
        }
        return nil
    }

    private static func signature(file path: String) throws(AppProjectError) -> CodeSignature.Content {
        // A link could lead anywhere.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { throw AppProjectError(SystemError(call: "open"), path) }
        defer { close(descriptor) }
        guard let status = FileStatus(of: descriptor), status.kind == .regular else {
            throw AppProjectError(.unreadable, path, "not a regular file")
        }
        let size = Int(status.stamp.size)
        var reader = SequentialReader(
            path: path, limit: size, seek: { $0 <= size && lseek(descriptor, off_t($0), SEEK_SET) == off_t($0) },
            fill: { (buffer) throws(AppProjectError) in
                guard let count = FileReader.fill(buffer, from: descriptor) else {
                    throw AppProjectError(SystemError(call: "read"), path)
                }
                return count
            })
        return try CodeSignature.read(&reader)
    }

    private static func zip<Value>(
        _ path: String, _ body: () throws(ZipError) -> Value
    ) throws(AppProjectError) -> Value {
        do throws(ZipError) {
            return try body()
        } catch {
            switch error {
            case .unreadable(let error): throw AppProjectError(error, path)
            case .unusable(let reason), .tooLarge(let reason):
                throw AppProjectError(
                    .unusable, path, reason, help: "export the app again, or unpack the archive and give 'NAME.app'")
            case .missingLibrary(let library): throw AppProjectError(library, path)
            }
        }
    }
}

/// The values that are needed of an Info.plist.
struct AppInformation {
    let bundleID: String?
    /// The name of a file, not a path.
    let executable: String

    /// - Parameter path: Of the app.
    init(_ bytes: [UInt8], path: String) throws(AppProjectError) {
        guard let list = try PropertyList.read(bytes, path: path), list.isDictionary else {
            throw AppProjectError(.unusable, path, "the Info.plist of the app is not a property list")
        }
        bundleID = try list.member("CFBundleIdentifier")?.string()
        guard let name = try list.member("CFBundleExecutable")?.string(), !name.isEmpty, name != ".", name != "..",
            name.utf8.count <= 255,
            !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else {
            throw AppProjectError(
                .unusable, path, "the Info.plist of the app does not name its executable",
                help: "give the folder of the app itself, such as 'NAME.app'")
        }
        executable = name
    }
}

/// The parts of a signed app, which have to agree.
private struct AppParts {
    let path: String
    let info: AppInformation
    let profile: [UInt8]?
    let signature: CodeSignature.Content

    func project() throws(AppProjectError) -> AppProject {
        var project = AppProject(path: path, kind: .app)
        var profile: ProvisioningProfile?
        if let bytes = self.profile { profile = try ProvisioningProfile(bytes, path: path) }
        project.expires = profile?.expires
        project.isDevelopment = profile?.entitlements.isDevelopment
        let signed = try signedEntitlements()
        let signedID = signed?.appID.flatMap { ApplicationIdentifier($0) }
        let profileID = profile?.appID(for: signedID?.bundle ?? info.bundleID)
        if let signedID, let profileID, signedID != profileID { project.profileAppID = profileID }
        project.domains = [signed?.domains ?? AssociatedDomains(missing, path: path)]
        project.apps = [AppleApp(id: signedID ?? profileID, list: 0)]
        return project
    }

    private var missing: AssociatedDomains.Value {
        if case .unsigned = signature { return .missing("the app is not signed, so it has no associated domains") }
        return .missing("the signature of the app has no entitlements, so it has no associated domains")
    }

    private func signedEntitlements() throws(AppProjectError) -> Entitlements? {
        switch signature {
        case .notAnExecutable:
            throw AppProjectError(
                .unusable, path, "\(quoted(info.executable)) is not an executable for Apple's systems")
        case .unsigned, .withoutEntitlements: return nil
        case .entitlements(let bytes):
            guard let list = try PropertyList.read(bytes, path: path), list.isDictionary else {
                throw AppProjectError(.unusable, path, "the entitlements in the signature are not a property list")
            }
            return try Entitlements(list, path: path, isText: false, holder: "the signature of the app has")
        }
    }
}

/// Reads bytes from the first to the last, and never more than was asked for: a file, or an entry of an archive.
struct SequentialReader {
    /// Fills a buffer, and returns how much of it; 0 at the end.
    typealias Fill = (UnsafeMutableRawBufferPointer) throws(AppProjectError) -> Int

    /// The app that the bytes are of, as messages call it.
    private let path: String
    private let fill: Fill
    /// Goes to an offset without reading what is before it; nil where that is not possible.
    private let seek: ((Int) -> Bool)?
    private let limit: Int
    private(set) var position = 0

    /// - Parameter limit: How many bytes are read at most, those included that are passed over.
    init(path: String, limit: Int, seek: ((Int) -> Bool)? = nil, fill: @escaping Fill) {
        self.path = path
        self.limit = limit
        self.seek = seek
        self.fill = fill
    }

    /// There are fewer bytes than the structure in them says, or it refers to what was read before.
    var damaged: AppProjectError {
        AppProjectError(
            .unusable, path, "the executable, or its signature, is damaged", help: "export the app again")
    }

    private var tooFar: AppProjectError {
        AppProjectError(
            .unusable, path, "the executable is larger than \(limit >> 20) MiB",
            help: "unpack the archive and give the folder of the app")
    }

    /// - Parameter count: Small, or bounded before.
    mutating func read(_ count: Int) throws(AppProjectError) -> [UInt8] {
        guard count <= limit - position || seek != nil else { throw tooFar }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = try next(&bytes, from: filled)
            guard more > 0 else { throw damaged }
            filled += more
        }
        return bytes
    }

    /// Passes over what is before an offset.
    mutating func skip(to offset: Int) throws(AppProjectError) {
        guard offset >= position else { throw damaged }
        guard offset > position else { return }
        if let seek {
            guard seek(offset) else { throw damaged }
            position = offset
            return
        }
        guard offset <= limit else { throw tooFar }
        var buffer = [UInt8](repeating: 0, count: min(offset - position, 1 << 17))
        while position < offset {
            if buffer.count > offset - position { buffer.removeLast(buffer.count - (offset - position)) }
            guard try next(&buffer, from: 0) > 0 else { throw damaged }
        }
    }

    private mutating func next(_ bytes: inout [UInt8], from start: Int) throws(AppProjectError) -> Int {
        var failure: AppProjectError?
        let count = bytes.withUnsafeMutableBytes { buffer in
            do throws(AppProjectError) {
                return try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        position += count
        return count
    }
}
