internal import Diagnostics
internal import OpenSSL

/// The entitlements in the code signature of an executable (Mach-O, thin and fat).
///
/// The signature is not verified. Of several architectures the first one is read: all are signed with the same
/// entitlements.
enum CodeSignature {
    enum Content {
        /// A property list.
        case entitlements([UInt8])
        case withoutEntitlements
        case unsigned
        /// It is not an executable for Apple's systems.
        case notAnExecutable
    }

    private static let maxArchitectures = 32
    /// The most load commands, in bytes; real ones have a few thousand.
    private static let maxCommands = 4 << 20
    private static let maxBlobs = 256
    private static let largestBlob = 4 << 20
    /// `LC_CODE_SIGNATURE` of `mach-o/loader.h`.
    private static let signatureCommand = 0x1D
    /// `CSMAGIC_EMBEDDED_SIGNATURE`, and the slot and magic number of entitlements in XML.
    private static let superBlob = 0xFADE_0CC0
    private static let entitlementsSlot = 5
    private static let entitlementsBlob = 0xFADE_7171

    /// - Parameter reader: At the beginning of the executable.
    static func read(_ reader: inout SequentialReader) throws(AppProjectError) -> Content {
        var head = try reader.read(4)
        var base = 0
        let isWide = head.isMagic(0xCAFE_BABF)
        if head.isMagic(0xCAFE_BABE) || isWide {
            let count = try reader.read(4).big(0, 4)
            // A class file of Java begins with the same bytes, and its version here.
            guard (1...maxArchitectures).contains(count) else { return .notAnExecutable }
            let length = isWide ? 32 : 20
            let list = try reader.read(count * length)
            let offsets = (0..<count).map { list.big($0 * length + 8, isWide ? 8 : 4) }
            guard let first = offsets.min() else { return .notAnExecutable }
            base = first
            try reader.skip(to: base)
            head = try reader.read(4)
        }
        return try thin(&reader, base: base, magic: head)
    }

    private static func thin(
        _ reader: inout SequentialReader, base: Int, magic: [UInt8]
    ) throws(AppProjectError) -> Content {
        let isBig = magic.isMagic(0xFEED_FACE) || magic.isMagic(0xFEED_FACF)
        let isLittle = magic.isReversedMagic(0xFEED_FACE) || magic.isReversedMagic(0xFEED_FACF)
        guard isBig || isLittle else { return .notAnExecutable }
        let isWide = magic.isMagic(0xFEED_FACF) || magic.isReversedMagic(0xFEED_FACF)
        let header = try reader.read((isWide ? 32 : 28) - 4)
        func number(_ bytes: [UInt8], _ offset: Int) -> Int { isBig ? bytes.big(offset, 4) : bytes.little(offset, 4) }
        let commandCount = number(header, 12)
        let commandBytes = number(header, 16)
        guard commandBytes <= maxCommands, commandCount <= commandBytes / 8 else { throw reader.damaged }
        let commands = try reader.read(commandBytes)
        var offset = 0
        for _ in 0..<commandCount {
            guard offset + 8 <= commands.count else { throw reader.damaged }
            let size = number(commands, offset + 4)
            guard size >= 8, size <= commands.count - offset else { throw reader.damaged }
            if number(commands, offset) == signatureCommand {
                guard size >= 16 else { throw reader.damaged }
                try reader.skip(to: base + number(commands, offset + 8))
                return try signature(&reader, length: number(commands, offset + 12))
            }
            offset += size
        }
        return .unsigned
    }

    /// A super blob, at which the reader is; its numbers are big endian.
    private static func signature(
        _ reader: inout SequentialReader, length: Int
    ) throws(AppProjectError) -> Content {
        let start = reader.position
        let header = try reader.read(12)
        guard header.big(0, 4) == superBlob else { return .unsigned }
        let count = header.big(8, 4)
        guard count <= maxBlobs, header.big(4, 4) <= length else { throw reader.damaged }
        let index = try reader.read(8 * count)
        for entry in 0..<count where index.big(8 * entry, 4) == entitlementsSlot {
            let offset = index.big(8 * entry + 4, 4)
            guard offset <= length - 8 else { throw reader.damaged }
            try reader.skip(to: start + offset)
            let blob = try reader.read(8)
            let size = blob.big(4, 4)
            guard blob.big(0, 4) == entitlementsBlob, size >= 8, size <= length - offset, size <= largestBlob else {
                throw reader.damaged
            }
            return .entitlements(try reader.read(size - 8))
        }
        return .withoutEntitlements
    }
}

extension [UInt8] {
    /// A number of up to 8 bytes, big endian; one that no offset can be is the largest.
    fileprivate func big(_ offset: Int, _ size: Int) -> Int {
        Int(clamping: self[offset..<offset + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }) & ~(1 << 62)
    }

    fileprivate func isMagic(_ magic: Int) -> Bool { big(0, 4) == magic }

    fileprivate func isReversedMagic(_ magic: Int) -> Bool { little(0, 4) == magic }
}

/// A provisioning profile: CMS signed data around a property list. The signature is not verified.
struct ProvisioningProfile {
    let entitlements: Entitlements
    /// In seconds since 1970.
    let expires: Int64?
    private let expiresRange: SourceRange?

    /// Real ones have some dozen KiB; what OpenSSL makes of one is up to fifty times as large.
    private static let largest = 1 << 20

    init(_ bytes: [UInt8], path: String) throws(AppProjectError) {
        guard bytes.count <= Self.largest else { throw AppProjectError.tooLarge(path, limit: Self.largest) }
        let content: [UInt8]
        do throws(OpenSSLError) {
            content = try SignedData.content(bytes).content
        } catch {
            throw AppProjectError(
                .unusable, path, "the provisioning profile cannot be read: \(error.message)",
                help: "download it again from developer.apple.com")
        }
        guard let list = try PropertyList.read(content, path: path),
            let profile = try ProvisioningProfile(list, path: path, isText: false)
        else { throw AppProjectError.notAnApp(path) }
        self = profile
    }

    /// The property list by itself, as `security cms -D` writes it; nil if it is another one.
    init?(_ list: PropertyList, path: String, isText: Bool) throws(AppProjectError) {
        guard let entitlements = try list.member("Entitlements"), entitlements.isDictionary else { return nil }
        self.entitlements = try Entitlements(
            entitlements, path: path, isText: isText, isProfile: true, holder: "the provisioning profile allows")
        let date = try list.member("ExpirationDate")
        expires = try date?.date()
        expiresRange = isText ? date?.range : nil
    }

    /// The app ID that it gives to a bundle ID; nil if it is for other apps, or does not say.
    func appID(for bundle: String?) -> ApplicationIdentifier? {
        guard let text = entitlements.appID else { return nil }
        if let id = ApplicationIdentifier(text) { return id }
        // `PREFIX.*` and `PREFIX.com.example.*` are for several apps.
        guard let bundle, text.hasSuffix("*"), let dot = text.firstIndex(of: ".") else { return nil }
        let start = text[text.index(after: dot)...].dropLast()
        guard bundle.hasPrefix(start), !start.contains("*") else { return nil }
        return ApplicationIdentifier("\(text[..<dot]).\(bundle)")
    }

    /// The project of a profile that is given by itself.
    func project(path: String) -> AppProject {
        var project = AppProject(path: path, kind: .profile, entitlements)
        project.expires = expires
        project.expiresRange = expiresRange
        return project
    }
}
