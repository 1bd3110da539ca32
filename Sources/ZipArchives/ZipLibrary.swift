internal import CZip
internal import SystemSupport

/// libzip, opened when it is needed first.
struct ZipLibrary: @unchecked Sendable {
    /// Never freed: it is there once.
    let functions: c_zip_table

    /// The one of this process. What is used of it is the same in both versions.
    static let shared = Result { () throws(MissingLibrary) in
        do throws(MissingLibrary) { return try ZipLibrary("libzip.so.4") } catch {
            guard let newer = try? ZipLibrary("libzip.so.5") else { throw error }
            return newer
        }
    }

    /// - Parameter fileName: What the dynamic loader looks for.
    init(_ fileName: String) throws(MissingLibrary) {
        let table = UnsafeMutablePointer<c_zip>.allocate(capacity: 1)
        table.initialize(to: c_zip())
        if let reason = c_zip_open(table, fileName) {
            let text = String(cString: reason)
            table.deallocate()
            throw MissingLibrary(name: "libzip", package: "libzip4", reason: text)
        }
        functions = UnsafePointer(table)
    }
}
