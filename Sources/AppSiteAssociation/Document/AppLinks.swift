public import Diagnostics
internal import JSONSyntax

/// `applinks`: which apps open which URLs of the domain.
public struct AppLinks: Sendable {
    public let range: SourceRange
    /// `apps`, which must be there and empty for iOS 12 and older.
    public let apps: [Located<String>]?
    /// `defaults` for the components of all entries.
    public let defaults: Component?
    public let substitutionVariables: SubstitutionVariables
    /// The entries, in file order.
    public let details: [Detail]
    /// Whether `details` is a dictionary from app ID to entry, as in the betas of iOS 9.
    public let hasDetailsAsDictionary: Bool

    /// Entries that need not be in a file.
    package init(_ details: [Detail], _ substitutionVariables: SubstitutionVariables) {
        range = SourceRange(start: 0, end: 0)
        apps = nil
        defaults = nil
        self.substitutionVariables = substitutionVariables
        self.details = details
        hasDetailsAsDictionary = false
    }

    init?(_ node: JSONNode, pointer: JSONPointer, source: SourceText) {
        guard let object = node.object else { return nil }
        let defaults = object["defaults"].flatMap { Component($0, ListPointer(pointer.member("defaults"))) }
        range = node.range
        apps = object["apps"]?.strings
        self.defaults = defaults
        substitutionVariables = SubstitutionVariables(object["substitutionVariables"])

        let here = pointer.member("details")
        let details = object["details"]
        hasDetailsAsDictionary = details?.object != nil
        if let entries = details?.array {
            self.details = entries.enumerated().compactMap { index, entry in
                Detail(
                    entry, index: index, app: nil, pointer: here.element(index), domainDefaults: defaults,
                    source: source)
            }
        } else {
            let entries = details?.object?.distinctMembers ?? []
            self.details = entries.enumerated().compactMap { index, entry in
                Detail(
                    entry.value, index: index, app: Located(entry.key.text, at: entry.keyRange),
                    pointer: here.member(entry.key.text), domainDefaults: defaults, source: source)
            }
        }
    }
}

extension SubstitutionVariables {
    init(_ node: JSONNode?) {
        let members = node?.object?.distinctMembers ?? []
        self.init(
            members.compactMap { member in
                member.value.strings.map { SubstitutionVariable(name: member.key.text, values: $0.map(\.value)) }
            })
    }
}
