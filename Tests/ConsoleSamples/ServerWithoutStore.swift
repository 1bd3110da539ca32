package import AssociationConsole
package import SiteStore

/// A server whose sites come from no store, as those of most tests.
extension ConsoleSource {
    package var hasStore: Bool { false }
    package func changes(before generation: Int64?, limit: Int) -> [StoredChange]? { nil }
    package func change(_ generation: Int64) -> ConsoleChange { .unavailable }
}
