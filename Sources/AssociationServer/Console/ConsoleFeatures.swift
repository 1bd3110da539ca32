package import AssociationConsole
package import SiteStore

/// The parts of the console that the server cannot show itself: the commands bring them along.
package struct ConsoleFeatures: Sendable {
    /// The object of `aasa doctor --format json` for a domain, as JSON text; `nil` where nobody can check.
    ///
    /// It is called on a thread on which nothing else waits, once at a time, and takes up to a minute.
    package var doctor: (@Sendable (_ domain: String, DoctorConfiguration) -> String)?
    /// The versions of a site's association file in the store; `nil` without a store.
    package var versions: (@Sendable (_ domain: String) -> ConsoleVersions)?
    /// Reads an Android manifest; `nil` where nobody can.
    package var manifest: ConsoleManifest.Reader?
    /// The bytes of a version of a site's file in the store; `nil` if they cannot be had.
    package var storedFile: (@Sendable (_ domain: String, _ name: String, _ version: Int64) -> [UInt8]?)?
    /// The changes of the store before a generation, or the newest, at most so many; `nil` without a store.
    package var changes: (@Sendable (_ generation: Int64?, _ limit: Int) -> [StoredChange]?)?
    /// A change of the store with its files; `nil` without a store.
    package var change: (@Sendable (_ generation: Int64) -> ConsoleChange)?

    package init() {}
}
