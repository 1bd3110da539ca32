/// When the disk is looked at, in milliseconds (server.md, section 6).
package struct ReloadTiming: Sendable {
    /// Without a change, after the last one.
    package var quiet: Int64 = 200
    /// After the first change, whatever comes.
    package var longest: Int64 = 2_000
    /// For what nobody tells of.
    package var poll: Int64 = 30_000
    /// Whether certificates come near their end.
    package var expiry: Int64 = 86_400_000
    /// Whether the system is asked to tell of changes.
    package var watches = true

    package init() {}
}
