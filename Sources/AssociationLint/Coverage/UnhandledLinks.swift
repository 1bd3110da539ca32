public import AppSiteAssociation

/// URLs that an association file sends to an app and none of its routes handles.
public struct UnhandledLinks: Sendable {
    /// A shortest one of them.
    public let witness: String
    /// The rule of the file that opens them.
    public let rule: Rule
    /// Whether it is known that all of them have an empty segment within the path, `//`.
    let haveEmptySegments: Bool
}
