internal import Diagnostics
internal import OpenSSL

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
        let read = try PropertyList.damage(path) {
            () throws(DamagedPropertyList) -> (Entitlements, Int64?, SourceRange?)? in
            guard let entitlements = try list.member("Entitlements"), entitlements.isDictionary else { return nil }
            let date = try list.member("ExpirationDate")
            return (
                try Entitlements(
                    entitlements, path: path, isText: isText, isProfile: true, holder: "the provisioning profile allows"
                ),
                try date?.date(), isText ? date?.range : nil
            )
        }
        guard let read else { return nil }
        (entitlements, expires, expiresRange) = read
    }

    /// The app ID that it gives to a bundle ID; nil if it is for other apps, or does not say.
    func appID(for bundle: String?) -> AppID? {
        guard let text = entitlements.appID else { return nil }
        if let id = AppID(text) { return id }
        // `PREFIX.*` and `PREFIX.com.example.*` are for several apps.
        guard let bundle, text.hasSuffix("*"), let dot = text.firstIndex(of: ".") else { return nil }
        let start = text[text.index(after: dot)...].dropLast()
        guard bundle.hasPrefix(start), !start.contains("*") else { return nil }
        return AppID("\(text[..<dot]).\(bundle)")
    }

    /// The project of a profile that is given by itself.
    func project(path: String) -> AppProject {
        var project = AppProject(path: path, kind: .profile)
        project.expires = expires
        project.expiresRange = expiresRange
        project.isDevelopment = entitlements.isDevelopment
        project.domains = [entitlements.domains]
        project.apps = [
            AppleApp(id: entitlements.appID.flatMap { AppID($0) }, idRange: entitlements.appIDRange, list: 0)
        ]
        return project
    }
}
