internal import Android
internal import Diagnostics
internal import JSONSyntax

/// The configuration of an Expo app, `app.json`.
enum ExpoConfiguration {
    private static let maxValues = 100_000

    /// - Returns: Nil if it is not one.
    static func read(_ bytes: [UInt8], path: String) throws(AppProjectError) -> AppProject? {
        guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "{")
        else { return nil }
        // A tree takes up to a hundred times the size of its text.
        guard
            bytes.count(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
                <= maxValues
        else { throw AppProjectError(.unusable, path, "the JSON has more than \(maxValues) values") }
        let json = JSONReader.read(bytes, path: path, limits: .configuration)
        guard json.isTreeReliable, let root = json.root?.object else {
            guard let finding = json.fatalFindings.first else { return nil }
            throw AppProjectError(
                .unusable, path, "the JSON cannot be read: \(finding.message)",
                position: json.source.position(at: finding.range.start))
        }
        var pointer = JSONPointer()
        var app = root
        if let expo = root["expo"]?.object {
            pointer = pointer.member("expo")
            app = expo
        }
        let ios = app["ios"]?.object
        let android = app["android"]?.object
        guard root["expo"]?.object != nil || ios != nil || android != nil else { return nil }
        var project = AppProject(path: path, kind: .expo)
        if let ios {
            try read(ios, pointer.member("ios"), json.source, into: &project)
        }
        if let android {
            if let package = android["package"]?.string?.text, !package.isEmpty { project.packages = [package] }
            if let filters = android["intentFilters"] { project.setManifest(ExpoManifest.root(filters), json.source) }
        }
        return project
    }

    private static func read(
        _ ios: JSONObject, _ pointer: JSONPointer, _ source: SourceText, into project: inout AppProject
    ) throws(AppProjectError) {
        var entries: [DomainEntry] = []
        var range: SourceRange?
        /// Domains that are written as something else than a list.
        var other: JSONMember?
        // The second is where everything can be written that the first has no key for.
        let direct = ios.member("associatedDomains").map { ($0, pointer.member("associatedDomains")) }
        let entitlements = ios["entitlements"]?.object?.member(Entitlements.domainsKey)
            .map { ($0, pointer.member("entitlements").member(Entitlements.domainsKey)) }
        for (member, pointer) in [direct, entitlements].compactMap({ $0 }) {
            range = range ?? member.keyRange
            guard let elements = member.value.array else {
                other = other ?? member
                continue
            }
            for (index, element) in elements.enumerated() {
                entries.append(
                    EntryReader.entry(
                        element.string?.text, range: element.string?.content ?? element.range,
                        pointer: pointer.element(index).description))
            }
        }
        guard entries.count <= PropertyList.maxElements else {
            throw .tooManyDomains(project.path)
        }
        let bundle = ios.member("bundleIdentifier")
        let team = ios["appleTeamId"]?.string?.text
        var id: ApplicationIdentifier?
        if let bundle = bundle?.value.string?.text, let team { id = ApplicationIdentifier("\(team).\(bundle)") }
        // Without any the app may be for Android links only.
        project.domains = [
            other.map {
                AssociatedDomains(
                    .missing("\(quoted($0.key.text)) is not a list"), path: project.path, source: source,
                    range: $0.value.range)
            }
                ?? AssociatedDomains(
                    .entries(entries), path: project.path, source: source, range: range ?? bundle?.keyRange)
        ]
        project.apps = [
            AppleApp(
                id: id, idRange: bundle?.value.range, list: 0,
                unresolved: id == nil ? unresolved(bundle: bundle?.value.string?.text, team: team) : nil)
        ]
    }

    /// Why the app ID is not known.
    private static func unresolved(bundle: String?, team: String?) -> UnresolvedValue? {
        guard let bundle, !bundle.isEmpty else {
            return UnresolvedValue(missing: "'ios.bundleIdentifier'", bundle: nil)
        }
        return (team ?? "").isEmpty ? UnresolvedValue(missing: "'ios.appleTeamId'", bundle: bundle) : nil
    }
}
