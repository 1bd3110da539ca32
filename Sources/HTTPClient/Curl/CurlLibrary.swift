internal import CCurl
package import SystemSupport

/// libcurl, opened when it is first asked for. Programs that never ask neither load nor need it.
package final class CurlLibrary: @unchecked Sendable {
    /// The table is written once, before anyone else can see it, and stays for good: the library does.
    let functions: UnsafePointer<c_curl_functions>
    /// Like `7.88.1`.
    package let version: String

    /// The library of the process.
    ///
    /// - Throws: the same error each time, if it cannot be used.
    package static func shared() throws(MissingLibrary) -> CurlLibrary { try opened.get() }

    private static let opened = Result { () throws(MissingLibrary) in try CurlLibrary() }

    /// - Parameter name: for tests.
    package init(_ name: String = "libcurl.so.4") throws(MissingLibrary) {
        let table = UnsafeMutablePointer<c_curl_functions>.allocate(capacity: 1)
        table.initialize(to: c_curl_functions())
        let problem = c_curl_open(name, table).map { String(cString: $0) } ?? Self.setUp(table)
        if let problem {
            table.deallocate()
            throw MissingLibrary(name: "libcurl", package: "libcurl4", reason: problem)
        }
        functions = UnsafePointer(table)
        version = c_curl_version(table).map { String(cString: $0.pointee.version) } ?? ""
    }

    /// - Returns: what is wrong with the library; nil if it is as it must be.
    private static func setUp(_ table: UnsafePointer<c_curl_functions>) -> String? {
        guard c_curl_global_init(table) == CURLE_OK, let version = c_curl_version(table) else {
            return "it cannot be set up"
        }
        // The trust store is handed to the TLS library that it uses, which must be this process's OpenSSL.
        let tls = version.pointee.ssl_version.map { String(cString: $0) } ?? "no TLS"
        guard tls.hasPrefix("OpenSSL/") else { return "it is built with \(tls), expected OpenSSL" }
        return nil
    }
}
