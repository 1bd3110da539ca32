internal import BoundedText
internal import CPostgreSQL
package import SiteStore
internal import SystemSupport

/// libpq, opened when a store is first used. Programs that use none neither load nor need it.
package enum PostgreSQLLibrary {
    /// Looks whether libpq is there, and can be used.
    ///
    /// - Parameter file: its name for the dynamic loader, but for tests.
    /// - Throws: `StoreError` of the kind `missingLibrary`.
    package static func check(_ file: String = "libpq.so.5") throws(StoreError) { _ = try open(file) }

    /// The functions of the library, which stay for good.
    ///
    /// - Throws: the same error each time, if it cannot be used.
    static func shared() throws(StoreError) -> c_pq_table { try opened.get() }

    private nonisolated(unsafe) static let opened = Result { () throws(StoreError) -> c_pq_table in
        try open("libpq.so.5")
    }

    private static func open(_ file: String) throws(StoreError) -> c_pq_table {
        do throws(MissingLibrary) {
            return try OpenedLibrary.functions(file, name: "libpq", package: "libpq5", into: c_pq_functions()) {
                c_pq_open($0, $1).map { String(cText: $0) }
            }
        } catch {
            throw StoreError(.missingLibrary, error.description, help: error.help)
        }
    }
}
