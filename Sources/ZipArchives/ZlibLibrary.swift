internal import CZlib
internal import SystemSupport

/// zlib, opened when it is needed first.
struct ZlibLibrary: @unchecked Sendable {
    /// Never freed: it is there once.
    let functions: c_zlib_table

    /// The one of this process.
    static let shared = Result { () throws(MissingLibrary) in try ZlibLibrary("libz.so.1") }

    /// - Parameter fileName: What the dynamic loader looks for.
    init(_ fileName: String) throws(MissingLibrary) {
        let table = UnsafeMutablePointer<c_zlib>.allocate(capacity: 1)
        table.initialize(to: c_zlib())
        if let reason = c_zlib_open(table, fileName) {
            let text = String(cString: reason)
            table.deallocate()
            throw MissingLibrary(name: "zlib", package: "zlib1g", reason: text)
        }
        functions = UnsafePointer(table)
    }
}
