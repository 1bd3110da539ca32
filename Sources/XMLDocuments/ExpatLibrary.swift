internal import CExpat
internal import SystemSupport

/// libexpat, opened when it is needed first.
struct ExpatLibrary: @unchecked Sendable {
    /// Never freed: it is there once.
    let functions: c_expat_table

    /// The one of this process.
    static let shared = Result { () throws(MissingLibrary) in try ExpatLibrary("libexpat.so.1") }

    /// - Parameter fileName: What the dynamic loader looks for.
    init(_ fileName: String) throws(MissingLibrary) {
        let table = UnsafeMutablePointer<c_expat>.allocate(capacity: 1)
        table.initialize(to: c_expat())
        if let reason = c_expat_open(table, fileName) {
            let text = String(cString: reason)
            table.deallocate()
            throw MissingLibrary(name: "libexpat", package: "libexpat1", reason: text)
        }
        functions = UnsafePointer(table)
    }
}
