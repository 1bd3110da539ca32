internal import Diagnostics

/// What entitlements say about the app and its domains, from an entitlements file, a profile or a signature.
struct Entitlements {
    static let domainsKey = "com.apple.developer.associated-domains"

    /// The ID as it is written, with build variables or a wildcard.
    let appID: String?
    /// Where it is.
    let appIDRange: SourceRange?
    let domains: AssociatedDomains
    let isDevelopment: Bool?

    /// - Parameters:
    ///   - path: The file that they are in, as messages call it.
    ///   - isText: Whether positions mean something to a person: the list is not part of another file.
    ///   - isProfile: Whether they are what a profile allows; then `*` is for every domain.
    ///   - holder: What they are, for the finding that there are no domains.
    init(
        _ list: PropertyList, path: String, isText: Bool = true, isProfile: Bool = false, holder: String
    ) throws(DamagedPropertyList) {
        var id = try list.member("application-identifier")
        // On the Mac.
        if id == nil { id = try list.member("com.apple.application-identifier") }
        appID = try id?.string()
        appIDRange = isText ? id?.range : nil
        isDevelopment = try list.member("get-task-allow")?.boolean
        domains = try Self.domains(
            list, path: path, source: isText ? list.source : nil, isProfile: isProfile, holder: holder)
    }

    private static func domains(
        _ list: PropertyList, path: String, source: SourceText?, isProfile: Bool, holder: String
    ) throws(DamagedPropertyList) -> AssociatedDomains {
        func result(_ value: AssociatedDomains.Value, _ at: PropertyList) -> AssociatedDomains {
            AssociatedDomains(value, path: path, source: source, range: source == nil ? nil : at.range)
        }
        guard let value = try list.member(domainsKey) else {
            return result(.missing("\(holder) no associated domains"), list)
        }
        if isProfile, try value.string() == "*" { return result(.every, value) }
        guard let elements = try value.elements() else {
            return result(.missing("\(holder) associated domains that are not a list"), value)
        }
        guard !elements.isEmpty else { return result(.missing("\(holder) an empty list of associated domains"), value) }
        var entries: [DomainEntry] = []
        for element in elements {
            let text = try element.string()
            if isProfile, text == "*" { return result(.every, value) }
            entries.append(EntryReader.entry(text, range: source == nil ? nil : element.range))
        }
        return result(.entries(entries), value)
    }
}
