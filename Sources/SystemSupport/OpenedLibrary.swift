/// Opens C libraries when they are first needed: linked, every command would have to load them.
package enum OpenedLibrary {
    /// Opens a library, and fills the table of its functions. Both stay for good.
    ///
    /// - Parameters:
    ///   - file: what the dynamic loader looks for.
    ///   - name: as people call the library, for example `libexpat`.
    ///   - package: the Debian package that has it.
    ///   - open: fills a table from a file; returns why the library cannot be used, or nil.
    package static func functions<Table>(
        _ file: String, name: String, package: String, into empty: Table,
        open: (UnsafeMutablePointer<Table>, String) -> String?
    ) throws(MissingLibrary) -> UnsafePointer<Table> {
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: empty)
        if let reason = open(table, file) {
            table.deallocate()
            throw MissingLibrary(name: name, package: package, reason: reason)
        }
        return UnsafePointer(table)
    }
}

/// A C library that is opened at first use, and is not on this machine.
package struct MissingLibrary: Error, Equatable, Sendable, CustomStringConvertible {
    /// The common name of the library, such as `libexpat`.
    package let name: String
    /// The Debian package that has it.
    package let package: String
    /// The system's reason.
    package let reason: String

    package init(name: String, package: String, reason: String) {
        self.name = name
        self.package = package
        self.reason = reason
    }

    package var description: String { "\(name) cannot be loaded: \(reason)" }

    /// The remedy.
    package var help: String { "install it, on Debian with 'apt-get install \(package)'" }
}
